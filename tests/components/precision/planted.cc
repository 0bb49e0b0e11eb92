#include "tests/components/precision/planted.h"

#include "framework/precision/element_type.h"

namespace weft::testing {

float PlantedRun::cast(const Tensor& tensor) {
  return cast_to(DType::f32, tensor).data<float>()[0];
}

}  // namespace weft::testing
