// What processors lose when all of them work: loops that need one part of a processor each, on one process per named processor, begun together.
// x86-64 with AVX-512 and Linux alone, so it is no part of the build:
//
//     g++ -O2 -std=c++20 benchmarks/scale/loops.cpp -o /tmp/loops && /tmp/loops gather 0.5 0,1,2,3
//
// usage: loops KIND SECONDS CPU,CPU,...
// Prints for each process GFLOP/s (fma: registers alone; amx: tiles alone) or GB/s: l2 and memory: 768 kB or 160 MB again and again; gather and
// gather-bytes: 50,000 images of 784 floats or bytes, in any order. Or millions of loads in a second, each of which waits for the one before:
// chase-l2, chase-l3, chase-memory, over 1, 24 and 160 MB.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <immintrin.h>
#include <numeric>
#include <random>
#include <sched.h>
#include <string>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

volatile float sink;  // so that nothing is left out

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

__attribute__((target("avx512f"))) double fma(std::size_t n) {
  __m512 sums[12];
  for (int k = 0; k < 12; ++k) sums[k] = _mm512_set1_ps(static_cast<float>(k));
  const __m512 factor = _mm512_set1_ps(0.999F);
  for (std::size_t i = 0; i < n; ++i) {
#pragma GCC unroll 12
    for (int k = 0; k < 12; ++k) sums[k] = _mm512_fmadd_ps(sums[k], factor, factor);
  }
  for (int k = 0; k < 12; ++k) sink = sink + _mm512_reduce_add_ps(sums[k]);
  return static_cast<double>(n) * 12 * 32 / 1e9;
}

/// Tiles are asked of the system once; a processor without them ends the process.
__attribute__((target("amx-tile,amx-bf16"))) double amx(std::size_t n) {
  struct alignas(64) {
    std::uint8_t palette = 1;
    std::uint8_t start = 0;
    std::uint8_t reserved[14] = {};
    std::uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64};
    std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16};
  } const tiles;
  constexpr long request_permission = 0x1023;
  constexpr long tile_data = 18;
  static const long refused = syscall(SYS_arch_prctl, request_permission, tile_data);
  if (refused != 0) _exit(1);
  _tile_loadconfig(&tiles);
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  _tile_zero(4);
  _tile_zero(5);
  for (std::size_t i = 0; i < n; ++i) {
    _tile_dpbf16ps(0, 4, 5);
    _tile_dpbf16ps(1, 4, 5);
    _tile_dpbf16ps(2, 4, 5);
    _tile_dpbf16ps(3, 4, 5);
  }
  _tile_release();
  return static_cast<double>(n) * 4 * 16 * 16 * 32 * 2 / 1e9;
}

/// `next` is a ring of cache lines in no order that could be foreseen.
double chase(const char* next, std::size_t n) {
  std::uint32_t at = 0;
  for (std::size_t i = 0; i < n; ++i) std::memcpy(&at, next + 64 * std::size_t{at}, sizeof at);
  sink = static_cast<float>(at);
  return static_cast<double>(n) / 1e6;
}

void make_ring(char* data, std::size_t bytes) {
  std::vector<std::uint32_t> order(bytes / 64);
  std::iota(order.begin(), order.end(), 0U);
  std::shuffle(order.begin(), order.end(), std::minstd_rand(1));
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::uint32_t after = order[(i + 1) % order.size()];
    std::memcpy(data + 64 * std::size_t{order[i]}, &after, sizeof after);
  }
}

__attribute__((target("avx512f"))) double stream(const char* data, std::size_t bytes) {
  __m512 sums[8] = {};
  for (std::size_t i = 0; i + 512 <= bytes; i += 512) {
#pragma GCC unroll 8
    for (int k = 0; k < 8; ++k) sums[k] = _mm512_add_ps(sums[k], _mm512_loadu_ps(data + i + 64 * k));
  }
  for (int k = 0; k < 8; ++k) sink = sink + _mm512_reduce_add_ps(sums[k]);
  return static_cast<double>(bytes) / 1e9;
}

template <std::size_t Bytes>
double gather(const char* data, char* to, std::size_t n) {
  static std::uint64_t x = 88172645463325252ULL;
  for (std::size_t i = 0; i < n; ++i) {
    x ^= x << 13U;
    x ^= x >> 7U;
    x ^= x << 17U;
    std::memcpy(to + i % 64 * Bytes, data + x % 50'000 * Bytes, Bytes);
  }
  sink = to[5];
  return static_cast<double>(n * Bytes) / 1e9;
}

/// For so many seconds, once `go` is set: how much in a second.
double measure(const std::string& kind, double seconds, std::atomic<int>& ready, const std::atomic<int>& go) {
  constexpr std::size_t huge_page = std::size_t{2} << 20U;
  const std::size_t bytes = kind == "l2"         ? 768U << 10U
                            : kind == "chase-l2" ? 1U << 20U
                            : kind == "chase-l3" ? 12 * huge_page
                                                 : 80 * huge_page;
  char* data =
      static_cast<char*>(std::aligned_alloc(huge_page, (bytes + huge_page - 1) / huge_page * huge_page));
  madvise(data, bytes, MADV_HUGEPAGE);
  std::memset(data, 0, bytes);
  if (kind.starts_with("chase")) make_ring(data, bytes);
  std::vector<char> to(64 * 3136);
  const auto some = [&] {
    if (kind == "fma") return fma(20'000);
    if (kind == "amx") return amx(20'000);
    if (kind.starts_with("chase")) return chase(data, 100'000);
    if (kind == "gather") return gather<3136>(data, to.data(), 2'000);
    if (kind == "gather-bytes") return gather<784>(data, to.data(), 8'000);
    return stream(data, bytes);
  };
  some();
  ++ready;
  while (go == 0) usleep(100);
  const double begin = now();
  double done = 0;
  while (now() - begin < seconds) done += some();
  return done / (now() - begin);
}

struct Shared {
  std::atomic<int> ready;
  std::atomic<int> go;
  double rates[1024];
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  std::vector<int> cpus;
  for (char* word = std::strtok(argv[3], ","); word != nullptr; word = std::strtok(nullptr, ","))
    cpus.push_back(std::atoi(word));
  auto* shared = static_cast<Shared*>(
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  for (std::size_t p = 0; p < cpus.size(); ++p) {
    if (fork() != 0) continue;
    cpu_set_t own;
    CPU_ZERO(&own);
    CPU_SET(cpus[p], &own);
    sched_setaffinity(0, sizeof own, &own);
    shared->rates[p] = measure(argv[1], std::atof(argv[2]), shared->ready, shared->go);
    _exit(0);
  }
  while (shared->ready < static_cast<int>(cpus.size())) {
    usleep(100);
    if (waitpid(-1, nullptr, WNOHANG) > 0) return 1;  // a processor without AVX-512
  }
  shared->go = 1;
  while (wait(nullptr) > 0) {
  }
  for (std::size_t p = 0; p < cpus.size(); ++p) std::printf("%.4g ", shared->rates[p]);
  std::printf("\n");
}
