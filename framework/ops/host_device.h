// Marks what kernels of a GPU call as well as the host: functions that cannot be constexpr because
// the standard library's are not.
#pragma once

#ifdef __CUDACC__
#define WEFT_HOST_DEVICE __host__ __device__
#else
#define WEFT_HOST_DEVICE
#endif
