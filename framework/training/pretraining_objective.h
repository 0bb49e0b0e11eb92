// The target that an embedding learns to predict of masked tokens in pretraining. Named by
// `@architectures` in [pretraining.objective]. Source: spaCy 3.8, `spacy.ml.models.multi_task`;
// docs/pretraining.md, "Objectives".
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "framework/nn/model.h"
#include "framework/nn/value.h"
#include "registry/base/export.h"
#include "registry/functions/type.h"

namespace weft {

class Vocab;

class WEFT_API PretrainObjective {
 public:
  virtual ~PretrainObjective() = default;
  PretrainObjective() = default;
  PretrainObjective(const PretrainObjective&) = delete;
  PretrainObjective& operator=(const PretrainObjective&) = delete;

  // The layers that predict from the vectors of all tokens: a ragged array (tokens, width) to
  // (tokens, outputs). Throws Error(config) where the vocabulary lacks what is to be predicted.
  virtual ModelPtr make_head(const Vocab& vocab) const = 0;

  // `docs`: the documents as they are, without masks; `prediction` (tokens, outputs) f32 on the
  // host. Writes the gradient of every token, masked or not, into `d` of the same shape, and gives
  // the loss. Both are shares of a batch of `batch_tokens` tokens.
  virtual double loss(DocBatch docs, const Tensor& prediction, std::int64_t batch_tokens,
                      Tensor& d) const = 0;
};
using PretrainObjectivePtr = std::shared_ptr<const PretrainObjective>;

template <>
struct ProductTraits<PretrainObjectivePtr> {
  static constexpr std::string_view kind = "architectures", name = "pretraining objective";
  static constexpr bool callable = true;
};

}  // namespace weft
