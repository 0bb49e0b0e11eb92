#include "framework/training/precision_plan.h"

#include <algorithm>
#include <set>
#include <utility>

#include "framework/nn/model.h"
#include "framework/ops/kernel.h"
#include "framework/ops/pass_observer.h"
#include "framework/pipeline/number_formats.h"
#include "framework/pipeline/shard_runner.h"
#include "framework/precision/element_type.h"
#include "framework/text/example.h"

namespace weft {
namespace {

// "fp16", or "fp16, f32" where they differ.
std::string joined(std::span<const DType> types) {
  std::string text;
  for (const DType type : types) {
    const std::string name(name_of(format_of(type)));
    if (text.find(name) != std::string::npos) continue;
    if (!text.empty()) text += ", ";
    text += name;
  }
  return text;
}

// The ops of a pass, each once for its layer and formats.
class Recorder final : public PassObserver {
 public:
  explicit Recorder(const PrecisionPolicy& policy) : policy_(policy) {}

  void op_ran(std::string_view layer, const OpTraits& op, std::span<const DType> inputs,
              std::span<const DType> results) override {
    if (inputs.empty() && results.empty()) return;  // copies of numbers that no policy touches
    PlanLine line = plan_op(policy_, std::string(layer), op);
    if (line.input != "tf32") line.input = joined(inputs);
    line.output = joined(results);
    const auto same = [&](const PlanLine& one) {
      return one.path == line.path && one.name == line.name && one.input == line.input &&
             one.output == line.output;
    };
    if (std::none_of(lines.begin(), lines.end(), same)) lines.push_back(std::move(line));
  }

  void chose_type(std::string_view layer, DType type) override { chosen_.emplace(layer, type); }
  Notices own_types() const {
    Notices notices;
    for (const auto& [layer, type] : chosen_) {
      notices.push_back(notices::own_format(layer, name_of(format_of(type))));
    }
    return notices;
  }

  std::vector<PlanLine> lines;

 private:
  const PrecisionPolicy& policy_;
  std::set<std::pair<std::string, DType>> chosen_;
};

std::vector<PlanLine> parameter_lines(const Language& nlp, const PrecisionPolicy& policy,
                                      Notices& notices) {
  std::vector<PlanLine> lines;
  for (const NamedComponent& component : nlp.pipeline()) {
    for (const ModelPtr& root : component.component->models()) {
      for (const Model* node : root->walk()) {
        for (const auto& parameter : node->params()) {
          std::vector<std::int64_t> dims(parameter->value.shape().rank());
          for (std::size_t axis = 0; axis < dims.size(); ++axis) {
            dims[axis] = parameter->value.dim(static_cast<int>(axis));
          }
          lines.push_back(
              plan_parameter(policy, node->path(), parameter->name, parameter->kind, dims));
          const PlanLine& line = lines.back();
          if (line.padded == dims) continue;
          notices.push_back(
              notices::padded(line.path + "." + line.name, dims.back(), line.padded.back()));
        }
      }
    }
  }
  return lines;
}

// The pipeline's formats and weights are as they were afterwards, whatever happens.
void run_once(Language& nlp, const std::shared_ptr<RunFormats>& formats,
              std::span<Example* const> examples, const std::vector<std::string>& frozen,
              PassObserver& observer) {
  nlp.set_formats(formats);
  const auto put_back = [&] {
    formats->widen_weights();
    nlp.set_formats(nullptr);
  };
  try {
    WorkerPool pool(1);
    ShardRunner runner(nlp, pool, {.frozen = frozen});
    const ShardRunner::Watch watch(runner, observer);
    runner.accumulate(examples, 0.1, 0);
  } catch (...) {
    put_back();
    throw;
  }
  put_back();
}

}  // namespace

PipelinePlan plan_pipeline(Language& nlp, const PrecisionPolicy& policy,
                           std::span<Example* const> examples,
                           const std::vector<std::string>& frozen) {
  PipelinePlan plan;
  plan.notices = policy.notices;
  // A policy that casts nothing is followed as well: its ops are to be seen.
  auto formats = std::make_shared<RunFormats>(policy);
  for (const NamedComponent& component : nlp.pipeline()) {
    for (const ModelPtr& root : component.component->models()) formats->add(*root);
  }
  Recorder recorder(policy);
  run_once(nlp, formats, examples, frozen, recorder);
  for (const Notices& found : {formats->take_notices(), recorder.own_types()}) {
    plan.notices.insert(plan.notices.end(), found.begin(), found.end());
  }
  plan.ops = std::move(recorder.lines);
  plan.parameters = parameter_lines(nlp, policy, plan.notices);
  return plan;
}

}  // namespace weft
