#include "framework/ops/pass_state.h"

#include "registry/base/error.h"

namespace weft {

Gradients& PassState::gradients() const {
  if (gradients_ == nullptr) throw Error(ErrorKind::internal, "gradients outside a training pass");
  return *gradients_;
}

MaskSource& PassState::masks() const {
  if (masks_ == nullptr) throw Error(ErrorKind::internal, "dropout outside a training pass");
  return *masks_;
}

}  // namespace weft
