// Memory of the fast fuzzers, which have no AddressSanitizer: the end of a block is looked at when it is freed, and what it holds
// afterwards when it is given out again. Writing past an end, freeing twice or with another size and writing to what was freed end the
// process; reading past an end does not. It takes less time than malloc.
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>

namespace {

constexpr std::uint64_t in_use = 0x5AFE'B10C'0000'0000U;
constexpr std::uint64_t is_free = 0xDEAD'B10C'0000'0000U;
constexpr std::uint64_t behind = 0xE4D0'F0B1'0C4E'4D5AU;
constexpr std::size_t most_filled = 64;  // bytes that a freed block loses
constexpr std::array<char, most_filled> nothing = [] {
  std::array<char, most_filled> bytes{};
  bytes.fill('\xDD');
  return bytes;
}();
constexpr std::size_t kinds = 20;  // blocks of 16, 32, 64... bytes; larger ones are left to malloc

struct Head {
  std::uint64_t state;  // and which kind
  std::size_t size;
};
static_assert(sizeof(Head) == 16);

thread_local std::array<Head*, kinds> free_blocks{};

/// The next free block is noted behind the bytes that must stay as they are.
Head*& next_of(Head* head) {
  return *reinterpret_cast<Head**>(head + 1);
}

[[noreturn]] void broken(const char* what) {
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

std::size_t kind_of(std::size_t size) {
  return static_cast<std::size_t>(std::bit_width((std::max<std::size_t>(size, 16) - 1) >> 3U)) - 1;
}

/// Where nothing stands in a free block: behind the note of the next one.
std::span<char> emptied(Head* head) {
  const std::size_t end = std::min(head->size, most_filled);
  return {reinterpret_cast<char*>(head + 1) + sizeof(Head*), end < sizeof(Head*) ? 0 : end - sizeof(Head*)};
}

void* take(std::size_t size) {
  const std::size_t kind = kind_of(size + sizeof behind);
  Head* head = kind < kinds ? free_blocks[kind] : nullptr;
  if (head != nullptr) {
    const std::span<char> empty = emptied(head);
    if (head->state != (is_free | kind) || std::memcmp(empty.data(), nothing.data(), empty.size()) != 0)
      broken("what was freed is not written to");
    free_blocks[kind] = next_of(head);
  } else {
    if (size > PTRDIFF_MAX / 2) throw std::bad_alloc();
    const std::size_t room = kind < kinds ? std::size_t{16} << kind : size + sizeof behind;
    head = static_cast<Head*>(std::malloc(sizeof(Head) + room));
    if (head == nullptr) throw std::bad_alloc();
  }
  head->state = in_use | kind;
  head->size = size;
  auto* bytes = reinterpret_cast<char*>(head + 1);
  std::memcpy(bytes + size, &behind, sizeof behind);
  return bytes;
}

void give_back(void* bytes) {
  if (bytes == nullptr) return;
  Head* head = static_cast<Head*>(bytes) - 1;
  const std::uint64_t kind = head->state & 0xFFU;
  if (head->state != (in_use | kind)) broken("what is freed was in use");
  if (std::memcmp(static_cast<char*>(bytes) + head->size, &behind, sizeof behind) != 0)
    broken("nothing is written past the end of a block");
  head->state = is_free | kind;
  const std::span<char> empty = emptied(head);
  std::memcpy(empty.data(), nothing.data(), empty.size());
  if (kind >= kinds) {
    std::free(head);
    return;
  }
  next_of(head) = free_blocks[kind];
  free_blocks[kind] = head;
}

void give_back(void* bytes, std::size_t size) {
  if (bytes != nullptr && (static_cast<Head*>(bytes) - 1)->size != size)
    broken("a block is freed with its size");
  give_back(bytes);
}

}  // namespace

void* operator new(std::size_t size) {
  return take(size);
}
void* operator new[](std::size_t size) {
  return take(size);
}
void operator delete(void* bytes) noexcept {
  give_back(bytes);
}
void operator delete[](void* bytes) noexcept {
  give_back(bytes);
}
void operator delete(void* bytes, std::size_t size) noexcept {
  give_back(bytes, size);
}
void operator delete[](void* bytes, std::size_t size) noexcept {
  give_back(bytes, size);
}
