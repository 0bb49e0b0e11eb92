#include "framework/training/resume_rules.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "framework/training/setting_differences.h"

namespace weft {
namespace {

// Sections that decide what a run computes; others (paths, variables) matter through them alone.
constexpr std::array<const char*, 4> kSections = {"nlp", "components", "corpora", "training"};
constexpr std::array<const char*, 4> kPretrainingSections = {"nlp", "components", "corpora",
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

// Where the data lies may change too; check_same_data looks at the data itself.
bool may_change(std::string_view path) {
  return is_free_in_optimizer(path) || is_path_of_corpus(path) ||
         std::any_of(kFree.begin(), kFree.end(),
                     [&](std::string_view setting) { return is_below(path, setting); });
}

Problem problem_of(const SettingDifference& difference, std::string message) {
  Problem problem;
  problem.kind = ProblemKind::validation;
  if (difference.after != nullptr) problem.place = difference.after->origin;
  problem.path = difference.path;
  problem.message = std::move(message);
  return problem;
}

void compare(const std::string& path, const Config& at_start, const Config& now,
             Problems& problems) {
  for (const SettingDifference& difference :
       setting_differences(path, at_start.find(path), now.find(path))) {
    if (may_change(difference.path)) continue;
    problems.push_back(problem_of(
        difference,
        fmt::format("cannot change when a run is resumed: it was {}, now it is {}; leave it as it "
                    "was, or start anew with --overwrite",
                    difference.before_text(), difference.after_text())));
  }
}

// Passes that are shuffled and passes that are streamed count differently.
void check_streaming(const Config& at_start, const Config& now, Problems& problems) {
  const std::string path = "training.max_epochs";
  const SettingDifference epochs{path, at_start.find(path), now.find(path)};
  const auto streams = [](const Node* node) {
    const auto* number = node == nullptr ? nullptr : std::get_if<std::int64_t>(&node->value());
    return number != nullptr && *number < 0;
  };
  if (streams(epochs.before) == streams(epochs.after)) return;
  problems.push_back(problem_of(
      epochs, fmt::format("cannot change from {} to {} when a run is resumed: one is streamed, the "
                          "other is not",
                          epochs.before_text(), epochs.after_text())));
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
  for (const char* section : kSections) compare(section, at_start, now, problems);
  check_streaming(at_start, now, problems);
  return problems;
}

Problems check_resumed_pretraining(const Config& at_start, const Config& now) {
  Problems problems;
  for (const char* section : kPretrainingSections) compare(section, at_start, now, problems);
  compare("training.seed", at_start, now, problems);
  return problems;
}

}  // namespace weft
