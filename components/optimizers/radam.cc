// Liu and others (2020), "On the variance of the adaptive learning rate and beyond". Thinc's
// RAdam.v1, whose step count runs one ahead of the number of updates.
#include <algorithm>
#include <cmath>

#include "components/optimizers/adam_settings.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

// The factor of the learn rate, and whether the variance is trusted.
struct Rectification {
  double step_size;
  bool uses_variance;
};

Rectification rectify(double beta1, double beta2, double t) {
  const double beta2_t = std::pow(beta2, t);
  const double longest = 2.0 / (1.0 - beta2) - 1.0;
  const double length = longest - 2.0 * t * beta2_t / (1.0 - beta2_t);
  const double correction = 1.0 - std::pow(beta1, t);
  if (length < 5.0) return {1.0 / correction, false};
  const double variance = (1.0 - beta2_t) * (length - 4.0) / (longest - 4.0) * (length - 2.0) /
                          length * longest / (longest - 2.0);
  return {std::sqrt(variance) / correction, true};
}

class RAdam final : public Optimizer {
 public:
  explicit RAdam(const AdamSettings& settings) : Optimizer(settings.common()), adam_(settings) {}

  std::vector<RuleSchedule> rule_schedules() const override { return adam_.rule_schedules(); }
  double eps() const override { return adam_.eps(schedule_step()); }

 private:
  std::optional<StepRule> rule(std::int64_t updates, StepScalars& s) const override {
    const double beta1 = adam_.beta1(schedule_step());
    const double beta2 = adam_.beta2(schedule_step());
    const Rectification r = rectify(beta1, beta2, static_cast<double>(updates + 1));
    s.learn_rate = static_cast<float>(r.step_size * learn_rate());
    s.beta1 = static_cast<float>(beta1);
    s.beta2 = static_cast<float>(beta2);
    s.eps = static_cast<float>(std::max(eps(), least_eps()));
    return r.uses_variance ? StepRule::adam : StepRule::momentum;
  }

  AdamSettings adam_;
};

OptimizerPtr radam(const AdamSettings& settings) {
  return std::make_shared<RAdam>(settings);
}

const Registration registered{"RAdam.v1", radam,
                              "Adam that waits until its variance can be trusted"};

}  // namespace
}  // namespace weft
