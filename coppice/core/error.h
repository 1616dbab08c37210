#pragma once

#include "coppice/core/export.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace coppice {

/// What kind of mistake an Error is about.
enum class ErrorKind : std::uint8_t {
  bad_input,      ///< the data, or a model, is not what it should be
  bad_option,     ///< a setting has a value that makes no sense, alone or beside others
  file,           ///< a file cannot be read or written
  out_of_memory,  ///< of the machine or of its GPU
  unsupported,    ///< this machine or this build cannot do it
  interrupted,    ///< somebody asked to stop
  internal,       ///< a mistake of the library itself
};

/// What a mistake is about, as far as it is about one thing.
struct ErrorPlace {
  std::string option = {};              ///< name of a setting: "hidden-layers"
  std::string column = {};              ///< name of a column
  std::optional<std::size_t> row = {};  ///< of a table, from 0
};

/// A mistake that somebody can mend. The message is one sentence: what is wrong, where and what to do. Names of settings
/// stand in it between backquotes (`patience`), so that a program can show them as its users know them: --patience.
class COPPICE_API Error : public std::runtime_error {
 public:
  explicit Error(const std::string& sentence) : std::runtime_error(sentence) {}
  Error(ErrorKind kind, const std::string& sentence, ErrorPlace place = {})
      : std::runtime_error(sentence), kind_(kind), place_(std::move(place)) {}

  ErrorKind kind() const { return kind_; }
  const ErrorPlace& place() const { return place_; }

 private:
  ErrorKind kind_ = ErrorKind::bad_input;
  ErrorPlace place_;
};

}  // namespace coppice
