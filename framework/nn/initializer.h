// Fills a fresh parameter. Named by `@initializers`.
#pragma once

#include <functional>
#include <string_view>

#include "framework/ops/random.h"
#include "framework/tensor/view.h"
#include "registry/base/export.h"
#include "registry/functions/type.h"

namespace weft {

// Takes an f32 array on the host; the distribution may depend on its shape. The distributions are
// those of the reference, the random numbers are not.
struct Initializer {
  std::function<void(const RandomStream& random, View array)> fill;
};

template <>
struct ProductTraits<Initializer> {
  static constexpr std::string_view kind = "initializers", name = "initializer";
  static constexpr bool callable = true;
};

WEFT_API Initializer zero_init();
WEFT_API Initializer uniform_init(double low, double high);
WEFT_API Initializer normal_init(double mean, double deviation);

// uniform(-a, a) and normal(0, a) with a^2 = scale / fan, where the fan is the sum of the first two
// dimensions (glorot) or the second one (he, lecun). Thinc takes these dimensions whatever they
// mean.
enum class Fan { first_two, second };
WEFT_API Initializer scaled_uniform_init(double scale, Fan fan);
WEFT_API Initializer scaled_normal_init(double scale, Fan fan);
WEFT_API Initializer glorot_uniform_init();  // the default of layers

}  // namespace weft
