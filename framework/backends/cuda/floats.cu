#include <string>

#include "framework/backends/cuda/floats.h"
#include "framework/backends/cuda/queue_watch.h"
#include "registry/base/error.h"

namespace weft::cuda {

namespace {

View writable(ConstView view) {
  return {const_cast<void*>(view.data), view.dtype, view.shape, view.stride};
}

}  // namespace

F32 f32(View view) {
  if (view.dtype != DType::f32) {
    throw Error(ErrorKind::internal,
                "a kernel for f32 numbers was given " + std::string(name_of(view.dtype)));
  }
  if (view.size() > 0) check_lies_on_device(view.data);
  return {static_cast<float*>(view.data), view.row_stride()};
}

ConstF32 f32(ConstView view) {
  const F32 numbers = f32(writable(view));
  return {numbers.data, numbers.stride};
}

Floats floats(View view) {
  const bool fits =
      view.dtype == DType::f32 || view.dtype == DType::f16 || view.dtype == DType::bf16;
  if (!fits) {
    throw Error(ErrorKind::internal,
                "a kernel for floating numbers was given " + std::string(name_of(view.dtype)));
  }
  if (view.size() > 0) check_lies_on_device(view.data);
  return {view.data, view.row_stride(), view.dtype};
}

Floats floats(ConstView view) {
  return floats(writable(view));
}

Floats repeated_row(ConstView view) {
  Floats row = floats(view);
  row.stride = 0;
  return row;
}

}  // namespace weft::cuda
