#include "coppice/core/file.h"

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

}  // namespace

void gzip(std::string_view bytes) {
  const Descriptor memory(::memfd_create("fuzz", MFD_CLOEXEC));
  require(memory && ::write(memory.get(), bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()),
          "the machine lends memory");
  const std::string path = "/proc/self/fd/" + std::to_string(memory.get());
  // Bytes that are unpacked: more than any buffer holds now and then, since that takes the time of many others.
  const std::size_t most = checksum(bytes) % 16 == 0 ? std::size_t{1} << 17U : 10'000;
  std::string whole;
  const bool read = goes_through(path, [&] {
    InputFile file(path);
    whole = pulled(file, 4096, most);
    require(file.checksum() == checksum(bytes), "the checksum is that of the file as it lies there");
  });
  if (!read) return;
  InputFile file(path);
  HeadStream stream(file);
  require(stream.peek(100) == std::string_view(whole).substr(0, 100), "a look shows the first bytes");
  require(pulled(stream, 50, most) == whole, "portions make no difference");
  stream.rewind();
  stream.release();
  require(pulled(stream, 997, most) == whole, "what was looked at is read once more");
}

}  // namespace coppice::fuzz
