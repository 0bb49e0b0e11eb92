// Messages about a step whose loss, gradient or outcome is not finite.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "framework/nn/gradients.h"
#include "framework/nn/parameter.h"
#include "framework/training/batch_update.h"
#include "framework/training/optimizer.h"

namespace weft {

// The first parameter, in the order of the pipeline and its layers, whose gradient holds a NaN or
// an infinity, and how many there are.
struct BadGradients {
  const NamedParameter* first = nullptr;  // of the span that was given; null: none is bad
  std::size_t count = 0;
};
WEFT_API BadGradients find_bad_gradients(std::span<const NamedParameter> parameters,
                                         const Gradients& gradients);

// One sentence about a step that an error ended: the step, the component, layer and parameter, the
// documents. `bad_loss` says which loss is no number.
WEFT_API std::string divergence_message(const StepBatch& batch, const std::string& bad_loss,
                                        std::span<const NamedParameter> parameters,
                                        const Gradients& gradients);

// The same of a step that the optimizer refused: of its gradients if one is no number, else of the
// parameter that it would have spoilt.
WEFT_API std::string divergence_message(const StepBatch& batch, const StepError& error,
                                        std::span<const NamedParameter> parameters,
                                        const Gradients& gradients);

// The lines about gradients that both have.
WEFT_API std::string divergence_message(const StepBatch& batch, const std::string& bad_loss,
                                        const BadGradients& bad);

// "12 (\"Ada went …\"), 80 (…) and 30 more": numbers in the corpus and how the texts begin, control
// characters escaped.
WEFT_API std::string list_documents(std::span<Example* const> batch, std::size_t most = 8);

}  // namespace weft
