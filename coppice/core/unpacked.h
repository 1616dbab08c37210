#pragma once

#include "coppice/core/file.h"

#include <cstddef>
#include <memory>
#include <string>

namespace coppice {

/// The bytes of a stream, unpacked on the way if they are gzip: members one after another; what follows them is ignored, as
/// gzip does. Errors name the stream.
class UnpackedStream final : public ByteStream {
 public:
  /// So many bytes are read ahead.
  UnpackedStream(ByteStream& packed, std::string name, std::size_t ahead);
  ~UnpackedStream() override;

  std::size_t read(char* buffer, std::size_t size) override;

 private:
  struct State;

  void look_ahead();
  std::size_t unpack(char* buffer, std::size_t size);

  ByteStream& packed_;
  std::string name_;
  std::unique_ptr<State> state_;  ///< and the bytes that were read ahead
};

}  // namespace coppice
