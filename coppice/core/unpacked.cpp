#include "coppice/core/unpacked.h"

#include "coppice/core/fail.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include <zlib.h>

namespace coppice {

struct UnpackedStream::State {
  std::vector<char> raw;  ///< bytes read ahead
  z_stream stream{};      ///< points into them
  bool packed = false;
  bool in_member = false;
  bool ended = false;

  ~State() {
    if (packed) inflateEnd(&stream);
  }
  bool at_magic() const {
    return stream.avail_in > 1 && stream.next_in[0] == 0x1F && stream.next_in[1] == 0x8B;
  }
};

UnpackedStream::UnpackedStream(ByteStream& packed, std::string name, std::size_t ahead)
    : packed_(packed), name_(std::move(name)), state_(std::make_unique<State>()) {
  State& from = *state_;
  from.raw.resize(ahead);
  look_ahead();
  if (!from.at_magic()) return;
  if (inflateInit2(&from.stream, 16 + MAX_WBITS) != Z_OK) throw std::bad_alloc();
  from.packed = true;
}

UnpackedStream::~UnpackedStream() = default;

/// Reads on behind what is left of the bytes read ahead.
void UnpackedStream::look_ahead() {
  State& from = *state_;
  const std::size_t left = from.stream.avail_in;
  if (left > 0) std::memmove(from.raw.data(), from.stream.next_in, left);
  const std::size_t more = packed_.read(from.raw.data() + left, from.raw.size() - left);
  from.stream.next_in = reinterpret_cast<unsigned char*>(from.raw.data());
  from.stream.avail_in = static_cast<unsigned>(left + more);
}

std::size_t UnpackedStream::read(char* buffer, std::size_t size) {
  State& from = *state_;
  if (from.packed) return unpack(buffer, size);
  const std::size_t ahead = std::min<std::size_t>(size, from.stream.avail_in);
  std::memcpy(buffer, from.stream.next_in, ahead);
  from.stream.next_in += ahead;
  from.stream.avail_in -= static_cast<unsigned>(ahead);
  return ahead + packed_.read(buffer + ahead, size - ahead);
}

std::size_t UnpackedStream::unpack(char* buffer, std::size_t size) {
  State& from = *state_;
  std::size_t done = 0;
  while (done < size && !from.ended) {
    if (from.stream.avail_in < 2) look_ahead();
    if (!from.in_member) {
      from.ended = !from.at_magic();
      if (from.ended) break;
      from.in_member = true;
      inflateReset(&from.stream);
    }
    const auto room = static_cast<unsigned>(std::min<std::size_t>(size - done, 1U << 30U));
    from.stream.next_out = reinterpret_cast<unsigned char*>(buffer + done);
    from.stream.avail_out = room;
    const int code = inflate(&from.stream, Z_NO_FLUSH);
    done += room - from.stream.avail_out;
    from.in_member = code != Z_STREAM_END;
    if (code == Z_MEM_ERROR) throw std::bad_alloc();
    // Where a file was cut off, what inflate still holds comes before the complaint (Z_BUF_ERROR: nothing came of it).
    if (code == Z_STREAM_END || code == Z_OK) continue;
    const char* message =
        code == Z_DATA_ERROR && from.stream.msg != nullptr ? from.stream.msg : "unexpected end of file";
    fail_file("{}: broken gzip data ({}); copy or download the file again", name_, message);
  }
  return done;
}

}  // namespace coppice
