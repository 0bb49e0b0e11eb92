// Activations. The value and the derivative of one element stand here, for host and device.
#pragma once

#include <cmath>
#include <string_view>

#include "framework/ops/host_device.h"
#include "framework/ops/kernel.h"

namespace weft {

// An activation f gives f(x) and, from x and y = f(x), f'(x).
struct Relu {
  WEFT_HOST_DEVICE static float value(float x) { return x > 0.0F ? x : 0.0F; }
  WEFT_HOST_DEVICE static float slope(float x, float) { return x > 0.0F ? 1.0F : 0.0F; }
};

// Misra (2019), x tanh(log(1 + e^x)); x itself from 20 on, where tanh rounds to 1.
struct Mish {
  static constexpr float kLinearFrom = 20.0F;
  WEFT_HOST_DEVICE static float value(float x) {
    if (x >= kLinearFrom) return x;
    const float square = (1.0F + std::exp(x)) * (1.0F + std::exp(x));
    return x * (square - 1.0F) / (square + 1.0F);
  }
  WEFT_HOST_DEVICE static float slope(float x, float) {
    if (x >= kLinearFrom) return 1.0F;
    const float e = std::exp(x);
    const float square = (1.0F + e) * (1.0F + e);
    const float tanh = (square - 1.0F) / (square + 1.0F);
    return tanh + x * (1.0F - tanh * tanh) * e / (1.0F + e);
  }
};

struct Sigmoid {
  WEFT_HOST_DEVICE static float value(float x) { return 1.0F / (1.0F + std::exp(-x)); }
  WEFT_HOST_DEVICE static float slope(float, float y) { return y * (1.0F - y); }
};

struct Swish {
  WEFT_HOST_DEVICE static float value(float x) { return x * Sigmoid::value(x); }
  WEFT_HOST_DEVICE static float slope(float x, float y) {
    return y + Sigmoid::value(x) * (1.0F - y);
  }
};

struct Gelu {  // exact, by the error function
  static constexpr float kRootOfHalf = 0.70710678F, kDensityAtZero = 0.39894228F;  // 1 / sqrt(2 pi)
  WEFT_HOST_DEVICE static float value(float x) {
    return x * 0.5F * (1.0F + std::erf(x * kRootOfHalf));
  }
  WEFT_HOST_DEVICE static float slope(float x, float) {
    const float density = kDensityAtZero * std::exp(-0.5F * x * x);
    return 0.5F * (1.0F + std::erf(x * kRootOfHalf)) + x * density;
  }
};

// As Sigmoid, of x no smaller than -20 and no larger than 20; the slope does not see the clip.
struct Logistic {
  static constexpr float kMost = 20.0F;
  WEFT_HOST_DEVICE static float value(float x) {
    return Sigmoid::value(x > kMost ? kMost : (x < -kMost ? -kMost : x));
  }
  WEFT_HOST_DEVICE static float slope(float, float y) { return y * (1.0F - y); }
};

enum class Activation : unsigned char { relu, mish, sigmoid, swish, gelu, logistic };

// Calls `run` with the activation as a type.
template <class Run>
void with_activation(Activation activation, Run run) {
  switch (activation) {
    case Activation::relu:
      return run(Relu());
    case Activation::mish:
      return run(Mish());
    case Activation::sigmoid:
      return run(Sigmoid());
    case Activation::swish:
      return run(Swish());
    case Activation::gelu:
      return run(Gelu());
    case Activation::logistic:
      return run(Logistic());
  }
}

// y = f(x), element by element.
struct ActivationForward {
  static constexpr std::string_view name = "activation_forward";
  static constexpr Category category = Category::any;
  using Fn = void(Stream&, Activation activation, ConstView x, View y);
};

// dx = dy f'(x), with y = f(x).
struct ActivationBackward {
  static constexpr std::string_view name = "activation_backward";
  static constexpr Category category = Category::any;
  using Fn = void(Stream&, Activation activation, ConstView dy, ConstView x, ConstView y, View dx);
};

}  // namespace weft
