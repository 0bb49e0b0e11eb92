#include "framework/ops/product_format.h"

#include <utility>

namespace weft {
namespace {

thread_local NumberFormat inputs = NumberFormat::f32;

}  // namespace

NumberFormat product_inputs() {
  return inputs;
}

ProductInputs::ProductInputs(NumberFormat format) : saved_(std::exchange(inputs, format)) {}

ProductInputs::~ProductInputs() {
  inputs = saved_;
}

}  // namespace weft
