// The same value at every step. Thinc's constant.v1.
#include "framework/training/schedule.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

struct Constant {
  double rate = 0.0;
};

template <class V>
void fields(V& v, Constant& c) {
  v.required("rate", c.rate, "the value", at_least(0.0));
}

Schedule constant(const Constant& c) {
  return Schedule(c.rate);
}

const Registration registered{"constant.v1", constant, "the same value at every step"};

}  // namespace
}  // namespace weft
