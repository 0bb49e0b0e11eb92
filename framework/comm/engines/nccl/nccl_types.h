// The words of NCCL for those of weft.
#pragma once

#include <nccl.h>

#include "framework/comm/engine.h"
#include "registry/base/error.h"

namespace weft {

inline ncclDataType_t nccl_type(DType type) {
  switch (type) {
    case DType::f32:
      return ncclFloat32;
    case DType::f64:
      return ncclFloat64;
    case DType::i32:
      return ncclInt32;
    case DType::i64:
      return ncclInt64;
    case DType::u64:
      return ncclUint64;
    default:
      throw Error(ErrorKind::internal, "elements of this type are not reduced");
  }
}

inline ncclRedOp_t nccl_op(ReduceOp op) {
  return op == ReduceOp::sum ? ncclSum : ncclMax;
}

}  // namespace weft
