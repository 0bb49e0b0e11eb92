#include "framework/pipeline/check_config.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "framework/pipeline/byte_size.h"
#include "framework/pipeline/load_config.h"
#include "framework/pipeline/settings.h"
#include "framework/precision/check_settings.h"
#include "registry/error.h"
#include "registry/resolve.h"
#include "registry/suggest.h"

namespace weft {
namespace {

void collect(const Object& object, const std::string& prefix, std::vector<std::string>& names) {
  for (const auto& [key, node] : object) {
    names.push_back(prefix + key);
    if (node.is_object()) collect(node.as_object(), names.back() + ".", names);
  }
}

std::vector<std::string> reader_names(const Object& object, const std::string& prefix) {
  std::vector<std::string> names;
  for (const auto& [key, node] : object) {
    if (!node.is_object()) continue;
    if (node.as_object().contains("@readers")) names.push_back(prefix + key);
    for (std::string& below : reader_names(node.as_object(), prefix + key + ".")) {
      names.push_back(std::move(below));
    }
  }
  return names;
}

void report_missing(const Node& at, std::string path, std::string message,
                    const std::vector<std::string>& near, Problems& problems) {
  Problem problem;
  problem.kind = ProblemKind::validation;
  problem.reason = Reason::missing;
  problem.place = at.origin;
  problem.path = std::move(path);
  problem.message = std::move(message);
  problem.suggestion = join_or(near);
  problems.push_back(std::move(problem));
}

}  // namespace

void throw_errors(Problems problems) {
  std::erase_if(problems, [](const Problem& p) { return p.severity != Severity::error; });
  if (!problems.empty()) throw Error(ErrorKind::config, std::move(problems));
}

std::vector<std::string> setting_names(const Config& config) {
  std::vector<std::string> names;
  collect(config.root(), "", names);
  return names;
}

void check_corpora(const Config& config, Problems& problems) {
  for (const char* key : {"training.train_corpus", "training.dev_corpus"}) {
    const Node* name = config.find(key);
    if (name == nullptr || !name->is_string()) continue;
    const Node* corpus = config.find(name->as_string());
    if (corpus != nullptr && corpus->is_object()) continue;
    report_missing(*name, key,
                   fmt::format("there is no section [{}] with a reader", name->as_string()),
                   nearest(name->as_string(), reader_names(config.root(), "")), problems);
  }
}

void check_pipeline_names(const Config& config, Problems& problems) {
  const Node* pipeline = config.find("nlp.pipeline");
  const Node* components = config.find("components");
  if (pipeline == nullptr || !pipeline->is_list()) return;
  std::vector<std::string> names;
  if (components != nullptr && components->is_object()) {
    for (const auto& [name, node] : components->as_object()) names.push_back(name);
  }
  for (const Node& name : pipeline->as_list()) {
    if (!name.is_string()) continue;
    if (std::find(names.begin(), names.end(), name.as_string()) != names.end()) continue;
    report_missing(*pipeline, "nlp.pipeline",
                   fmt::format("there is no section [components.{}]", name.as_string()),
                   nearest(name.as_string(), names), problems);
  }
}

void check_memory(const Config& config, Problems& problems) {
  for (const char* key : {"system.memory", "system.gpu_memory"}) {
    const Node* size = config.find(key);
    if (size == nullptr || !size->is_string()) continue;
    const std::string& text = size->as_string();
    if (text.find("${") != std::string::npos || parse_byte_size(text)) continue;
    Problem& problem = problems.emplace_back();
    problem.kind = ProblemKind::validation;
    problem.place = size->origin;
    problem.path = key;
    problem.message = fmt::format(
        "\"{}\" is no amount of memory; write it as \"2GB\", \"500MB\" or \"1.5GiB\"", text);
  }
}

void check_precision_level(const Config& config, Problems& problems) {
  const Node* policy = config.find("training.precision.@precision");
  const Node* level = config.find("training.precision.level");
  const bool is_ours = policy == nullptr || policy->same_value(Node("amp.v1"));
  if (!is_ours || level == nullptr) return;
  PrecisionSettings settings;
  if (const auto* number = std::get_if<std::int64_t>(&level->value())) {
    settings.level = *number;
  } else if (level->is_string() && level->as_string().find("${") == std::string::npos) {
    settings.level = level->as_string();
  } else {
    return;
  }
  Notices notices;
  static_cast<void>(read_level(settings, notices));
  for (Problem& problem : problems_of(notices, "training.precision")) {
    problem.place = level->origin;
    problems.push_back(std::move(problem));
  }
}

void check_buildable(const Config& config, const Catalogue& catalogue, Problems& problems) {
  const Config values = expanded(config);
  static_cast<void>(resolve(values, catalogue, pipeline_schemas(), problems));
}

}  // namespace weft
