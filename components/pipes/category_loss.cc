#include "components/pipes/category_loss.h"

#include "components/pipes/category_truth.h"

namespace weft {

CategoryLoss category_loss(Context& ctx, const Tensor& scores, std::span<const float> truth,
                           bool exclusive) {
  CategoryLoss loss;
  Tensor gradient = ctx.host_array(scores.shape());
  const float* score = scores.data<float>();
  auto* d = gradient.data<float>();
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const bool known = truth[i] != kNoTruth;
    const float wanted = known ? truth[i] : 0.0F;
    d[i] = known || exclusive ? score[i] - wanted : 0.0F;
    loss.sum += double{d[i]} * d[i];
    d[i] *= ctx.pass().loss_scale();
  }
  loss.d_scores = ctx.placed(gradient);
  return loss;
}

}  // namespace weft
