#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

struct CUstream_st;
struct CUgraphExec_st;

// What the program needs of CUDA's runtime, as objects that clean up after themselves and fail with an Error.
namespace coppice::cuda {

/// Fails with one sentence if `code` (a cudaError_t) is not success.
void check(int code, const char* doing);

/// After a launch.
void check_launch(const char* kernel);

/// What this thread does as long as it lives, it does on that GPU. What was made there is used there.
class GpuScope {
 public:
  explicit GpuScope(std::size_t gpu);
  ~GpuScope();
  GpuScope(const GpuScope&) = delete;
  GpuScope& operator=(const GpuScope&) = delete;

 private:
  int before_ = 0;
};
std::size_t current_gpu();

/// Calls `action` once for each GPU that asks, of the first so many, and fails if it ever did.
class OncePerGpu {
 public:
  template <class Action>
  void operator()(const char* doing, Action action) {
    const std::size_t gpu = current_gpu();
    if (gpu >= most) return check(action(), doing);
    std::call_once(done_[gpu], [&] { results_[gpu] = action(); });
    check(results_[gpu], doing);
  }

 private:
  static constexpr std::size_t most = 64;
  std::array<std::once_flag, most> done_;
  std::array<int, most> results_{};
};

/// Work in order; streams are independent of each other.
class Stream {
 public:
  Stream();
  CUstream_st* get() const { return stream_.get(); }
  void wait() const;
  /// What is enqueued here from now on waits for what is enqueued there so far.
  void after(const Stream& other) const;
  /// Whether the kernel launched next may begin before the one before it ends (launch.cuh). The first one after
  /// another stream's may not.
  bool may_overlap() const;

 private:
  struct Destroy {
    void operator()(CUstream_st* stream) const;
  };
  std::unique_ptr<CUstream_st, Destroy> stream_;
  mutable bool joined_ = false;
};

/// The first figure of the GPU's compute capability: 9 for Hopper.
int gpu_generation();

/// Launches recorded once and launched again as a whole.
class Graph {
 public:
  Graph() = default;
  Graph(const Stream& stream, const std::function<void()>& enqueue);
  void launch(const Stream& stream) const;
  explicit operator bool() const { return graph_ != nullptr; }

 private:
  struct Destroy {
    void operator()(CUgraphExec_st* graph) const;
  };
  std::unique_ptr<CUgraphExec_st, Destroy> graph_;
};

void* allocate_device(std::size_t bytes);  ///< zeroed
void* allocate_pinned(std::size_t bytes);  ///< zeroed
void free_device(void* memory);
void free_pinned(void* memory);
/// Between any memories; returns at once if the host's is pinned.
void copy(void* to, const void* from, std::size_t bytes, const Stream& stream);
void copy_rows(void* to, std::size_t to_stride, const void* from, std::size_t from_stride, std::size_t width,
               std::size_t rows, const Stream& stream);
/// Sets every byte.
void fill(void* memory, int byte, std::size_t bytes, const Stream& stream);
std::size_t free_memory();

template <class T, void* (*Allocate)(std::size_t), void (*Free)(void*)>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t size) : size_(size), memory_(static_cast<T*>(Allocate(size * sizeof(T)))) {}
  T* data() const { return memory_.get(); }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }
  T& operator[](std::size_t i) const { return memory_.get()[i]; }

 private:
  struct Destroy {
    void operator()(T* memory) const { Free(memory); }
  };
  std::size_t size_ = 0;
  std::unique_ptr<T, Destroy> memory_;
};

/// Zeroed memory of the GPU; host code copies, never touches.
template <class T>
using Array = Buffer<T, allocate_device, free_device>;
/// Host memory that the GPU reads and writes while the host goes on.
template <class T>
using Pinned = Buffer<T, allocate_pinned, free_pinned>;

template <class T>
Array<T> uploaded(std::span<const T> values, const Stream& stream) {
  Array<T> array(values.size());
  copy(array.data(), values.data(), array.bytes(), stream);
  stream.wait();
  return array;
}

template <class T>
std::vector<T> downloaded(const T* from, std::size_t count, const Stream& stream) {
  std::vector<T> values(count);
  copy(values.data(), from, count * sizeof(T), stream);
  stream.wait();
  return values;
}

}  // namespace coppice::cuda
