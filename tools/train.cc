#include <filesystem>
#include <iostream>
#include <optional>

#include <fmt/format.h>
#include <unistd.h>

#include "framework/ops/op_profile.h"
#include "framework/ops/profile_report.h"
#include "framework/pipeline/worker_pool.h"
#include "framework/training/checkpoint.h"
#include "framework/training/train_pipeline.h"
#include "registry/base/error.h"
#include "tools/commands.h"
#include "tools/interrupt.h"
#include "tools/setup.h"

namespace weft::tools {
namespace {

namespace fs = std::filesystem;

// What the words ask for: a fresh run, or one that goes on.
struct Start {
  fs::path config = {};      // file
  fs::path checkpoint = {};  // "": from the beginning
  bool again = false;        // an earlier run ended before its first checkpoint
};

bool has_content(const fs::path& output) {
  if (output.empty() || !fs::exists(output)) return false;
  if (!fs::is_directory(output)) {
    throw Error(ErrorKind::usage, fmt::format("{} is no folder", output.string()));
  }
  return !fs::is_empty(output);
}

void refuse_content(const CommandLine& line, const fs::path& output, const char* advice) {
  if (!has_content(output) || line.has("overwrite")) return;
  throw Error(ErrorKind::usage, fmt::format("{} is not empty; {}--overwrite replaces what an "
                                            "earlier run left there",
                                            output.string(), advice));
}

Start fresh_start(const CommandLine& line, const fs::path& output) {
  if (line.has("checkpoint")) {
    throw Error(ErrorKind::usage, "--checkpoint says where --resume goes on; give both");
  }
  if (line.text("CONFIG").empty()) throw Error(ErrorKind::usage, "CONFIG is missing");
  refuse_content(line, output, "--resume goes on from its checkpoint, ");
  return {.config = line.path("CONFIG")};
}

// No checkpoint was reached: from the beginning, with the config given or the one the run noted.
Start start_again(const CommandLine& line, const fs::path& output) {
  Start start{.config = line.path("CONFIG"), .again = true};
  if (start.config.empty()) start.config = output / "config.cfg";
  if (!fs::exists(start.config)) {
    throw Error(ErrorKind::usage,
                fmt::format("{} holds neither a checkpoint nor the config of a run; give the "
                            "config to start from the beginning",
                            output.string()));
  }
  std::cerr << fmt::format("no checkpoint in {}: the run starts from the beginning\n",
                           output.string());
  return start;
}

Start resumed_start(const CommandLine& line, const fs::path& output) {
  if (output.empty()) {
    throw Error(ErrorKind::usage, "--resume needs the --output of the run that goes on");
  }
  const bool elsewhere = line.has("checkpoint");
  const fs::path checkpoint = elsewhere ? line.path("checkpoint") : output / "checkpoint";
  if (!is_checkpoint(checkpoint)) {
    if (!elsewhere) return start_again(line, output);
    throw Error(ErrorKind::usage, fmt::format("{} is no checkpoint", checkpoint.string()));
  }
  std::error_code unknown;
  const bool same_run = fs::equivalent(checkpoint / "..", output, unknown);
  if (!same_run) refuse_content(line, output, "");
  Start start{.config = line.path("CONFIG"), .checkpoint = checkpoint};
  if (start.config.empty()) start.config = config_of_checkpoint(checkpoint);
  return start;
}

std::string how_to_resume(const fs::path& output) {
  if (output.empty()) return "nothing was saved, for want of --output";
  return fmt::format(
      "model-last and a checkpoint are saved; to go on:\n  weft train --resume "
      "--output {}",
      output.string());
}

// Afterwards tells where the time of ops went, of updates and evaluations.
void train_profiled(const Config& config, const Catalogue& catalogue, const TrainOptions& options) {
  OpProfile profile;
  const ProfileScope scope(profile);
  train_pipeline(config, catalogue, options, std::cout, std::cerr);
  const std::vector<OpShare> shares = profile.shares();
  const double seconds = seconds_of(shares);
  std::cerr << '\n'
            << time_table("op", by_op(shares), seconds) << '\n'
            << time_table("layer", by_layer(shares), seconds);
}

}  // namespace

int run_train(const Words& words) {
  CommandLine line(
      "train CONFIG [options]",
      "Trains the pipeline of a config; writes model-best, model-last, log.jsonl and checkpoints.",
      "weft train ner.cfg --paths.train train.conll --paths.dev dev.conll --output out");
  line.positional("CONFIG", "the config, .cfg or .toml; with --resume the run's own if left out",
                  false);
  line.option("output,o", "DIR", "where the pipelines go; nothing is saved without it");
  line.flag("overwrite", "replace what an earlier run left in DIR");
  line.flag("resume", "go on from DIR/checkpoint; from the beginning if none was reached");
  line.option("checkpoint", "DIR", "with --resume: go on from this one");
  line.flag("dry-run", "check config and data, run the longest batch once and say what it takes");
  line.flag("profile", "time every op, and say at the end what each op and layer took");
  line.flag("precision-debug", "name the layer of every gradient overflow, at the price of a pass");
  line.accept_code();
  line.accept_gpu();
  line.accept_threads();
  line.accept_overrides();
  if (!line.parse(words)) return 0;
  const fs::path output = line.path("output");
  const Start start = line.has("resume") ? resumed_start(line, output) : fresh_start(line, output);
  check_device(line);
  const Catalogue catalogue = load_catalogue(line);
  const Config config = load_config(line, start.config, catalogue);
  // Until the first step there is nothing to save: a signal just ends the program.
  std::optional<Interrupt> interrupt;
  const TrainOptions options{.output = output,
                             .threads = choose_threads(line.number("threads", 0)),
                             .gpu = line.number("gpu-id", -1),
                             .err_is_terminal = ::isatty(STDERR_FILENO) != 0,
                             .dry_run = line.has("dry-run"),
                             .interrupted = [&] { return interrupt && interrupt->signal() != 0; },
                             .started = [&] { interrupt.emplace(); },
                             .resume_from = start.checkpoint,
                             .starts_again = start.again,
                             .precision_debug = line.has("precision-debug"),
                             .verbose = line.has("verbose"),
                             .overwrite = line.has("overwrite")};
  if (line.has("profile")) {
    train_profiled(config, catalogue, options);
  } else {
    train_pipeline(config, catalogue, options, std::cout, std::cerr);
  }
  if (interrupt && interrupt->signal() != 0) {
    std::cerr << "interrupted; " << how_to_resume(output) << '\n';
    return 128 + interrupt->signal();
  }
  if (!output.empty() && !line.has("dry-run")) {
    std::cerr << "saved in " << (output / "model-last").string() << " and model-best\n";
  }
  return 0;
}

}  // namespace weft::tools
