// The number formats of a run while it runs: the policy, its exceptions, and the 16-bit copies of
// weights. A Context that follows it casts what ops take and give; without one all is f32.
// Source: docs/precision.md.
#pragma once

#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/nn/weight_copies.h"
#include "framework/ops/kernel.h"
#include "framework/ops/pass_formats.h"
#include "framework/precision/op_policy.h"
#include "framework/precision/op_rule.h"
#include "framework/precision/policy.h"
#include "framework/precision/storage.h"
#include "registry/base/export.h"

namespace weft {

class DeviceWeights;
class Model;

class WEFT_API RunFormats final : public PassFormats {
 public:
  // The ops that are registered by now are those that the run can use.
  explicit RunFormats(PrecisionPolicy policy);

  const PrecisionPolicy& policy() const override { return policy_; }
  DType low() const override { return copies_.type(); }
  // At O2 and O3.
  bool casts_ends_of(const Model& layer) const override;
  DType output_type() const override;
  // In which gradients of parameters are kept.
  DType gradient_type() const;
  // Whether anything is cast at all; if not, no Context needs to follow it.
  bool casts() const;

  // The parameters of a model: they get copies, or, where the run has no f32 masters, become 16
  // bits wide themselves with `narrow_weights`.
  void add(Model& root);
  // The weights of which a device has newer numbers; brought back before they are changed.
  void use(std::shared_ptr<DeviceWeights> weights) { device_ = std::move(weights); }
  // Without masters: rounds the weights to the run's format, in place. Does nothing elsewhere.
  void narrow_weights();
  // Makes them f32 again; the numbers stay.
  void widen_weights();
  bool has_low_weights() const { return has_low_weights_; }

  // Throws Error(config) for an op that was registered after this was made (P011).
  OpRule rule_of(const OpTraits& op, std::string_view layer) override;
  // Throws Error(internal) for a weight that has changed since the copies were refreshed (P090).
  const Tensor* copy_of(const void* weight, Context* device) override {
    return copies_.find(weight, device);
  }
  WeightCopies& copies() { return copies_; }

  // A layer computes in f32 from now on, whatever the rules say. Not while a pass runs.
  void compute_in_f32(std::string layer);

  // Notices about ops since the last call.
  Notices take_notices();

 private:
  OpRule rule_for(const OpPolicy& op, Compute compute) const;
  void note_once(const OpTraits& op, bool lacks_kernel);

  void fetch_weights() const;

  PrecisionPolicy policy_;
  std::shared_ptr<DeviceWeights> device_;  // null: on the CPU
  WeightCopies copies_;
  std::vector<Parameter*> tracked_;
  std::set<const Model*> roots_;
  bool has_low_weights_ = false;
  std::set<std::string_view> ops_;  // that it can use
  std::mutex mutex_;                // of what follows
  std::set<std::string, std::less<>> noted_;
  Notices notices_;
};

}  // namespace weft
