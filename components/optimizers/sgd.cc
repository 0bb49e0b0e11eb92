// Plain gradient descent. Thinc's SGD.v1.
#include "framework/nn/model_limits.h"
#include "framework/training/optimizer.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

struct SgdSettings {
  Schedule learn_rate;
  Schedule L2 = 0.0;
  Schedule grad_clip = 1.0;
  bool L2_is_weight_decay = true;
  bool use_averages = true;
};

template <class V>
void fields(V& v, SgdSettings& c) {
  v.required("learn_rate", c.learn_rate, "step size: a number or a schedule",
             closed_range(0.0, kLargestWeight));
  v("L2", c.L2, "weight decay or L2 penalty", closed_range(0.0, kLargestWeight));
  v("grad_clip", c.grad_clip, "largest norm of each array's gradient; 0 switches clipping off",
    closed_range(0.0, kLargestWeight));
  v("L2_is_weight_decay", c.L2_is_weight_decay, "decay the weights instead of the gradient");
  v("use_averages", c.use_averages, "evaluate and save running averages of the weights");
}

class Sgd final : public Optimizer {
 public:
  explicit Sgd(const SgdSettings& c)
      : Optimizer({c.learn_rate, c.L2, c.grad_clip, c.L2_is_weight_decay, c.use_averages}) {}

 private:
  std::optional<StepRule> rule(std::int64_t, StepScalars& s) const override {
    s.learn_rate = static_cast<float>(learn_rate());
    return StepRule::sgd;
  }
  int moments() const override { return 0; }
};

OptimizerPtr sgd(const SgdSettings& settings) {
  return std::make_shared<Sgd>(settings);
}

const Registration registered{"SGD.v1", sgd, "plain gradient descent"};

}  // namespace
}  // namespace weft
