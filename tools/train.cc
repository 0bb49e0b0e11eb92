#include <algorithm>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <optional>

#include <fmt/format.h>
#include <unistd.h>

#include "framework/comm/comm_error.h"
#include "framework/comm/launch.h"
#include "framework/ops/op_profile.h"
#include "framework/ops/profile_report.h"
#include "framework/pipeline/worker_pool.h"
#include "framework/training/train_pipeline.h"
#include "registry/base/error.h"
#include "registry/base/sha256.h"
#include "tools/begun_run.h"
#include "tools/commands.h"
#include "tools/interrupt.h"
#include "tools/rank_group.h"
#include "tools/run_start.h"
#include "tools/setup.h"
#include "tools/shell_word.h"
#include "tools/terminal.h"

namespace weft::tools {
namespace {

namespace fs = std::filesystem;

// The exit code of a run after which an old label is known less well than it may be.
constexpr int kForgotTooMuch = 6;

// A command that can be copied. It repeats --code, --pipelines, --n-workers, --max-restarts,
// --gpu-id and --threads, which neither config nor checkpoint holds, and no other options.
std::string how_to_resume(const CommandLine& line) {
  if (!line.has("output")) return "nothing was saved, for want of --output";
  std::string command = "weft train --resume --output " + shell_word(line.text("output"));
  for (const char* option : {"code", "pipelines"}) {
    for (const std::string& value : line.texts(option)) {
      command += fmt::format(" --{} {}", option, shell_word(value));
    }
  }
  for (const char* option : {"n-workers", "max-restarts", "gpu-id", "threads"}) {
    if (line.has(option)) command += fmt::format(" --{} {}", option, line.text(option));
  }
  return "model-last and a checkpoint are saved; to go on:\n  " + command;
}

void say_how_it_ended(const TrainedPipeline& trained, const Interrupt& interrupt,
                      const CommandLine& line) {
  const fs::path output = line.path("output");
  if (trained.end == RunEnd::interrupted) {
    std::cerr << fmt::format("interrupted by {}; {}\n", name_of_signal(interrupt.signal()),
                             how_to_resume(line));
    return;
  }
  std::cerr << "the run ended " << trained.how_it_ended << '\n';
  if (output.empty()) return;
  std::cerr << "saved in " << (output / "model-last").string() << " and model-best\n";
}

// Afterwards tells where the time of ops went, of updates and evaluations.
TrainedPipeline train_profiled(const Config& config, const Catalogue& catalogue,
                               const TrainOptions& options) {
  OpProfile profile;
  const ProfileScope scope(profile);
  TrainedPipeline trained = train_pipeline(config, catalogue, options, std::cout, std::cerr);
  const std::vector<OpShare> shares = profile.shares();
  const double seconds = seconds_of(shares);
  std::cerr << '\n'
            << time_table("op", by_op(shares), seconds) << '\n'
            << time_table("layer", by_layer(shares), seconds);
  return trained;
}

// Standard error says nothing while it lives: rank 0 warns for all.
class QuietErrors {
 public:
  explicit QuietErrors(bool is_quiet) : buffer_(std::cerr.rdbuf()) {
    if (is_quiet) std::cerr.rdbuf(nullptr);
  }
  // Of what each rank says itself.
  std::streambuf* buffer() const { return buffer_; }
  ~QuietErrors() {
    std::cerr.rdbuf(buffer_);
    std::cerr.clear();
  }
  QuietErrors(const QuietErrors&) = delete;
  QuietErrors& operator=(const QuietErrors&) = delete;

 private:
  std::streambuf* buffer_;
};

// Names, versions and hashes of --code, which all ranks have to load alike.
std::string describe_plugins(const CommandLine& line) {
  std::string text;
  for (const PluginInfo& plugin : inspect_plugins(line)) {
    text += fmt::format("{}{} {} {}", text.empty() ? "" : ", ", plugin.name, plugin.version,
                        sha256_of_file(plugin.file));
  }
  return text;
}

// The threads of each of so many ranks on this machine.
int threads_of(const CommandLine& line, int ranks) {
  const int asked = line.number("threads", 0);
  return asked != 0 ? choose_threads(asked) : std::max(1, choose_threads(0) / ranks);
}

int workers_of(const CommandLine& line, const Launch& launch) {
  const int workers = line.number("n-workers", 1);
  constexpr int most = 256;
  if (workers < 1 || workers > most) {
    throw Error(ErrorKind::usage, fmt::format("--n-workers is {}, not 1 to {}", workers, most));
  }
  if (line.number("max-restarts", 0) < 0) {
    throw Error(ErrorKind::usage, "--max-restarts is negative");
  }
  if (line.has("max-restarts") && !line.has("n-workers")) {
    throw Error(ErrorKind::usage, "--max-restarts needs --n-workers, whose ranks it restarts");
  }
  if (line.has("n-workers") && launch.size != 1) {
    throw Error(ErrorKind::usage,
                "--n-workers starts ranks of its own; a launcher has started several already");
  }
  return workers;
}

int run_as_rank(const CommandLine& line, const Launch& launch, int ranks_here, bool goes_on) {
  const QuietErrors quiet(!launch.is_root());
  std::ostream waits(quiet.buffer());
  const fs::path output = line.path("output");
  const RunStart start = start_of(line, output, launch, goes_on && !output.empty());
  check_device(line);
  const Catalogue catalogue = load_catalogue(line);
  const Config config = load_config(line, start.config, catalogue);
  const bool dry = line.has("dry-run");
  const bool draws = launch.is_root() && !dry && !line.has("no-progress") && draws_lines();
  if (output.empty() && !dry && launch.is_root()) {
    std::cerr << "note: nothing is saved; --output DIR says where the pipelines go\n";
  }
  // Until the first step there is nothing to save: a signal just ends the program.
  std::optional<Interrupt> interrupt;
  const TrainOptions options{.output = output,
                             .threads = threads_of(line, ranks_here),
                             .gpu = line.number("gpu-id", -1),
                             .progress_width = draws ? terminal_columns : std::function<int()>(),
                             .interrupted = [&] { return interrupt && interrupt->signal() != 0; },
                             .started = [&] { interrupt.emplace(); },
                             .resume_from = start.checkpoint,
                             .launch = launch,
                             .plugins = describe_plugins(line),
                             .err_is_terminal = ::isatty(STDERR_FILENO) != 0,
                             .dry_run = dry,
                             .starts_again = start.again,
                             .precision_debug = line.has("precision-debug"),
                             .verbose = line.has("verbose"),
                             .allow_mixed_hardware = line.has("allow-mixed-hardware"),
                             .overwrite = line.has("overwrite") || goes_on,
                             .waits = &waits};
  const TrainedPipeline trained =
      line.has("profile") ? train_profiled(config, catalogue, options)
                          : train_pipeline(config, catalogue, options, std::cout, std::cerr);
  if (dry) return 0;
  if (launch.is_root()) say_how_it_ended(trained, *interrupt, line);
  if (trained.end == RunEnd::interrupted) {
    // The signal may have come to another rank.
    return 128 + (interrupt->signal() != 0 ? interrupt->signal() : SIGTERM);
  }
  if (trained.lost_too_much.empty()) return 0;
  if (launch.is_root()) {
    std::cerr << "old labels lost more points of F than [training.rehearsal] max_drop allows: "
              << trained.lost_too_much << '\n';
  }
  return kForgotTooMuch;
}

// As a rank of several: a lost one ends the program at once, as operations that hang cannot be
// waited for.
int run_and_report(const CommandLine& line, const Launch& launch, int ranks_here, bool goes_on) {
  if (launch.size == 1 && launch.engine == "self") {
    return run_as_rank(line, launch, ranks_here, goes_on);
  }
  try {
    return run_as_rank(line, launch, ranks_here, goes_on);
  } catch (const AgreedFailure& error) {
    return exit_code(error.kind());
  } catch (const PeerLost& error) {
    std::cout.flush();
    std::cerr << "weft: " << error.what() << std::endl;
    ::_exit(kExitOfLostPeer);
  }
}

void accept_options(CommandLine& line) {
  line.positional("CONFIG", "the config, .cfg or .toml; with --resume the run's own if left out",
                  false);
  line.option("output,o", "DIR", "where the pipelines go; nothing is saved without it");
  line.also("output", {"--output-path"});
  line.flag("overwrite", "replace what an earlier run left in DIR");
  line.flag("resume", "go on from DIR/checkpoint; from the beginning if none was reached");
  line.option("checkpoint", "DIR", "with --resume: go on from this one");
  line.flag("dry-run", "check config and data, run the longest batch once and say what it takes");
  line.flag("profile", "time every op, and say at the end what each op and layer took");
  line.flag("no-progress", "draw no line on the terminal that shows how far the run is");
  line.flag("precision-debug", "name the layer of every gradient overflow, at the price of a pass");
  line.option("n-workers", "N", "train on N processes of this machine together");
  line.option("max-restarts", "N", "with --n-workers: go on so often after a process was lost");
  line.flag("allow-mixed-hardware", "let ranks run on other processors, and give up equal bytes");
  line.accept_code();
  line.accept_pipelines();
  line.accept_gpu();
  line.accept_threads();
  line.accept_overrides();
}

}  // namespace

int run_train(const Words& words) {
  CommandLine line(
      "train CONFIG [options]",
      "Trains the pipeline of a config; writes model-best, model-last, log.jsonl and checkpoints.",
      "weft train train.cfg --paths.train train.spacy --paths.dev dev.spacy --output out");
  accept_options(line);
  if (!line.parse(words)) return 0;
  const Launch launch = launch_from_environment();
  const int workers = workers_of(line, launch);
  if (!line.has("n-workers")) return run_and_report(line, launch, 1, false);
  GroupEnd end;
  const BegunRun run(line.path("output"));
  const auto rank = fork_ranks(
      workers, line.number("max-restarts", 0), [&] { return run.has_begun(); }, end);
  if (!rank) return end.code;
  return run_and_report(line, rank->launch, workers, rank->goes_on);
}

}  // namespace weft::tools
