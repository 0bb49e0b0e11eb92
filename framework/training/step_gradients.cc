#include "framework/training/step_gradients.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "framework/nn/gradient_look.h"
#include "framework/precision/element_type.h"
#include "framework/precision/unscale.h"

namespace weft {
namespace {

bool is_all_finite(std::span<const float> numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](float x) { return std::isfinite(x); });
}

// ---- on the host

// A part of the gradient of a parameter, by the place of that among all.
struct Piece {
  std::size_t parameter;
  std::span<float> wide;                  // of one in f32; else empty
  std::span<const std::uint16_t> stored;  // of one in 16 bits, of this format
  NumberFormat format = NumberFormat::f32;
  bool is_finite = true;
};
// Numbers of a piece: some microseconds.
constexpr std::size_t kNumbersOfPiece = std::size_t{1} << 14;

template <class Number, class Add>
void cut(std::span<Number> numbers, const Add& add) {
  for (std::size_t at = 0; at < numbers.size(); at += kNumbersOfPiece) {
    add(numbers.subspan(at, std::min(kNumbersOfPiece, numbers.size() - at)));
  }
}

// Appends those of parameter i, which has a gradient.
void cut_gradient(const Parameter& parameter, std::size_t i, Gradients& gradients,
                  std::vector<Piece>& pieces) {
  const ConstView kept = gradients.kept(parameter);
  if (is_low(kept.dtype)) {
    const std::span stored(kept.as<std::uint16_t>(), static_cast<std::size_t>(kept.size()));
    const NumberFormat format = format_of(kept.dtype);
    cut(stored, [&](std::span<const std::uint16_t> some) {
      pieces.push_back({i, {}, some, format});
    });
  } else {
    cut(std::span<float>(gradients.numbers(parameter)), [&](std::span<float> some) {
      pieces.push_back({i, some, {}});
    });
  }
}

// Gradients of f32 are tested and multiplied in one pass over memory; those of 16 bits are tested
// here and keep their scale as a factor.
StepGradients unscale_on_host(std::span<const NamedParameter> parameters, Gradients& gradients,
                              float factor, const TaskRunner& run) {
  StepGradients found;
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (gradients.kept(*parameters[i].parameter).size() == 0) continue;
    found.status = GradientStatus::finite;
    cut_gradient(*parameters[i].parameter, i, gradients, pieces);
  }
  run(pieces.size(), [&](std::size_t i) {
    Piece& piece = pieces[i];
    piece.is_finite = piece.stored.empty() ? check_and_unscale(piece.wide, factor)
                                           : is_all_finite(piece.format, piece.stored);
  });
  const std::string* last = nullptr;
  for (const Piece& piece : pieces) {
    const std::string& name = parameters[piece.parameter].name;
    if (piece.is_finite || &name == last) continue;
    found.bad.push_back(name);
    found.status = GradientStatus::non_finite;
    last = &name;
  }
  // In 16 bits small numbers would be lost by it: those are multiplied when they are used.
  if (is_low(gradients.type())) gradients.scale(factor);
  return found;
}

double sum_of_squares(const float* numbers, std::int64_t count) {
  double sum = 0.0;
  for (std::int64_t i = 0; i < count; ++i) sum += static_cast<double>(numbers[i]) * numbers[i];
  return sum;
}

const float* f32_of(ConstView kept, std::vector<float>& wide) {
  if (kept.dtype == DType::f32) return kept.as<float>();
  wide.resize(static_cast<std::size_t>(kept.size()));
  cast_rows(kept, View(wide.data(), DType::f32, kept.shape));
  return wide.data();
}

double squares_on_host(std::span<const NamedParameter> parameters, const Gradients& gradients) {
  double squares = 0.0;
  for (const double of_one : squares_by_parameter(parameters, gradients)) squares += of_one;
  return squares;
}

// ---- on a device

void look_at(Context& ctx, std::span<const NamedParameter> parameters, Gradients& gradients) {
  GradientLook(ctx, parameters, gradients).take();
}

bool is_looked_at(std::span<const NamedParameter> parameters, const Gradients& gradients) {
  return std::all_of(parameters.begin(), parameters.end(), [&](const NamedParameter& named) {
    return gradients.find_array(*named.parameter) == nullptr ||
           gradients.squares(*named.parameter).has_value();
  });
}

// A sum of squares of f32 numbers in f64 is finite unless one of them is not.
StepGradients unscale_on_device(Context& ctx, std::span<const NamedParameter> parameters,
                                Gradients& gradients, float factor) {
  if (!is_looked_at(parameters, gradients)) look_at(ctx, parameters, gradients);
  gradients.scale(factor);
  StepGradients result;
  for (const NamedParameter& named : parameters) {
    if (gradients.find_array(*named.parameter) == nullptr) continue;
    if (result.status == GradientStatus::none) result.status = GradientStatus::finite;
    if (!std::isfinite(*gradients.squares(*named.parameter))) result.bad.push_back(named.name);
  }
  if (!result.bad.empty()) result.status = GradientStatus::non_finite;
  return result;
}

// Sums of squares as they are remembered; a look where one is not.
double sum_on_device(Context& ctx, std::span<const NamedParameter> parameters,
                     Gradients& gradients) {
  double sum = 0.0;
  for (const NamedParameter& named : parameters) {
    if (gradients.find_array(*named.parameter) == nullptr) continue;
    if (!gradients.squares(*named.parameter)) look_at(ctx, parameters, gradients);
    sum += *gradients.squares(*named.parameter);
  }
  const double factor = gradients.factor();
  return factor * factor * sum;
}

}  // namespace

std::vector<double> squares_by_block(const Parameter& parameter, ArrayPart part,
                                     const Gradients& gradients) {
  const std::int64_t length = block_length(parameter.value.shape());
  std::vector<double> sums(static_cast<std::size_t>(count_blocks(part.size(), length)), 0.0);
  const ConstView kept = gradients.kept(parameter);
  if (kept.size() == 0) return sums;
  std::vector<float> wide;
  const float* numbers = f32_of(kept, wide);
  const auto add = [&](std::int64_t at, const float* from, std::int64_t count) {
    sums[static_cast<std::size_t>((at - part.begin) / length)] += sum_of_squares(from, count);
  };
  if (const RowGradient* rows = gradients.find_rows(parameter)) {
    for (const std::int32_t row : rows->rows()) {
      const std::int64_t at = row * kept.cols();
      if (at >= part.begin && at < part.end) add(at, numbers, kept.cols());
      numbers += kept.cols();
    }
  } else {
    for (std::int64_t at = part.begin; at < part.end; at += length) {
      add(at, numbers + at, std::min(length, part.end - at));
    }
  }
  // The factor is taken out of the sums and applied once, squared, in f64.
  const double factor = kept.dtype == DType::f32 ? 1.0 : gradients.factor();
  for (double& sum : sums) sum *= factor * factor;
  return sums;
}

std::vector<double> squares_by_parameter(std::span<const NamedParameter> parameters,
                                         const Gradients& gradients) {
  std::vector<double> squares;
  for (const NamedParameter& named : parameters) {
    const ArrayPart whole{0, named.parameter->value.size()};
    const std::vector<double> blocks = squares_by_block(*named.parameter, whole, gradients);
    squares.push_back(std::accumulate(blocks.begin(), blocks.end(), 0.0));
  }
  return squares;
}

std::vector<double> squares_on_device(Context& ctx, std::span<const NormArray> arrays) {
  if (arrays.empty()) return {};
  const Tensor squares = queue_norms(ctx, arrays);
  ctx.stream().synchronize();
  return {squares.data<double>(), squares.data<double>() + squares.size()};
}

StepGradients unscale(Context& ctx, std::span<const NamedParameter> parameters,
                      Gradients& gradients, float factor, const TaskRunner& run) {
  return gradients.on_device() ? unscale_on_device(ctx, parameters, gradients, factor)
                               : unscale_on_host(parameters, gradients, factor, run);
}

double common_norm(Context& ctx, std::span<const NamedParameter> parameters, Gradients& gradients) {
  return std::sqrt(gradients.on_device() ? sum_on_device(ctx, parameters, gradients)
                                         : squares_on_host(parameters, gradients));
}

void clip_together(Context& ctx, std::span<const NamedParameter> parameters, Gradients& gradients,
                   double most) {
  if (most == 0.0) return;
  // A norm that is not finite is left to the optimizer, which refuses the gradient by its name.
  const double norm = common_norm(ctx, parameters, gradients);
  if (std::isfinite(norm)) gradients.scale(clip_coefficient(norm, most));
}

bool GradientHooks::call(std::span<const NamedParameter> parameters, Gradients& gradients) const {
  if (hooks_.empty()) return true;
  Gradients there = gradients.on_device() ? gradients.on_host() : Gradients();
  Gradients& seen = gradients.on_device() ? there : gradients;
  for (const GradientHook& hook : hooks_) hook(parameters, seen);
  const bool finite = std::all_of(
      parameters.begin(), parameters.end(),
      [&](const NamedParameter& named) { return is_all_finite(seen.numbers(*named.parameter)); });
  if (gradients.on_device()) gradients.take(there);
  return finite;
}

}  // namespace weft
