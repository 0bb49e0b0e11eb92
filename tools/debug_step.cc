#include <filesystem>
#include <iostream>

#include <fmt/format.h>

#include "framework/pipeline/worker_pool.h"
#include "framework/text/example.h"
#include "framework/training/checkpoint.h"
#include "framework/training/replay.h"
#include "registry/base/error.h"
#include "registry/value/json.h"
#include "tools/commands.h"
#include "tools/setup.h"

namespace weft::tools {
namespace {

namespace fs = std::filesystem;

// A checkpoint, or the output of a run: the state before the step that diverged, or the newest.
fs::path checkpoint_at(const fs::path& path) {
  for (const fs::path& folder : {path, path / "diverged", path / "checkpoint"}) {
    if (is_checkpoint(folder)) return folder;
  }
  throw Error(ErrorKind::usage, fmt::format("there is no checkpoint in {}", path.string()));
}

Object object_of(const Example& example) {
  Object document;
  document.set("number", example.number());
  document.set("tokens", example.size());
  document.set("text", std::string(example.reference().text()));
  return document;
}

Object object_of(const ParameterReport& parameter) {
  Object object;
  object.set("name", parameter.name);
  object.set("largest_value", parameter.largest_value);
  object.set("gradient_norm", parameter.gradient_norm);
  object.set("bad_values", parameter.bad_values);
  object.set("bad_gradients", parameter.bad_gradients);
  return object;
}

Object object_of(const ReplayedStep& replayed) {
  Object losses;
  for (const auto& [name, loss] : replayed.losses) losses.set(name, loss);
  List documents;
  for (const ExamplePtr& example : replayed.batch) documents.emplace_back(object_of(*example));
  List parameters;
  for (const ParameterReport& parameter : replayed.parameters) {
    parameters.emplace_back(object_of(parameter));
  }
  Object object;
  object.set("step", replayed.step);
  object.set("epoch", replayed.epoch);
  object.set("losses", std::move(losses));
  object.set("bad_loss", replayed.bad_loss);
  object.set("bad_step", replayed.bad_step);
  object.set("documents", std::move(documents));
  object.set("parameters", std::move(parameters));
  return object;
}

void print(const ReplayedStep& replayed) {
  std::cout << fmt::format("step {}, epoch {}\n", replayed.step, replayed.epoch);
  for (const auto& [name, loss] : replayed.losses) {
    std::cout << fmt::format("loss of {}: {:.6g}\n", name, loss);
  }
  for (const std::string& fault : {replayed.bad_loss, replayed.bad_step}) {
    if (!fault.empty()) std::cout << fault << '\n';
  }
  std::cout << fmt::format("\n{:>9}  {:>6}  text\n", "document", "tokens");
  for (const ExamplePtr& example : replayed.batch) {
    // As a JSON string: control characters of the text must not reach the terminal.
    std::cout << fmt::format("{:>9}  {:>6}  {}\n", example->number(), example->size(),
                             to_json_string(example->reference().text()));
  }
  std::cout << fmt::format("\n{:>12}  {:>12}  {:>10}  {:>10}  parameter\n", "largest", "gradient",
                           "bad", "bad grad.");
  for (const ParameterReport& p : replayed.parameters) {
    std::cout << fmt::format("{:>12.4g}  {:>12.4g}  {:>10}  {:>10}  {}\n", p.largest_value,
                             p.gradient_norm, p.bad_values, p.bad_gradients, p.name);
  }
}

}  // namespace

int run_debug_step(const Words& words) {
  CommandLine line("debug step CHECKPOINT [options]",
                   "Makes the step that follows a checkpoint once more, without applying it: its "
                   "documents, losses and gradients. After a divergence, that step.",
                   "weft debug step out");
  line.positional("CHECKPOINT", "a checkpoint, or the output folder of a run");
  line.accept_json();
  line.accept_code();
  line.accept_threads();
  line.accept_overrides();
  if (!line.parse(words)) return 0;
  const Catalogue catalogue = load_catalogue(line);
  const fs::path checkpoint = checkpoint_at(line.path("CHECKPOINT"));
  const Config config = load_config(line, config_of_checkpoint(checkpoint), catalogue);
  const ReplayedStep replayed =
      replay_step(checkpoint, config, catalogue, choose_threads(line.number("threads", 0)));
  if (line.has("json")) {
    std::cout << to_standard_json(object_of(replayed)) << '\n';
  } else {
    print(replayed);
  }
  return 0;
}

}  // namespace weft::tools
