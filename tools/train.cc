#include <filesystem>
#include <iostream>

#include <fmt/format.h>
#include <unistd.h>

#include "framework/pipeline/worker_pool.h"
#include "framework/training/train_pipeline.h"
#include "registry/error.h"
#include "tools/commands.h"
#include "tools/interrupt.h"
#include "tools/setup.h"

namespace weft::tools {
namespace {

namespace fs = std::filesystem;

void check_output(const CommandLine& line, const fs::path& output) {
  if (line.has("resume")) {
    throw Error(ErrorKind::usage, "--resume: known, not built yet; --overwrite starts anew");
  }
  if (output.empty() || !fs::exists(output)) return;
  if (!fs::is_directory(output)) {
    throw Error(ErrorKind::usage, fmt::format("{} is no folder", output.string()));
  }
  if (fs::is_empty(output) || line.has("overwrite")) return;
  throw Error(ErrorKind::usage,
              fmt::format("{} is not empty; --overwrite replaces what an earlier run left there",
                          output.string()));
}

}  // namespace

int run_train(const Words& words) {
  CommandLine line(
      "train CONFIG [options]",
      "Trains the pipeline of a config; writes model-best, model-last and log.jsonl.",
      "weft train ner.cfg --paths.train train.conll --paths.dev dev.conll --output out");
  line.positional("CONFIG", "the config, .cfg or .toml");
  line.option("output,o", "DIR", "where the pipelines go; nothing is saved without it");
  line.flag("overwrite", "replace what an earlier run left in DIR");
  line.flag("resume", "go on where an earlier run ended");
  line.flag("dry-run", "build and initialise everything, but train nothing");
  line.accept_code();
  line.accept_gpu();
  line.accept_threads();
  line.accept_overrides();
  if (!line.parse(words)) return 0;
  const fs::path output = line.path("output");
  check_output(line, output);
  check_device(line);
  const Catalogue catalogue = load_catalogue(line);
  const Config config = load_config(line, line.path("CONFIG"), catalogue);
  const Interrupt interrupt;
  const TrainOptions options{.output = output,
                             .threads = choose_threads(line.number("threads", 0)),
                             .err_is_terminal = ::isatty(STDERR_FILENO) != 0,
                             .dry_run = line.has("dry-run"),
                             .interrupted = [&] { return interrupt.signal() != 0; }};
  train_pipeline(config, catalogue, options, std::cout, std::cerr);
  if (interrupt.signal() != 0) {
    std::cerr << "interrupted" << (output.empty() ? "" : "; model-last is saved") << '\n';
    return 128 + interrupt.signal();
  }
  if (!output.empty() && !line.has("dry-run")) {
    std::cerr << "saved in " << (output / "model-last").string() << " and model-best\n";
  }
  return 0;
}

}  // namespace weft::tools
