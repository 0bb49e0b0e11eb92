#include "framework/nn/model_limits.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "registry/base/error.h"

namespace weft {
namespace {

constexpr std::int64_t kMostParameters = std::int64_t{1} << 25;
constexpr std::int64_t kNoLimit = std::int64_t{1} << 48;  // more than any machine has

// left · right, or limit + 1 where that is more than the limit.
std::int64_t product_within(std::int64_t left, std::int64_t right, std::int64_t limit) {
  if (left == 0 || right == 0) return 0;
  return left > limit / right ? limit + 1 : left * right;
}

// Axes that are not known yet count as one.
std::int64_t size_of(const Model& layer, const Parameter& parameter, std::int64_t limit) {
  if (parameter.value) return std::min(parameter.value.size(), limit + 1);
  if (parameter.axes.empty()) return 0;
  std::int64_t size = 1;
  for (const std::string& axis : parameter.axes) {
    const std::int64_t length = axis == "1" ? 1 : layer.find_dim(axis).value_or(1);
    size = product_within(size, length, limit);
  }
  return size;
}

}  // namespace

std::int64_t most_parameters() {
  const char* variable = std::getenv("WEFT_MAX_PARAMETERS");
  if (variable == nullptr || *variable == '\0') return kMostParameters;
  std::int64_t most = 0;
  const char* end = variable + std::strlen(variable);
  const auto [stop, error] = std::from_chars(variable, end, most);
  if (error == std::errc() && stop == end && most > 0) return std::min(most, kNoLimit);
  throw Error(ErrorKind::usage,
              fmt::format("WEFT_MAX_PARAMETERS is '{}', not a positive number", variable));
}

std::int64_t count_parameters(const Model& model, std::int64_t limit) {
  std::int64_t sum = 0;
  for (const Model* layer : model.walk()) {
    for (const auto& parameter : layer->params()) {
      sum = std::min(limit + 1, sum + size_of(*layer, *parameter, limit));
    }
  }
  return sum;
}

}  // namespace weft
