// What is said of a step whose loss, gradient or outcome is no number.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "framework/nn/parameter.h"
#include "framework/pipeline/component.h"
#include "framework/training/optimizer.h"
#include "framework/training/trained_parameters.h"

namespace weft {

// The first parameter, in the order of the pipeline and its layers, whose gradient holds a NaN or
// an infinity, and how many there are.
struct BadGradients {
  std::string first;  // "ner/3/linear/W"; "" if there is none
  std::size_t count = 0;
};
WEFT_API BadGradients find_bad_gradients(std::span<const NamedParameter> parameters,
                                         const Gradients& gradients);

// One sentence: the step, the component, layer and parameter, the documents. `bad_loss` says which
// loss is no number; "" if all are.
WEFT_API std::string divergence_message(std::int64_t step, const std::string& bad_loss,
                                        const BadGradients& bad, std::span<const ExamplePtr> batch);

// The same of a step that the optimizer refused: of its gradients if one is no number, else of the
// parameter that it would have spoilt.
WEFT_API std::string divergence_message(std::int64_t step, const StepError& error,
                                        std::span<const NamedParameter> parameters,
                                        const Gradients& gradients,
                                        std::span<const ExamplePtr> batch);

// "12 (\"Ada went …\"), 80 (…) and 30 more": numbers in the corpus and how the texts begin, control
// characters escaped.
WEFT_API std::string list_documents(std::span<const ExamplePtr> batch, std::size_t most = 8);

}  // namespace weft
