#include "framework/nn/initializer.h"

#include <cmath>

#include "registry/base/error.h"

namespace weft {

namespace {

// The number at place i is drawn with counter i: it depends on the seed and its place, not on what
// was drawn before.
void fill(View array, auto&& draw) {
  float* values = array.as<float>();
  for (std::int64_t i = 0; i < array.size(); ++i) {
    values[i] = static_cast<float>(draw(static_cast<std::uint64_t>(i)));
  }
}

// An array of one dimension has no fans; Thinc fails on it too.
double limit_of(double scale, Fan fan, const Shape& shape) {
  if (shape.rank() < 2) {
    throw Error(ErrorKind::config,
                "this initializer needs two dimensions; the array has shape " + shape.str());
  }
  const std::int64_t size = fan == Fan::second ? shape[1] : shape[0] + shape[1];
  return std::sqrt(scale / static_cast<double>(size));
}

void fill_uniform(const RandomStream& random, View array, double low, double high) {
  fill(array, [&](std::uint64_t i) { return low + (high - low) * double{random.uniform(i)}; });
}

void fill_normal(const RandomStream& random, View array, double mean, double deviation) {
  fill(array, [&](std::uint64_t i) { return mean + deviation * double{random.normal(i)}; });
}

}  // namespace

Initializer zero_init() {
  return {[](const RandomStream&, View array) { fill(array, [](std::uint64_t) { return 0.0; }); }};
}

Initializer uniform_init(double low, double high) {
  return {[=](const RandomStream& random, View array) { fill_uniform(random, array, low, high); }};
}

Initializer normal_init(double mean, double deviation) {
  return {
      [=](const RandomStream& random, View array) { fill_normal(random, array, mean, deviation); }};
}

Initializer scaled_uniform_init(double scale, Fan fan) {
  return {[=](const RandomStream& random, View array) {
    const double limit = limit_of(scale, fan, array.shape);
    fill_uniform(random, array, -limit, limit);
  }};
}

Initializer scaled_normal_init(double scale, Fan fan) {
  return {[=](const RandomStream& random, View array) {
    fill_normal(random, array, 0.0, limit_of(scale, fan, array.shape));
  }};
}

Initializer glorot_uniform_init() {
  return scaled_uniform_init(6.0, Fan::first_two);
}

}  // namespace weft
