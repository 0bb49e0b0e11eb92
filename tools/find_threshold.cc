#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "framework/io/atomic_file.h"
#include "framework/io/construction.h"
#include "framework/io/pretty_json.h"
#include "framework/io/random_letters.h"
#include "framework/io/temporary_folder.h"
#include "framework/pipeline/build_pipeline.h"
#include "framework/pipeline/choose_device.h"
#include "framework/pipeline/component_name.h"
#include "framework/pipeline/evaluation.h"
#include "framework/pipeline/score_weights.h"
#include "framework/pipeline/worker_pool.h"
#include "framework/text/printable.h"
#include "registry/base/error.h"
#include "registry/base/input_file.h"
#include "registry/value/json.h"
#include "tools/commands.h"
#include "tools/data_file.h"
#include "tools/setup.h"
#include "tools/standard_streams.h"

namespace weft::tools {
namespace {

namespace fs = std::filesystem;

constexpr int kTrials = 11;
constexpr int kMostTrials = 10000;

struct Trial {
  double threshold = 0;
  double score = 0;
};

// Gives a component another value of a setting that it keeps in its own file `cfg`, which goes
// before the config's. The rest of its state stays.
void set_in_cfg(Component& component, const std::string& key, double value) {
  if (!component.has_state()) return;
  // A folder of its own for each call. Nothing commits it, so that it is removed.
  const std::string name = "weft-" + random_letters("abcdefghijklmnop", 16);
  const AtomicFolder scratch(temporary_folder() / name);
  component.to_disk(scratch.path());
  const fs::path file = scratch.path() / "cfg";
  if (!is_there(file)) return;
  auto cfg = parse_json(read_file(file, kMostSettings));
  if (!cfg || !cfg->is_object() || !cfg->as_object().contains(key)) return;
  cfg->as_object().set(key, value);
  write_file(file, to_pretty_json(cfg->as_object()));
  component.from_disk(scratch.path());
}

// The names of the numbers in a component's block.
std::vector<std::string> numbers_of(const Config& config, const std::string& block) {
  std::vector<std::string> names;
  const Node* settings = config.find(block);
  if (settings == nullptr || !settings->is_object()) return names;
  for (const auto& [name, value] : settings->as_object()) {
    if (value.is_float() || value.is_integer()) names.push_back(name);
  }
  return names;
}

// Every trial reads the documents.
void refuse_pipe(const std::string& file) {
  std::error_code unknown;  // reading the file says why
  const fs::file_status status = fs::status(file, unknown);
  if (!fs::is_fifo(status) && !fs::is_socket(status) && !fs::is_character_file(status)) return;
  throw Error(
      ErrorKind::usage,
      fmt::format("'{}' is a pipe, and DATA is read more than once; write it to a file first",
                  printable(file)));
}

class Search {
 public:
  Search(const CommandLine& line, const Catalogue& catalogue)
      : line_(line),
        catalogue_(catalogue),
        pool_(choose_threads(line.number("threads", 0))),
        component_(line.text("COMPONENT")),
        key_(line.text("THRESHOLD_KEY")),
        path_(fmt::format("components.{}.{}", component_, key_)) {
    const auto nlp = load_pipeline(line.path("PIPELINE"), catalogue);
    check(*nlp);
  }

  std::vector<Trial> run(int trials) {
    std::vector<Trial> results;
    for (int i = 0; i < trials; ++i) {
      const double threshold = i == 0 ? 0.0 : i == trials - 1 ? 1.0 : i * (1.0 / (trials - 1));
      results.push_back({threshold, score(threshold)});
      if (line_.has("json")) continue;
      if (i == 0)
        std::cout << fmt::format("{:<10}  {}\n", "Threshold", printable_brief(score_name()));
      std::cout << fmt::format("{:<10.3f}  {:.3f}\n", threshold, results.back().score)
                << std::flush;
    }
    return results;
  }

  std::string score_name() const { return line_.text("SCORES_KEY"); }

 private:
  void check(const Language& nlp) const {
    std::vector<std::string> names;
    for (const NamedComponent& pipe : nlp.pipeline()) names.push_back(pipe.name);
    if (nlp.find(component_) == nullptr) {
      throw Error(ErrorKind::usage, fmt::format("the pipeline has no component '{}'; it has: {}",
                                                printable(component_), fmt::join(names, ", ")));
    }
    if (nlp.config().find(path_) != nullptr) return;
    const auto numbers = numbers_of(nlp.config(), "components." + component_);
    const std::string said =
        numbers.empty() ? "none of its settings is a number"
                        : fmt::format("numbers among its settings: {}", fmt::join(numbers, ", "));
    throw Error(ErrorKind::usage, fmt::format("the component '{}' has no setting '{}'; {}",
                                              component_, printable(key_), said));
  }

  // The pipeline is loaded anew for every trial, since components take their settings when they are
  // made.
  double score(double threshold) {
    const Overrides overrides = {{path_, Node(threshold)}};
    const auto nlp = load_pipeline(line_.path("PIPELINE"), catalogue_, overrides);
    set_in_cfg(*nlp->find(component_), key_, threshold);
    run_on_gpu(*nlp, line_.number("gpu-id", -1));
    Evaluation evaluation(*nlp, pool_);
    read_examples(input_name(line_.text("DATA")), *nlp, catalogue_,
                  {.gold_preproc = line_.has("gold-preproc")},
                  [&](const ExamplePtr& example) { evaluation.add(std::move(*example)); });
    return number_in(evaluation.finish());
  }

  double number_in(const Scores& scores) const {
    const Node* score = scores.find(score_name());
    if (score != nullptr && (score->is_float() || score->is_integer())) {
      return number_or_zero(*score);
    }
    std::vector<std::string> names;
    for (const auto& [name, value] : scores) {
      if (value.is_float() || value.is_integer()) names.push_back(name);
    }
    throw Error(ErrorKind::usage, fmt::format("the evaluation gives no number '{}'; it gives: {}",
                                              printable(score_name()), fmt::join(names, ", ")));
  }

  const CommandLine& line_;
  const Catalogue& catalogue_;
  WorkerPool pool_;
  std::string component_, key_, path_;
};

void print_json(const std::vector<Trial>& trials, const Trial& best) {
  List list;
  for (const Trial& trial : trials) {
    Object row;
    row.set("threshold", trial.threshold);
    row.set("score", trial.score);
    list.emplace_back(std::move(row));
  }
  Object document;
  document.set("threshold", best.threshold);
  document.set("score", best.score);
  document.set("trials", std::move(list));
  std::cout << to_standard_json(document) << '\n';
}

// "0.0" for a whole number, as the table's other numbers have a point.
std::string decimal(double number) {
  const std::string text = fmt::format("{}", number);
  return text.find_first_not_of("-0123456789") == std::string::npos ? text + ".0" : text;
}

void tell(const CommandLine& line, const std::vector<Trial>& trials, const std::string& score) {
  const auto less = [](const Trial& a, const Trial& b) { return a.score < b.score; };
  const Trial& best = *std::ranges::max_element(trials, less);  // the first of equals
  const Trial& worst = *std::ranges::min_element(trials, less);
  if (line.has("json")) print_json(trials, best);
  if (best.score == worst.score) {
    std::cerr << "warning: all scores are equal: does the setting matter for this score? (for "
                 "textcat_multilabel: cats_macro_f or cats_micro_f)\n";
  } else if (!line.has("json")) {
    std::cout << fmt::format("\nBest threshold: {} with {} value of {}.\n",
                             decimal(std::round(best.threshold * 1e4) / 1e4),
                             printable_brief(score), decimal(best.score));
  }
}

}  // namespace

int run_find_threshold(const Words& words) {
  CommandLine line("find-threshold PIPELINE DATA COMPONENT THRESHOLD_KEY SCORES_KEY [options]",
                   "Evaluates a pipeline with one threshold after the other, from 0 to 1.",
                   "weft find-threshold out/model-best dev.spacy spancat threshold spans_sc_f");
  line.positional("PIPELINE", "folder of a saved pipeline");
  line.positional("DATA", "annotated documents");
  line.positional("COMPONENT", "name of the component");
  line.positional("THRESHOLD_KEY", "its setting that is tried, mostly `threshold`");
  line.positional("SCORES_KEY", "the score that shall be high: cats_macro_f, spans_sc_f");
  line.option("n_trials,n", "N", "thresholds that are tried, 11 by default");
  line.flag("gold-preproc,G", "use the words and sentences of the annotation");
  line.flag("verbose,V", "nothing more is told; for command lines that have it");
  line.also("verbose", {"-VV"});
  line.accept_json();
  line.accept_code();
  line.accept_pipelines();
  line.accept_gpu();
  line.accept_threads();
  if (!line.parse(words)) return 0;
  const int trials = line.number_within("n_trials", kTrials, 1, kMostTrials);
  refuse_pipe(input_name(line.text("DATA")));
  check_device(line);
  const Catalogue catalogue = load_catalogue(line);
  Search search(line, catalogue);
  tell(line, search.run(trials), search.score_name());
  return 0;
}

}  // namespace weft::tools
