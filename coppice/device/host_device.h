#pragma once

/// Marks mathematics that is written once for the CPU and for GPU kernels.
#ifdef __CUDACC__
#define COPPICE_HOST_DEVICE __host__ __device__
#else
#define COPPICE_HOST_DEVICE
#endif
