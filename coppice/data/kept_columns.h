#pragma once

#include "coppice/data/column_builder.h"
#include "coppice/data/reader.h"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace coppice {

/// Tells what is to be kept of a column by the hints, or else by its name.
class KeptColumns {
 public:
  KeptColumns(const ReadHints& hints, const std::optional<std::string>& target);
  Kept of(const std::string& name) const;

 private:
  std::unordered_map<std::string_view, Kept> named_;
  Kept others_;
};

}  // namespace coppice
