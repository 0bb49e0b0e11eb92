#include "framework/pipeline/check_construction.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include <fnmatch.h>

#include "framework/nn/model.h"
#include "framework/ops/context.h"
#include "framework/pipeline/adopt_error.h"
#include "framework/pipeline/build_pipeline.h"
#include "framework/pipeline/check_config.h"
#include "framework/pipeline/frozen.h"
#include "framework/pipeline/init_settings.h"
#include "framework/pipeline/load_config.h"
#include "registry/base/error.h"
#include "registry/building/resolve.h"

namespace weft {
namespace {

// Thrown to a component that asks for data while there is none yet.
struct NeedsData {};

void append(Problems more, Problems& problems) {
  problems.insert(problems.end(), std::make_move_iterator(more.begin()),
                  std::make_move_iterator(more.end()));
}

// Files that are damaged or missing count too: a run would end with them as well.
void run_telling(const std::string& path, const Node* at, Problems& problems,
                 const std::function<void()>& part) {
  const Origin place = at == nullptr ? Origin() : at->origin;
  try {
    run_adopting(path, place, problems, part);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::data && error.kind() != ErrorKind::system) throw;
    Problem& problem = problems.emplace_back();
    problem.kind = ProblemKind::function_raised;
    problem.place = place;
    problem.path = path;
    problem.message = error.what();
  }
}

// The settings of one component, with the results of their functions.
InitializeSettings settings_of(const std::string& path, const std::string& name,
                               const Config& values, const Catalogue& catalogue,
                               Problems& problems) {
  InitializeSettings settings;
  if (values.find(path) == nullptr) return settings;
  auto made = resolve_at(values, path, catalogue, {}, problems);
  if (!made) return settings;
  for (Argument::Member& member : made->take_members()) {
    settings.components[name].emplace(std::move(member.key), std::move(member.value));
  }
  return settings;
}

// Patterns and tables of a component without parameters need no data, as a rule. Of one with
// parameters its settings have to fit, which a file of labels shows once it is read.
void try_initializing(const Language& nlp, const NamedComponent& one, const Config& values,
                      const Catalogue& catalogue, Problems& problems) {
  const std::string path = "initialize.components." + one.name;
  const Node* given = values.find(path);
  if (given == nullptr) given = values.find("components." + one.name);
  run_telling(path, given, problems, [&] {
    Problems of_settings;
    const InitializeSettings settings = settings_of(path, one.name, values, catalogue, of_settings);
    throw_errors(std::move(of_settings));
    const Object own = component_settings(nlp, one, settings);
    if (one.component->is_trainable()) return;
    Context ctx;
    InitRandom random(0);
    const auto examples = []() -> ExampleStreamPtr { throw NeedsData(); };
    InitContext init{ctx, random, examples, {}, own};
    try {
      one.component->initialize(init);
    } catch (const NeedsData&) {
      return;
    }
  });
}

// A component that is frozen for the whole run goes on with the weights that it brings along, or
// that [initialize] has for a `tok2vec`.
void check_frozen(const Language& nlp, const Config& values, Problems& problems) {
  const Node* entries = values.find("training.frozen_components");
  if (entries == nullptr || !entries->is_list()) return;
  for (const char* setting : {"training.unfreeze", "initialize.init_tok2vec"}) {
    if (const Node* node = values.find(setting); node != nullptr && !node->is_null()) return;
  }
  for (const NamedComponent& one : nlp.pipeline()) {
    if (one.sourced || !one.enabled || !lacks_weights(*one.component)) continue;
    for (const Node& entry : entries->as_list()) {
      if (!entry.is_string() || ::fnmatch(entry.as_string().c_str(), one.name.c_str(), 0) != 0) {
        continue;
      }
      Problem& problem = problems.emplace_back();
      problem.kind = ProblemKind::function_raised;
      problem.place = entries->origin;
      problem.path = "training.frozen_components";
      problem.message = no_weights_to_keep(one.name);
      break;
    }
  }
}

bool is_of_pipeline(const Problem& problem) {
  if (problem.severity != Severity::error) return false;
  static constexpr std::array<std::string_view, 4> kOthers = {"training", "corpora", "pretraining",
                                                              "system"};
  const std::string_view section = std::string_view(problem.path).substr(0, problem.path.find('.'));
  return std::find(kOthers.begin(), kOthers.end(), section) == kOthers.end();
}

// Notes and warnings are told where the config is filled.
Problems errors_of(Problems problems) {
  std::erase_if(problems,
                [](const Problem& problem) { return problem.severity != Severity::error; });
  return problems;
}

}  // namespace

std::shared_ptr<Language> build_to_initialize(const Config& config, const Catalogue& catalogue) {
  Problems problems;
  auto nlp = build_possible(config, catalogue, problems);
  append(init_settings_problems(*nlp, catalogue), problems);
  throw_errors(std::move(problems));
  nlp->tokenizer();
  return nlp;
}

Problems construction_problems(const Config& config, const Catalogue& catalogue) {
  Problems problems;
  const Config values = expanded(config);
  std::shared_ptr<Language> nlp;
  run_telling("nlp", values.find("nlp"), problems,
              [&] { nlp = build_possible(config, catalogue, problems); });
  if (!nlp) return errors_of(std::move(problems));
  Problems of_settings = init_settings_problems(*nlp, catalogue);
  const bool are_known = of_settings.empty();
  append(std::move(of_settings), problems);
  for (const NamedComponent& one : nlp->pipeline()) {
    if (!are_known || one.sourced || !one.enabled) continue;
    try_initializing(*nlp, one, values, catalogue, problems);
  }
  check_frozen(*nlp, values, problems);
  return errors_of(std::move(problems));
}

void add_construction_problems(const Config& config, const Catalogue& catalogue,
                               Problems& problems) {
  if (std::any_of(problems.begin(), problems.end(), is_of_pipeline)) return;
  append(construction_problems(config, catalogue), problems);
}

}  // namespace weft
