// Parameters by the names of the records, and how far arrays are apart.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "framework/nn/parameter.h"
#include "framework/pipeline/language.h"
#include "framework/tensor/tensor.h"

namespace weft::conformance {

// Those of all components: component/node/name/parameter.
std::vector<std::pair<std::string, Parameter*>> parameters_of(const Language& nlp);

// Euclidean.
double norm_of(const Tensor& tensor);
// max |found - expected| / max |expected|.
double relative_error(const Tensor& expected, const Tensor& found);
bool close(double found, double expected, double limit);

// The fault of the weights after a step of an optimizer: none where they are within
// `norm_limit` of their norm and each number within 1e-4.
std::optional<std::string> weights_fault(const Tensor& expected, const Tensor& found,
                                         double norm_limit);

}  // namespace weft::conformance
