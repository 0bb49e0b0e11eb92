#include "framework/training/pretraining/pretrain.h"

#include <filesystem>
#include <iostream>
#include <optional>

#include <fmt/format.h>

#include "framework/pipeline/worker_pool.h"
#include "framework/training/run_folder.h"
#include "framework/training/run_folder_contents.h"
#include "registry/base/error.h"
#include "tools/commands.h"
#include "tools/interrupt.h"
#include "tools/setup.h"
#include "tools/shell_word.h"

namespace weft::tools {
namespace {

namespace fs = std::filesystem;

void check_options(const CommandLine& line, const fs::path& folder) {
  const bool resumes = line.has("resume");
  if (resumes && line.has("resume-path")) {
    throw Error(
        ErrorKind::usage,
        "--resume goes on to the same bytes from a checkpoint, --resume-path begins another "
        "run with old weights; give one of the two");
  }
  if (line.has("epoch-resume") && !line.has("resume-path")) {
    throw Error(ErrorKind::usage, "--epoch-resume needs the weights of --resume-path");
  }
  if (resumes || line.has("overwrite") || !has_content(folder)) return;
  if (goes_on_there(line.path("resume-path"), folder)) return;
  throw Error(ErrorKind::usage,
              fmt::format("{} is not empty; --resume goes on from its checkpoint, --overwrite "
                          "replaces what an earlier run left there",
                          folder.string()));
}

// A run that ended before its first checkpoint starts from the beginning.
bool resumes_from_checkpoint(const CommandLine& line, const fs::path& folder) {
  if (!line.has("resume")) return false;
  repair_run_folder(folder);
  refuse_linked_checkpoint(folder, folder / "checkpoint");
  refuse_other_kind(folder, RunKind::pretraining);
  if (fs::exists(folder / "checkpoint" / "state.json")) return true;
  if (!line.has("overwrite")) refuse_to_start_again(folder, "config.cfg");
  std::cerr << fmt::format("no checkpoint in {}: the run starts from the beginning\n",
                           folder.string());
  return false;
}

std::optional<std::int64_t> first_pass(const CommandLine& line) {
  if (!line.has("epoch-resume")) return std::nullopt;
  const int pass = line.number("epoch-resume", 0);
  if (pass >= 0) return pass;
  throw Error(ErrorKind::usage, fmt::format("--epoch-resume takes a pass from 0 on, not {}", pass));
}

void say_how_it_ended(const PretrainResult& result, const Interrupt& interrupt,
                      const fs::path& folder) {
  if (!result.finished) {
    std::cerr << fmt::format(
        "interrupted by {}; a checkpoint is saved; to go on:\n  weft pretrain "
        "CONFIG {} --resume\n",
        name_of_signal(interrupt.signal()), shell_word(folder.string()));
    return;
  }
  std::cerr << fmt::format("pretrained to the end of pass {}, {} words; the weights are in {}\n",
                           result.state.pass - 1, result.state.words, folder.string());
}

}  // namespace

int run_pretrain(const Words& words) {
  CommandLine line("pretrain CONFIG DIR [options]",
                   "Trains an embedding to predict masked words of raw text; [initialize] "
                   "init_tok2vec loads what it writes.",
                   "weft pretrain train.cfg pretrained --paths.raw_text texts.jsonl");
  line.positional("CONFIG", "the config, with a section [pretraining]");
  line.positional("DIR", "the folder for modelN.bin, model-last.bin, log.jsonl, a checkpoint");
  line.flag("resume", "go on from DIR/checkpoint, to the same bytes as without the break");
  line.option("resume-path,r", "FILE", "begin with these weights of an earlier run");
  line.option("epoch-resume", "N",
              "with --resume-path: the pass that comes next; else by its name");
  line.also("epoch-resume", {"-er"});
  line.flag("skip-last,L", "write no model-last.bin");
  line.flag("overwrite", "replace what an earlier run left in DIR");
  line.flag("json", "JSON lines on standard output, one for each save");
  line.accept_code();
  line.accept_pipelines();
  line.accept_threads();
  line.accept_overrides();
  if (!line.parse(words)) return 0;
  const fs::path folder = line.path("DIR");
  check_options(line, folder);
  const Catalogue catalogue = load_catalogue(line);
  const Config config = load_config(line, line.path("CONFIG"), catalogue);
  std::optional<Interrupt> interrupt;
  const PretrainOptions options{
      .output = folder,
      .threads = choose_threads(line.number("threads", 0)),
      .resume = resumes_from_checkpoint(line, folder),
      .weights = line.path("resume-path"),
      .first_pass = first_pass(line),
      .skip_last = line.has("skip-last"),
      .json = line.has("json"),
      .interrupted = [&] { return interrupt && interrupt->signal() != 0; },
      .started = [&] { interrupt.emplace(); }};
  const PretrainResult result = pretrain(config, catalogue, options, std::cout, std::cerr);
  say_how_it_ended(result, *interrupt, folder);
  return result.finished ? 0 : 128 + interrupt->signal();
}

}  // namespace weft::tools
