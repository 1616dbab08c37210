#include "coppice/device/cuda/runtime.h"

#include "coppice/core/fail.h"
#include "coppice/device/gpu.h"

#include <algorithm>
#include <cuda_runtime_api.h>
#include <string>
#include <utility>

namespace coppice {

namespace {

constexpr int oldest_major = 8;  // asynchronous copies and tf32 products came with Ampere

std::string reason_of(cudaError_t error) {
  switch (error) {
    case cudaErrorNoDevice:
      return "no NVIDIA GPU is visible";
    case cudaErrorInsufficientDriver:
    case cudaErrorCallRequiresNewerDriver:
      return "the NVIDIA driver is missing or too old for this build";
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorUnsupportedPtxVersion:
      return "this build has no code for the GPU, or its driver is too old";
    case cudaErrorMemoryAllocation:
      return "the GPU's memory does not suffice; train fewer nets at once, free memory that other programs "
             "hold, or use `device` cpu";
    default:
      return fmt::format("CUDA says: {}", cudaGetErrorString(error));
  }
}

}  // namespace

namespace {

GpuStatus status_of(std::size_t gpu) {
  int devices = 0;
  cudaError_t error = cudaGetDeviceCount(&devices);
  if (error == cudaSuccess && devices == 0) error = cudaErrorNoDevice;
  if (error != cudaSuccess) return {.usable = false, .text = reason_of(error)};
  if (gpu >= static_cast<std::size_t>(devices))
    return {.usable = false,
            .text = fmt::format("there is no GPU {}; those that are visible are 0 to {}", gpu, devices - 1)};
  cudaDeviceProp properties{};
  error = cudaGetDeviceProperties(&properties, static_cast<int>(gpu));
  if (error != cudaSuccess) return {.usable = false, .text = reason_of(error)};
  const cuda::GpuScope here(gpu);
  error = cudaFree(nullptr);  // makes the context: whatever fails, fails here
  if (error != cudaSuccess) return {.usable = false, .text = reason_of(error)};
  if (properties.major < oldest_major) {
    return {.usable = false,
            .text = fmt::format("{} is too old a GPU; Ampere (compute capability 8.0) or newer is needed",
                                properties.name)};
  }
  return {.usable = true, .text = properties.name};
}

}  // namespace

GpuStatus gpu_status(std::span<const std::size_t> gpus) {
  GpuStatus first = status_of(gpus.empty() ? 0 : gpus.front());
  for (const std::size_t gpu : gpus) {
    GpuStatus status = status_of(gpu);
    if (!first.usable || !status.usable) return first.usable ? status : first;
    if (status.text == first.text) continue;
    return {.usable = false,
            .text = fmt::format("GPU {} is {} and GPU {} is {}, which may round in another way", gpus.front(),
                                first.text, gpu, status.text)};
  }
  return first;
}

std::vector<std::string> gpu_names() {
  int devices = 0;
  std::vector<std::string> names;
  if (cudaGetDeviceCount(&devices) != cudaSuccess) {
    cudaGetLastError();
    return names;
  }
  for (int gpu = 0; gpu < devices; ++gpu) {
    cudaDeviceProp properties{};
    names.emplace_back(cudaGetDeviceProperties(&properties, gpu) == cudaSuccess ? properties.name : "?");
  }
  return names;
}

namespace cuda {

GpuScope::GpuScope(std::size_t gpu) {
  cudaGetDevice(&before_);
  cudaSetDevice(static_cast<int>(gpu));
}

GpuScope::~GpuScope() {
  cudaSetDevice(before_);
}

std::size_t current_gpu() {
  int gpu = 0;
  check(cudaGetDevice(&gpu), "asking which it is");
  return static_cast<std::size_t>(gpu);
}

void check(int code, const char* doing) {
  const auto error = static_cast<cudaError_t>(code);
  if (error == cudaSuccess) return;
  cudaGetLastError();  // or the next launch would report it again
  const std::string sentence = fmt::format("GPU, {}: {}", doing, reason_of(error));
  if (error == cudaErrorMemoryAllocation) throw GpuOutOfMemory(sentence);
  throw Error(sentence);
}

void check_launch(const char* kernel) {
  check(cudaGetLastError(), kernel);
}

Stream::Stream() {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "creating a stream");
  stream_.reset(stream);
}

void Stream::Destroy::operator()(CUstream_st* stream) const {
  cudaStreamDestroy(stream);
}

void Stream::wait() const {
  check(cudaStreamSynchronize(get()), "computing");
}

void Stream::after(const Stream& other) const {
  cudaEvent_t event = nullptr;
  check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "creating an event");
  const cudaError_t recorded = cudaEventRecord(event, other.get());
  const cudaError_t waiting = cudaStreamWaitEvent(get(), event, 0);
  cudaEventDestroy(event);
  check(recorded, "recording an event");
  check(waiting, "waiting for an event");
  joined_ = true;
}

bool Stream::may_overlap() const {
  return !std::exchange(joined_, false) && gpu_generation() >= 9;
}

int gpu_generation() {
  static const int generation = [] {
    int device = 0;
    int major = 0;
    check(cudaGetDevice(&device), "asking for its kind");
    check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), "asking for its kind");
    return major;
  }();
  return generation;
}

Graph::Graph(const Stream& stream, const std::function<void()>& enqueue) {
  cudaGraph_t graph = nullptr;
  check(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeThreadLocal), "recording launches");
  try {
    enqueue();
  } catch (...) {
    cudaStreamEndCapture(stream.get(), &graph);
    if (graph != nullptr) cudaGraphDestroy(graph);
    throw;
  }
  check(cudaStreamEndCapture(stream.get(), &graph), "recording launches");
  cudaGraphExec_t executable = nullptr;
  const cudaError_t error = cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphDestroy(graph);
  check(error, "preparing launches");
  graph_.reset(executable);
}

void Graph::Destroy::operator()(CUgraphExec_st* graph) const {
  cudaGraphExecDestroy(graph);
}

void Graph::launch(const Stream& stream) const {
  check(cudaGraphLaunch(graph_.get(), stream.get()), "launching");
}

void* allocate_device(std::size_t bytes) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, std::max<std::size_t>(bytes, 1)), "allocating memory");
  check(cudaMemset(memory, 0, bytes), "clearing memory");
  check(cudaStreamSynchronize(nullptr), "clearing memory");
  return memory;
}

void* allocate_pinned(std::size_t bytes) {
  void* memory = nullptr;
  const cudaError_t error = cudaMallocHost(&memory, std::max<std::size_t>(bytes, 1));
  if (error == cudaErrorMemoryAllocation) {
    fail(
        "GPU: this computer's memory does not suffice for what is exchanged with it; train fewer nets at "
        "once");
  }
  check(error, "allocating host memory");
  std::fill_n(static_cast<unsigned char*>(memory), bytes, 0);
  return memory;
}

void free_device(void* memory) {
  cudaFree(memory);
}

void free_pinned(void* memory) {
  cudaFreeHost(memory);
}

void copy(void* to, const void* from, std::size_t bytes, const Stream& stream) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream.get()), "copying");
}

void copy_rows(void* to, std::size_t to_stride, const void* from, std::size_t from_stride, std::size_t width,
               std::size_t rows, const Stream& stream) {
  if (width == 0 || rows == 0) return;
  check(cudaMemcpy2DAsync(to, to_stride, from, from_stride, width, rows, cudaMemcpyDefault, stream.get()),
        "copying");
}

void fill(void* memory, int byte, std::size_t bytes, const Stream& stream) {
  check(cudaMemsetAsync(memory, byte, bytes, stream.get()), "clearing memory");
}

std::size_t free_memory() {
  std::size_t free = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&free, &total), "asking for free memory");
  return free;
}

}  // namespace cuda

}  // namespace coppice
