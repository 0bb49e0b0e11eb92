// The network that is pretrained: an embedding of the pipeline and, behind it, the layers that
// predict masked tokens. It is a component, so that the shards of a batch run it like any other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "framework/nn/model.h"
#include "framework/pipeline/component.h"
#include "framework/training/pretraining_objective.h"
#include "registry/base/export.h"

namespace weft {

// A batch as it is, beside the masked texts that the network is given.
struct PretrainBatch {
  std::vector<const Doc*> originals;
  std::vector<std::uint8_t> masked;  // of every token; the others have no gradient
};

class WEFT_API PretrainNetwork final : public Component {
 public:
  // `embedding`: documents to a vector for each of their tokens.
  PretrainNetwork(ModelPtr embedding, ModelPtr head, PretrainObjectivePtr objective);

  // Of the next update, whose examples' predicted documents are the masked texts; outlives it.
  void set_batch(const PretrainBatch* batch) { batch_ = batch; }

  // Fresh parameters for the head, and for the embedding as far as it has none.
  void initialize(InitContext& init) override;
  void predict(Context& ctx, std::span<Doc* const> docs, Slots& slots) const override;
  void update(ShardUpdate& shard) const override;
  // The loss of some texts without an update, as a share of that of `all_tokens` tokens. `docs`:
  // what the network is given, `originals`: what it should find.
  double loss(Context& ctx, DocBatch docs, DocBatch originals, std::int64_t all_tokens) const;

  std::vector<ModelPtr> models() const override { return {whole_}; }
  bool scales_gradients() const override { return true; }

  const ModelPtr& embedding() const { return embedding_; }
  const ModelPtr& head() const { return head_; }

 private:
  ModelPtr embedding_, head_, whole_;
  PretrainObjectivePtr objective_;
  const PretrainBatch* batch_ = nullptr;
};

}  // namespace weft
