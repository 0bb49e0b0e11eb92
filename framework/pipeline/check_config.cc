#include "framework/pipeline/check_config.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "framework/pipeline/component_name.h"
#include "framework/pipeline/load_config.h"
#include "framework/pipeline/pipeline_settings.h"
#include "framework/text/warning_limit.h"
#include "registry/base/error.h"
#include "registry/base/suggest.h"
#include "registry/building/resolve.h"
#include "registry/filling/fill.h"
#include "registry/value/json.h"
#include "registry/variables/interpolate.h"

namespace weft {
namespace {

constexpr std::size_t kLongestShown = 80;
constexpr std::size_t kMostComponents = 256;

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

// Hostile names can be of any length.
std::string shown_name(const std::string& name) {
  std::string text = to_json_string(name);
  if (text.size() > kLongestShown) text = text.substr(0, kLongestShown) + "...\"";
  return text;
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

// Reports a component whose settings are one value instead of a section.
void report_no_section(const Node& block, const std::string& name, Problems& problems) {
  if (block.is_object()) return;
  Problem problem;
  problem.kind = ProblemKind::schema;
  problem.reason = Reason::type;
  problem.place = block.origin;
  problem.path = "components." + name;
  problem.message = fmt::format("expected a section, found {}", block.type_name());
  problems.push_back(std::move(problem));
}

// Says where a component cannot be called that way.
bool report_name(const Node& at, std::string path, const std::string& name, Problems& problems) {
  const std::string fault = fault_of_component_name(name);
  if (fault.empty()) return false;
  Problem& problem = problems.emplace_back();
  problem.kind = ProblemKind::validation;
  problem.place = at.origin;
  problem.path = std::move(path);
  problem.message = fmt::format("{} {}", shown_name(name), fault);
  problem.suggestion = similar_component_name(name);
  return true;
}

void report_length(const Node& pipeline, std::size_t length, Problems& problems) {
  Problem& problem = problems.emplace_back();
  problem.kind = ProblemKind::limit;
  problem.place = pipeline.origin;
  problem.path = "nlp.pipeline";
  problem.message = fmt::format("{} components are more than {}", length, kMostComponents);
}

// Names of one pipeline: each is a name, and none of those before it.
bool has_good_name(const Node& pipeline, const std::string& name,
                   const std::vector<std::string>& before, Problems& problems) {
  if (report_name(pipeline, "nlp.pipeline", name, problems)) return false;
  const auto same = std::find_if(before.begin(), before.end(), [&](const std::string& other) {
    return same_component_folder(other, name);
  });
  if (same == before.end()) return true;
  Problem& problem = problems.emplace_back();
  problem.kind = ProblemKind::validation;
  problem.place = pipeline.origin;
  problem.path = "nlp.pipeline";
  problem.message =
      *same == name ? fmt::format("the component {} is there twice", shown_name(name))
                    : fmt::format("the components {} and {} differ in upper and lower case alone",
                                  shown_name(*same), shown_name(name));
  return false;
}

}  // namespace

void throw_errors(Problems problems) {
  std::erase_if(problems, [](const Problem& p) { return p.severity != Severity::error; });
  if (!problems.empty()) throw Error(ErrorKind::config, std::move(problems));
}

void report_problems(const Problems& problems, std::ostream& err) {
  WarningLimit findings(err, kMostProblems);
  for (const Problem& problem : problems) {
    if (problem.severity == Severity::error) continue;
    const bool is_warning = problem.severity == Severity::warning;
    findings.show(is_warning ? "warnings of the config" : "notes on the config",
                  (is_warning ? "warning: " : "note: ") + problem.str());
  }
  findings.summarize();
  throw_errors(problems);
}

std::vector<std::string> setting_names(const Config& config) {
  std::vector<std::string> names;
  collect(config.root(), "", names);
  return names;
}

void check_corpora(const Config& config, Problems& problems) {
  for (const char* key :
       {"training.train_corpus", "training.dev_corpus", "training.rehearsal.corpus"}) {
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
  if (pipeline == nullptr) return;
  // Variables may stand for the list or for names in it; their own faults are told elsewhere.
  Problems unused;
  const Config values = interpolate(config, unused);
  const Node* expanded_list = values.find("nlp.pipeline");
  if (expanded_list == nullptr || !expanded_list->is_list()) return;
  const std::size_t length = expanded_list->as_list().size();
  if (length > kMostComponents) return report_length(*pipeline, length, problems);
  std::vector<std::string> known;
  if (components != nullptr && components->is_object()) {
    for (const auto& [name, node] : components->as_object()) known.push_back(name);
  }
  std::vector<std::string> names;
  for (const Node& name : expanded_list->as_list()) {
    if (!name.is_string() || !has_good_name(*pipeline, name.as_string(), names, problems)) continue;
    names.push_back(name.as_string());
    if (std::find(known.begin(), known.end(), names.back()) != known.end()) {
      if (!unused.empty()) continue;  // a variable that leads nowhere stands as it was
      report_no_section(*values.find("components")->as_object().find(names.back()), names.back(),
                        problems);
      continue;
    }
    report_missing(*pipeline, "nlp.pipeline",
                   fmt::format("there is no section [components.{}]", names.back()),
                   nearest(names.back(), known), problems);
  }
}

void check_sources(const Config& config, Problems& problems) {
  const Node* components = config.find("components");
  if (components == nullptr || !components->is_object()) return;
  for (const auto& [name, block] : components->as_object()) {
    if (!block.is_object() || !block.as_object().contains("source")) continue;
    const Node* other = block.as_object().find("component");
    if (other == nullptr || !other->is_string() || other->kept_raw) continue;
    report_name(*other, "components." + name + ".component", other->as_string(), problems);
  }
}

bool is_of_others(const Problem& problem) {
  if (problem.kind != ProblemKind::unknown_function &&
      problem.kind != ProblemKind::unknown_registry) {
    return false;
  }
  constexpr std::string_view kCalled[] = {"nlp",        "components",  "corpora", "training",
                                          "initialize", "pretraining", "system"};
  const std::string section = problem.path.substr(0, problem.path.find('.'));
  return std::find(std::begin(kCalled), std::end(kCalled), section) == std::end(kCalled);
}

void check_buildable(const Config& config, const Catalogue& catalogue, Problems& problems) {
  Config values = expanded(config);
  Problems found;
  static_cast<void>(fill(values, catalogue, pipeline_schemas(), found, {.report_unknown = true}));
  for (const Problem& problem : found) {
    if (is_of_others(problem)) values.root().erase(problem.path.substr(0, problem.path.find('.')));
  }
  static_cast<void>(resolve(values, catalogue, pipeline_schemas(), problems));
}

}  // namespace weft
