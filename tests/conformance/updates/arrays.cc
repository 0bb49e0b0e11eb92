#include "tests/conformance/updates/arrays.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "framework/nn/model.h"

namespace weft::conformance {

namespace {

// Suggested with the records.
constexpr double kValueLimit = 1e-4;

}  // namespace

std::vector<std::pair<std::string, Parameter*>> parameters_of(const Language& nlp) {
  std::vector<std::pair<std::string, Parameter*>> parameters;
  for (const NamedComponent& named : nlp.pipeline()) {
    for (const ModelPtr& root : named.component->models()) {
      const std::vector<Model*> nodes = root->walk();
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        for (const auto& parameter : nodes[i]->params()) {
          parameters.emplace_back(
              fmt::format("{}/{}/{}/{}", named.name, i, nodes[i]->name(), parameter->name),
              parameter.get());
        }
      }
    }
  }
  return parameters;
}

double norm_of(const Tensor& tensor) {
  double squares = 0;
  const float* data = tensor.data<float>();
  for (std::int64_t i = 0; i < tensor.size(); ++i) squares += double{data[i]} * data[i];
  return std::sqrt(squares);
}

double relative_error(const Tensor& expected, const Tensor& found) {
  double largest = 0, difference = 0;
  for (std::int64_t i = 0; i < expected.size(); ++i) {
    const double value = expected.data<float>()[i];
    largest = std::max(largest, std::abs(value));
    difference = std::max(difference, std::abs(value - found.data<float>()[i]));
  }
  return largest > 0 ? difference / largest : difference;
}

bool close(double found, double expected, double limit) {
  return std::abs(found - expected) <= limit * std::abs(expected);
}

std::optional<std::string> weights_fault(const Tensor& expected, const Tensor& found,
                                         double norm_limit) {
  double squares = 0, difference = 0, largest = 0;
  for (std::int64_t i = 0; i < expected.size(); ++i) {
    const double value = expected.data<float>()[i];
    const double off = std::abs(value - found.data<float>()[i]);
    squares += value * value;
    difference += off * off;
    largest = std::max(largest, off);
  }
  if (std::sqrt(difference) <= norm_limit * std::sqrt(squares) && largest <= kValueLimit) {
    return std::nullopt;
  }
  return fmt::format("off by {:.2g} of its norm, a value by {:.2g}",
                     std::sqrt(difference / squares), largest);
}

}  // namespace weft::conformance
