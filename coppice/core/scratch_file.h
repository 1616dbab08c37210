#pragma once

#include "coppice/core/file.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <string>

namespace coppice {

/// A file that has no name and is gone with the process, however that ends: for rows that the memory is not to hold.
/// Threads may share it.
class ScratchFile {
 public:
  /// In folder().
  ScratchFile();

  /// TMPDIR or, without it, /var/tmp: what lies in /tmp is in memory on many machines.
  static std::string folder();

  /// Where so many bytes more begin, for which the disk has room from now on. Fails if it has none.
  std::size_t extend(std::size_t bytes);
  /// Nobody needs them any more: the next extend() of as many takes them.
  void give_back(std::size_t at, std::size_t bytes);
  /// Bytes of it as memory, as long as the file is open: `at` is a multiple of map_unit.
  static constexpr std::size_t map_unit = std::size_t{1} << 16U;
  std::span<std::byte> map(std::size_t at, std::size_t bytes) const;
  /// Direct: past the system's memory, if the file system can; of whole Pages, in memory and in the file.
  enum class Way : std::uint8_t { cached, direct };
  void write(std::size_t at, std::span<const std::byte> bytes, Way way = Way::cached) const;
  void read(std::size_t at, std::span<std::byte> bytes, Way way = Way::cached) const;
  /// For a DiskQueue; -1: it cannot.
  int direct_descriptor() const { return direct_.get(); }
  /// The same if that needs no disk; else false, and the disk begins to read it.
  bool read_soon(std::size_t at, std::span<std::byte> bytes) const;
  /// The disk begins to read so many bytes, which will be asked for.
  void expect(std::size_t at, std::size_t bytes) const;
  /// Whether the system's memory lacks many of these bytes: `at` as for map().
  bool on_disk(std::size_t at, std::size_t bytes) const;

 private:
  int descriptor(Way way) const { return way == Way::direct && direct_ ? direct_.get() : file_.get(); }

  std::string folder_;
  Descriptor file_;
  Descriptor direct_;  ///< the same file once more; none: the file system cannot
  std::mutex mutex_;
  std::size_t size_ = 0;
  std::multimap<std::size_t, std::size_t> free_;  ///< places of so many bytes
};

}  // namespace coppice
