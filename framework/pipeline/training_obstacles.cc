#include "framework/pipeline/training_obstacles.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fnmatch.h>

#include "framework/pipeline/check_construction.h"
#include "framework/pipeline/find_pipeline.h"
#include "framework/pipeline/load_config.h"
#include "framework/pipeline/pipeline_settings.h"
#include "framework/pipeline/setting_error.h"
#include "framework/pipeline/sourced_component.h"
#include "registry/base/error.h"
#include "registry/base/input_file.h"
#include "registry/base/suggest.h"
#include "registry/building/resolve.h"
#include "registry/filling/fill.h"

namespace weft {
namespace {

// `components.ner.model` lies inside of `components.ner`.
bool lies_in(const std::string& path, const std::string& outer) {
  return path.starts_with(outer) && (path.size() == outer.size() || path[outer.size()] == '.');
}

// The parts of a config that a run builds.
std::vector<std::string> parts_of_run(const Config& values) {
  std::vector<std::string> parts = {"nlp", "corpora", "training", "initialize"};
  const Node* pipeline = values.find("nlp.pipeline");
  if (pipeline == nullptr || !pipeline->is_list()) return parts;
  for (const Node& name : pipeline->as_list()) {
    if (name.is_string()) parts.push_back("components." + name.as_string());
  }
  return parts;
}

// Whether something was said of it already, or of what it lies in.
bool is_told(const std::string& path, const Problems& obstacles) {
  return std::any_of(obstacles.begin(), obstacles.end(),
                     [&](const Problem& told) { return lies_in(path, told.path); });
}

void add_not_built(const Config& values, const Catalogue& catalogue, Problems& obstacles) {
  Problems found;
  static_cast<void>(fill(values, catalogue, pipeline_schemas(), found,
                         {.validate = false, .report_not_built = true}));
  const std::vector<std::string> parts = parts_of_run(values);
  for (Problem& problem : found) {
    if (problem.kind != ProblemKind::not_built) continue;
    const bool is_of_run = std::any_of(parts.begin(), parts.end(), [&](const std::string& part) {
      return lies_in(problem.path, part);
    });
    if (is_of_run && !is_told(problem.path, obstacles)) obstacles.push_back(std::move(problem));
  }
}

void add(const Node& at, std::string path, std::string message, Problems& obstacles) {
  Problem& problem = obstacles.emplace_back();
  problem.kind = ProblemKind::function_raised;
  problem.place = at.origin;
  problem.path = std::move(path);
  problem.message = std::move(message);
}

void add_language(const Config& values, const Catalogue& catalogue, Problems& obstacles) {
  Problems problems;
  const auto settings = resolve_section<NlpSettings>(values, "nlp", catalogue, problems);
  if (!settings || has_errors(problems)) return;  // told above, or where it is built
  try {
    static_cast<void>(settings->tokenizer.make(settings->lang));
  } catch (const Error& error) {
    for (Problem problem : error.problems()) {
      problem.place = place_of_setting(values, problem.path);
      obstacles.push_back(std::move(problem));
    }
    if (!error.problems().empty()) return;
    add(*values.find("nlp.lang"), "nlp.lang", error.what(), obstacles);
  }
}

// Functions that only a call shows to be of no use, as a logger for a service that nobody reaches.
void add_training(const Config& values, const Catalogue& catalogue, Problems& obstacles) {
  constexpr const char* kSection = "training";
  const Node* section = values.find(kSection);
  if (section == nullptr) return;
  Problems found;
  try {
    static_cast<void>(resolve_at(values, kSection, catalogue, {}, found));
  } catch (const Error& error) {
    add(*section, kSection, error.what(), found);
  }
  for (Problem& problem : found) {
    if (problem.severity == Severity::error && !is_told(problem.path, obstacles)) {
      obstacles.push_back(std::move(problem));
    }
  }
}

void add_sources(const Config& values, Problems& obstacles) {
  for (const std::string& part : parts_of_run(values)) {
    const Node* source = values.find(part + ".source");
    if (source == nullptr || !source->is_string()) continue;
    const std::string& name = source->as_string();
    if (!is_there(find_pipeline(name) / "config.cfg")) {
      add(*source, part + ".source",
          fmt::format("there is no pipeline folder {}{}", name, where_looked_for(name)), obstacles);
      continue;
    }
    try {
      const std::string component = part.substr(part.find('.') + 1);
      const auto sourced = sourced_component(values, component);
      require_same_language(*sourced, values);
      static_cast<void>(sourced_block(*sourced));
    } catch (const Error& error) {
      add(*source, part + ".source", error.message(), obstacles);
    }
  }
}

// Entries of lists of [training] name components of the pipeline: `ner`, with wildcards where
// components are frozen, and there also a layer of one, `ner.model`. Which layers there are shows
// once they are built.
void add_unknown_components(const Config& values, Problems& obstacles) {
  std::vector<std::string> known;
  if (const Node* pipeline = values.find("nlp.pipeline"); pipeline && pipeline->is_list()) {
    for (const Node& name : pipeline->as_list()) {
      if (name.is_string()) known.push_back(name.as_string());
    }
  }
  for (const char* setting : {"training.frozen_components", "training.annotating_components"}) {
    const Node* entries = values.find(setting);
    if (entries == nullptr || !entries->is_list()) continue;
    for (const Node& entry : entries->as_list()) {
      if (!entry.is_string()) continue;
      const std::string& text = entry.as_string();
      const std::string name = text.substr(0, text.find('.'));
      const bool is_known = std::any_of(known.begin(), known.end(), [&](const std::string& one) {
        return ::fnmatch(name.c_str(), one.c_str(), 0) == 0;
      });
      if (is_known) continue;
      add(*entries, setting, fmt::format("the pipeline has no component '{}'", name), obstacles);
      obstacles.back().suggestion = join_or(nearest(name, known));
    }
  }
}

// A rehearsal is one of components that knew something.
void add_rehearsal(const Config& values, Problems& obstacles) {
  const Node* rehearsal = values.find("training.rehearsal");
  if (rehearsal == nullptr || !rehearsal->is_object() || rehearsal->as_object().empty()) return;
  for (const std::string& part : parts_of_run(values)) {
    if (values.find(part + ".source") != nullptr) return;
  }
  add(*rehearsal, "training.rehearsal", "no component has a `source` whose knowledge it can keep",
      obstacles);
}

// Files and folders that [initialize] names are read before the first step. Those of a starter
// config stand for ones that its owner is told to get.
void add_missing_files(const Config& values, Problems& obstacles) {
  namespace fs = std::filesystem;
  const auto text_at = [&](const char* key) {
    const Node* node = values.find(key);
    const bool is_named = node != nullptr && node->is_string() &&
                          node->origin.source != Origin::Source::default_value;
    return is_named ? node : nullptr;
  };
  std::error_code unknown;
  if (const Node* vectors = text_at("initialize.vectors")) {
    const std::string& name = vectors->as_string();
    if (!fs::is_directory(find_pipeline(name) / "vocab", unknown)) {
      add(*vectors, "initialize.vectors",
          fmt::format("there is no pipeline folder {} with a folder vocab in it{}; `weft init "
                      "vectors` makes one",
                      name, where_looked_for(name)),
          obstacles);
    }
  }
  for (const char* key : {"initialize.vocab_data", "initialize.init_tok2vec"}) {
    const Node* file = text_at(key);
    if (file == nullptr || fs::is_regular_file(file->as_string(), unknown)) continue;
    add(*file, key,
        fmt::format(
            "{} {}",
            fs::exists(file->as_string(), unknown) ? "no regular file is" : "there is no file",
            file->as_string()),
        obstacles);
  }
}

}  // namespace

Problems missing_sources(const Config& config) {
  Problems obstacles;
  add_sources(expanded(config), obstacles);
  return obstacles;
}

Problems training_obstacles(const Config& config, const Catalogue& catalogue) {
  const Config values = expanded(config);
  Problems obstacles;
  add_not_built(values, catalogue, obstacles);
  add_language(values, catalogue, obstacles);
  add_training(values, catalogue, obstacles);
  add_sources(values, obstacles);
  add_unknown_components(values, obstacles);
  add_rehearsal(values, obstacles);
  add_missing_files(values, obstacles);
  const Problems told = obstacles;
  for (Problem& problem : construction_problems(config, catalogue)) {
    if (!is_told(problem.path, told)) obstacles.push_back(std::move(problem));
  }
  return obstacles;
}

}  // namespace weft
