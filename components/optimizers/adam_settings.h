// The settings that Adam and RAdam share, under the names that Thinc gives them.
#pragma once

#include <vector>

#include "framework/nn/model_limits.h"
#include "framework/training/optimizer.h"
#include "registry/functions/fields.h"

namespace weft {

struct AdamSettings {
  Schedule learn_rate = 0.001;
  Schedule L2 = 0.0;
  Schedule beta1 = 0.9;
  Schedule beta2 = 0.999;
  Schedule eps = 1e-8;
  Schedule grad_clip = 1.0;
  bool L2_is_weight_decay = true;
  bool use_averages = true;

  OptimizerSettings common() const {
    return {learn_rate, L2, grad_clip, L2_is_weight_decay, use_averages};
  }
  // At 1 a moment would never forget, and its correction divide by 0.
  std::vector<RuleSchedule> rule_schedules() const {
    return {{"beta1", &beta1, 1.0}, {"beta2", &beta2, 1.0}, {"eps", &eps}};
  }
};

template <class V>
void fields(V& v, AdamSettings& c) {
  v("learn_rate", c.learn_rate, "step size: a number or a schedule",
    closed_range(0.0, kLargestWeight));
  v("L2", c.L2, "weight decay or L2 penalty", closed_range(0.0, kLargestWeight));
  v("beta1", c.beta1, "decay of the mean of the gradients; 0, which Thinc's Adam.v1 refuses: none",
    range(0.0, 1.0));
  v("beta2", c.beta2,
    "decay of the mean of their squares; 0 makes Adam.v1 plain descent, as in Thinc",
    range(0.0, 1.0));
  v("eps", c.eps, "added to the root of the squares; not scaled by the bias correction",
    closed_range(0.0, kLargestWeight));
  v("grad_clip", c.grad_clip, "largest norm of each array's gradient; 0 switches clipping off",
    closed_range(0.0, kLargestWeight));
  v("L2_is_weight_decay", c.L2_is_weight_decay, "decay the weights instead of the gradient");
  v("use_averages", c.use_averages, "evaluate and save running averages of the weights");
}

}  // namespace weft
