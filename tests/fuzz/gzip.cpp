#include "coppice/core/file.h"
#include "coppice/core/unpacked.h"

#include "tests/fuzz/bytes.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/targets.h"

#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace coppice::fuzz {

namespace {

/// The first bytes of a stream, pulled so many at a time.
std::string pulled(ByteStream& stream, std::size_t portion, std::size_t most) {
  std::string all(most, '\0');
  std::size_t size = 0;
  while (size < most) {
    const std::size_t wanted = std::min(portion, most - size);
    const std::size_t count = stream.read(all.data() + size, wanted);
    size += count;
    if (count < wanted) break;
  }
  all.resize(size);
  return all;
}

/// What comes of the same bytes in a file, and its checksum.
std::string pulled_from_file(std::string_view bytes, std::size_t most) {
  const Descriptor memory(::memfd_create("fuzz", MFD_CLOEXEC));
  require(memory && ::write(memory.get(), bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()),
          "the machine lends memory");
  InputFile file("/proc/self/fd/" + std::to_string(memory.get()));
  std::string whole = pulled(file, 997, most);
  require(file.checksum() == checksum(bytes), "the checksum is that of the file as it lies there");
  return whole;
}

}  // namespace

void gzip(std::string_view bytes) {
  const std::uint32_t turn = checksum(bytes);
  // Bytes that are unpacked: more than any buffer holds now and then, since that takes the time of many others.
  const std::size_t most = turn % 16 == 0 ? std::size_t{1} << 17U : 10'000;
  const std::string name = "fuzz.gz";
  std::string whole;
  const bool read = goes_through(name, [&] {
    Bytes packed(bytes);
    UnpackedStream stream(packed, name, 4096);
    whole = pulled(stream, 4096, most);
  });
  if (turn / 16 % seldom == 0) {
    std::string again;
    const bool read_again = goes_through("/proc/self/fd/", [&] { again = pulled_from_file(bytes, most); });
    // An empty file is refused.
    require(bytes.empty() ? !read_again : read == read_again && (!read || again == whole),
            "a file is read as the same bytes in memory are");
  }
  if (!read) return;
  Bytes packed(bytes);
  UnpackedStream unpacked(packed, name, 10);
  HeadStream stream(unpacked);
  require(stream.peek(100) == std::string_view(whole).substr(0, 100), "a look shows the first bytes");
  require(pulled(stream, 50, most) == whole, "portions make no difference");
  stream.rewind();
  stream.release();
  require(pulled(stream, 997, most) == whole, "what was looked at is read once more");
}

}  // namespace coppice::fuzz
