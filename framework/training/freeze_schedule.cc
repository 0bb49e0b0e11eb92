#include "framework/training/freeze_schedule.h"

#include <algorithm>

#include <fmt/format.h>

#include "framework/pipeline/language.h"
#include "framework/pipeline/setting_error.h"
#include "framework/training/training_settings.h"
#include "registry/base/suggest.h"

namespace weft {
namespace {

void append(const Frozen& part, Frozen& all) {
  for (const std::string& name : part.components) {
    const bool is_there =
        std::find(all.components.begin(), all.components.end(), name) != all.components.end();
    if (!is_there) all.components.push_back(name);
  }
  all.layers.insert(all.layers.end(), part.layers.begin(), part.layers.end());
}

constexpr const char* kNames = "training.unfreeze.names";

void check(const UnfreezeSettings& unfreeze, const std::vector<std::string>& entries) {
  if (unfreeze.names.size() != unfreeze.steps.size()) {
    throw setting_error(kNames, fmt::format("{} entries, and steps has {}; give each name its step",
                                            unfreeze.names.size(), unfreeze.steps.size()));
  }
  for (const std::string& name : unfreeze.names) {
    if (std::find(entries.begin(), entries.end(), name) != entries.end()) continue;
    throw setting_error(kNames,
                        fmt::format("'{}' is not in frozen_components as it stands here", name),
                        join_or(nearest(name, entries)));
  }
}

// The section as it was checked with the config.
UnfreezeSettings settings_of(const Object& section) {
  UnfreezeSettings settings;
  const Node* names = section.find("names");
  const Node* steps = section.find("steps");
  if (names == nullptr || steps == nullptr || !names->is_list() || !steps->is_list()) {
    return settings;
  }
  for (const Node& name : names->as_list()) {
    if (name.is_string()) settings.names.push_back(name.as_string());
  }
  for (const Node& step : steps->as_list()) {
    if (step.is_integer()) settings.steps.push_back(step.as_integer());
  }
  return settings;
}

}  // namespace

FreezeSchedule::FreezeSchedule(const Language& nlp, const TrainingSettings& settings) {
  const UnfreezeSettings unfreeze = settings_of(settings.unfreeze);
  check(unfreeze, settings.frozen_components);
  for (const std::string& entry : settings.frozen_components) {
    const std::vector<std::string> one = {entry};
    Part part{frozen_parts(nlp, one, "frozen_components")};
    for (std::size_t i = 0; i < unfreeze.names.size(); ++i) {
      if (unfreeze.names[i] == entry) part.until = unfreeze.steps[i];
    }
    parts_.push_back(std::move(part));
  }
}

Frozen FreezeSchedule::at(std::int64_t step) const {
  Frozen all;
  for (const Part& part : parts_) {
    if (part.until < 0 || step < part.until) append(part.frozen, all);
  }
  return all;
}

Frozen FreezeSchedule::for_good() const {
  Frozen all;
  for (const Part& part : parts_) {
    if (part.until < 0) append(part.frozen, all);
  }
  return all;
}

void resolve_freezing(const Language& nlp, TrainingSettings& settings) {
  settings.freezing = FreezeSchedule(nlp, settings);
  settings.frozen_components = settings.freezing.for_good().components;
}

}  // namespace weft
