// Kingma and Ba (2015), "Adam: a method for stochastic optimization". Thinc's Adam.v1.
#include <algorithm>
#include <cmath>

#include "components/optimizers/adam_settings.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

class Adam final : public Optimizer {
 public:
  explicit Adam(const AdamSettings& settings) : Optimizer(settings.common()), adam_(settings) {}

  std::vector<RuleSchedule> rule_schedules() const override { return adam_.rule_schedules(); }
  double eps() const override { return adam_.eps(schedule_step()); }

 private:
  std::optional<StepRule> rule(std::int64_t updates, StepScalars& s) const override {
    const double beta1 = adam_.beta1(schedule_step());
    const double beta2 = adam_.beta2(schedule_step());
    if (beta2 <= 0.0) {  // as in Thinc: plain descent
      s.learn_rate = static_cast<float>(learn_rate());
      return StepRule::sgd;
    }
    const auto t = static_cast<double>(updates);
    // The bias correction is formed in double from the unrounded betas.
    s.learn_rate = static_cast<float>(learn_rate() * std::sqrt(1.0 - std::pow(beta2, t)) /
                                      (1.0 - std::pow(beta1, t)));
    s.beta1 = static_cast<float>(beta1);
    s.beta2 = static_cast<float>(beta2);
    s.eps = static_cast<float>(std::max(eps(), least_eps()));
    return StepRule::adam;
  }

  AdamSettings adam_;
};

OptimizerPtr adam(const AdamSettings& settings) {
  return std::make_shared<Adam>(settings);
}

const Registration registered{"Adam.v1", adam, "Adam with clipping, weight decay and averages"};

}  // namespace
}  // namespace weft
