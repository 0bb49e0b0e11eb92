#include "loss.h"

#include <algorithm>
#include <cmath>

#include "framework/ops/softmax.h"

namespace topics {

weft::Tensor probabilities(weft::Context& ctx, const weft::Tensor& scores) {
  weft::Tensor found = ctx.empty(scores.shape());
  ctx.run<weft::SoftmaxForward>(scores, 1.0F, found.view());
  return ctx.on_host(found);
}

Loss cross_entropy(weft::Context& ctx, const weft::Tensor& scores, std::span<const int> truth) {
  const weft::Tensor found = probabilities(ctx, scores);
  const std::int64_t labels = found.dim(1);
  weft::Tensor gradient = ctx.host_array(found.shape());
  Loss loss;
  for (std::size_t doc = 0; doc < truth.size(); ++doc) {
    const float* p = found.data<float>() + static_cast<std::int64_t>(doc) * labels;
    float* d = gradient.data<float>() + static_cast<std::int64_t>(doc) * labels;
    std::fill_n(d, labels, 0.0F);
    if (truth[doc] == kNoLabel) continue;
    loss.sum -= std::log(std::max(p[truth[doc]], 1e-30F));
    for (std::int64_t label = 0; label < labels; ++label) {
      d[label] = (p[label] - (label == truth[doc] ? 1.0F : 0.0F)) * ctx.pass().loss_scale();
    }
  }
  loss.d_scores = ctx.placed(gradient);
  return loss;
}

}  // namespace topics
