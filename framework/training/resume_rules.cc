#include "framework/training/resume_rules.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "registry/value/json.h"

namespace weft {
namespace {

// Sections that decide what a run computes; others (paths, variables) matter through them alone.
constexpr std::array<std::string_view, 4> kSections = {"nlp", "components", "corpora", "training"};
constexpr std::array<std::string_view, 4> kPretrainingSections = {"nlp", "components", "corpora",
                                                                  "pretraining"};

// Settings, and all below them, that a run may change half-way.
constexpr std::array<std::string_view, 18> kFree = {"training.max_steps",
                                                    "training.max_epochs",
                                                    "training.patience",
                                                    "training.eval_frequency",
                                                    "training.dropout",
                                                    "training.accumulate_gradient",
                                                    "training.logger",
                                                    "training.checkpoints",
                                                    "training.rehearsal.max_drop",
                                                    "training.gpu_allocator",
                                                    "training.precision",
                                                    "nlp.batch_size",
                                                    "pretraining.max_epochs",
                                                    "pretraining.n_save_every",
                                                    "pretraining.n_save_epoch",
                                                    "training.distributed.engine",
                                                    "training.distributed.deadline",
                                                    "training.distributed.start_deadline"};

bool is_below(std::string_view path, std::string_view setting) {
  return path.starts_with(setting) &&
         (path.size() == setting.size() || path[setting.size()] == '.');
}

// Rates and their schedules are free, the rule and its state are not.
bool is_free_in_optimizer(std::string_view path) {
  constexpr std::string_view optimizer = "training.optimizer";
  if (!is_below(path, optimizer) || path == optimizer) return false;
  return path != "training.optimizer.@optimizers" && path != "training.optimizer.use_averages";
}

// Where the data lies may change; check_same_data looks at the data itself.
bool is_path_of_data(std::string_view path) {
  return path.starts_with("corpora.") && path.ends_with(".path");
}

bool may_change(std::string_view path) {
  return is_free_in_optimizer(path) || is_path_of_data(path) ||
         std::any_of(kFree.begin(), kFree.end(),
                     [&](std::string_view setting) { return is_below(path, setting); });
}

std::string text_of(const Node* node) {
  if (node == nullptr) return "absent";
  return node->is_object() ? "a section" : to_json(*node);
}

void report(const std::string& path, const Node* before, const Node* after, Problems& problems) {
  if (may_change(path)) return;
  Problem& problem = problems.emplace_back();
  problem.kind = ProblemKind::validation;
  if (after != nullptr) problem.place = after->origin;
  problem.path = path;
  problem.message = fmt::format(
      "cannot change when a run is resumed: it was {}, now it is {}; leave it as it was, or start "
      "anew with --overwrite",
      text_of(before), text_of(after));
}

void compare(const std::string& path, const Node* before, const Node* after, Problems& problems) {
  const bool sections =
      before != nullptr && after != nullptr && before->is_object() && after->is_object();
  if (!sections) {
    const bool same = before != nullptr && after != nullptr && before->same_value(*after);
    if (!same) report(path, before, after, problems);
    return;
  }
  for (const auto& [key, node] : before->as_object()) {
    compare(fmt::format("{}.{}", path, key), &node, after->as_object().find(key), problems);
  }
  for (const auto& [key, node] : after->as_object()) {
    if (!before->as_object().contains(key))
      compare(fmt::format("{}.{}", path, key), nullptr, &node, problems);
  }
}

// Passes that are shuffled and passes that are streamed count differently.
void check_streaming(const Config& at_start, const Config& now, Problems& problems) {
  const Node* before = at_start.find("training.max_epochs");
  const Node* after = now.find("training.max_epochs");
  const auto streams = [](const Node* node) {
    const auto* epochs = node == nullptr ? nullptr : std::get_if<std::int64_t>(&node->value());
    return epochs != nullptr && *epochs < 0;
  };
  if (streams(before) == streams(after)) return;
  Problem& problem = problems.emplace_back();
  problem.kind = ProblemKind::validation;
  if (after != nullptr) problem.place = after->origin;
  problem.path = "training.max_epochs";
  problem.message = fmt::format(
      "cannot change from {} to {} when a run is resumed: one is streamed, the other is not",
      text_of(before), text_of(after));
}

}  // namespace

Config with_built_components(const Config& at_start, Config now) {
  Node* components = now.find("components");
  if (components == nullptr || !components->is_object()) return now;
  for (auto& [name, block] : components->as_object()) {
    const Node* built = at_start.find("components." + name);
    const bool is_sourced = block.is_object() && block.as_object().contains("source");
    if (is_sourced && built != nullptr) block = *built;
  }
  return now;
}

Problems check_resumed_config(const Config& at_start, const Config& now) {
  Problems problems;
  for (const std::string_view section : kSections) {
    const std::string name(section);
    compare(name, at_start.find(name), now.find(name), problems);
  }
  check_streaming(at_start, now, problems);
  return problems;
}

Problems check_resumed_pretraining(const Config& at_start, const Config& now) {
  Problems problems;
  for (const std::string_view section : kPretrainingSections) {
    const std::string name(section);
    compare(name, at_start.find(name), now.find(name), problems);
  }
  const std::string seed = "training.seed";
  compare(seed, at_start.find(seed), now.find(seed), problems);
  return problems;
}

}  // namespace weft
