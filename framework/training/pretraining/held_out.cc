#include "framework/training/pretraining/held_out.h"

#include <numeric>

#include "framework/nn/device_weights.h"
#include "framework/ops/context.h"
#include "framework/text/example.h"

namespace weft {
namespace {

constexpr std::int64_t kTokensOfGroup = 1000;

std::vector<const Doc*> pointers(const std::vector<Doc>& docs, std::size_t begin, std::size_t end) {
  std::vector<const Doc*> found;
  for (std::size_t i = begin; i < end; ++i) found.push_back(&docs[i]);
  return found;
}

}  // namespace

HeldOutText::HeldOutText(const Reader& corpus, const Language& nlp, const RandomWords& words,
                         std::uint64_t seed) {
  const ExampleStreamPtr examples = corpus.open(nlp);
  std::int64_t in_group = 0;
  while (const ExamplePtr example = examples->next()) {
    docs_.push_back(example->reference());
    tokens_ += docs_.back().size();
    in_group += docs_.back().size();
    if (in_group < kTokensOfGroup) continue;
    groups_.push_back(docs_.size());
    in_group = 0;
  }
  if (groups_.empty() || groups_.back() != docs_.size()) groups_.push_back(docs_.size());
  masked_ = mask_tokens(docs_, words, {.seed = seed, .site = "pretraining/dev"});
}

double HeldOutText::loss(const Language& nlp, const PretrainNetwork& network,
                         WorkerPool& pool) const {
  std::vector<double> losses(groups_.size());
  pool.run(groups_.size(), [&](std::size_t group) {
    const std::size_t begin = group == 0 ? 0 : groups_[group - 1];
    const auto seen = pointers(masked_.docs, begin, groups_[group]);
    const auto originals = pointers(docs_, begin, groups_[group]);
    Context ctx(nlp.stream());
    ctx.use(nlp.device_weights().get());
    ctx.pass().predict();
    losses[group] = network.loss(ctx, seen, originals, tokens_);
  });
  return std::accumulate(losses.begin(), losses.end(), 0.0);
}

}  // namespace weft
