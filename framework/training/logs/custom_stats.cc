#include "framework/training/logs/custom_stats.h"

#include <cmath>

#include "framework/text/printable.h"

namespace weft {

Object told_object(const TrainingInfo& info, const std::filesystem::path& output) {
  Object losses;
  for (const auto& [name, loss] : info.losses) losses.set(name, loss);
  List checkpoints;
  for (const auto& [score, step] : info.checkpoints) checkpoints.push_back(List{score, step});
  Object told;
  told.set("epoch", info.epoch);
  told.set("step", info.step);
  told.set("score", info.score);
  told.set("other_scores", info.other_scores);
  told.set("losses", std::move(losses));
  told.set("checkpoints", std::move(checkpoints));
  told.set("seconds", static_cast<std::int64_t>(std::floor(info.seconds)));
  told.set("words", info.words);
  if (!output.empty()) told.set("output_path", (output / "model-last").string());
  return told;
}

NamePatterns::NamePatterns(const std::string& setting, const std::vector<std::string>& patterns) {
  patterns_.reserve(patterns.size());
  for (const std::string& pattern : patterns) {
    patterns_.emplace_back(setting, pattern, Pattern::Use::search);
  }
}

bool NamePatterns::match(std::string_view name) {
  const std::string text = printable(name);  // valid UTF-8
  scratch_.begin_text(text.size());
  for (const Pattern& pattern : patterns_) {
    if (pattern.find(scratch_, text)) return true;
  }
  return false;
}

Object matched_stats(NamePatterns& patterns, const TrainingInfo& info,
                     const std::filesystem::path& output) {
  Object matched;
  for (auto& [name, node] : told_object(info, output)) {
    if (patterns.match(name)) matched.set(name, node);
  }
  return matched;
}

}  // namespace weft
