#include <filesystem>
#include <iostream>
#include <utility>

#include <fmt/format.h>

#include "framework/io/pretty_json.h"
#include "framework/pipeline/build_pipeline.h"
#include "framework/pipeline/choose_device.h"
#include "framework/pipeline/compare_predictions.h"
#include "framework/pipeline/evaluation.h"
#include "framework/pipeline/score_weights.h"
#include "framework/pipeline/worker_pool.h"
#include "framework/text/printable.h"
#include "registry/base/error.h"
#include "registry/value/json.h"
#include "tools/commands.h"
#include "tools/data_file.h"
#include "tools/documents.h"
#include "tools/precision_option.h"
#include "tools/setup.h"

namespace weft::tools {
namespace {

std::string percent(const Node* score) {
  if (score == nullptr || score->is_null()) return "-";
  return fmt::format("{:.2f}", 100.0 * number_or_zero(*score));
}

constexpr std::size_t kMostTypes = 1000;  // of a table

void print_types(const Object& table) {
  std::size_t width = 4;
  for (const auto& [label, unused] : table) width = std::max(width, printable_brief(label).size());
  std::cout << fmt::format("\n{:<{}}  {:>6}  {:>6}  {:>6}\n", "", width, "P", "R", "F");
  std::size_t rows = 0;
  for (const auto& [label, scores] : table) {
    if (++rows > kMostTypes) break;
    const Object& row = scores.as_object();
    std::cout << fmt::format("{:<{}}  {:>6}  {:>6}  {:>6}\n", printable_brief(label), width,
                             percent(row.find("p")), percent(row.find("r")),
                             percent(row.find("f")));
  }
  if (rows > kMostTypes) {
    std::cout << fmt::format("... and {} more; --json has all\n", table.size() - kMostTypes);
  }
}

// Scores by name, then the tables of those that have one per type.
void print_scores(const Scores& scores) {
  constexpr std::size_t kWidth = 14;
  for (const auto& [name, score] : scores) {
    if (score.is_object()) continue;
    if (name == "speed") {
      std::cout << fmt::format("{:<{}}{:>10.0f} words/s\n", name, kWidth, number_or_zero(score));
    } else {
      std::cout << fmt::format("{:<{}}{:>10}\n", name, kWidth, percent(&score));
    }
  }
  for (const auto& [name, score] : scores) {
    if (score.is_object() && !score.as_object().empty()) print_types(score.as_object());
  }
}

double score_of(const Scores& scores, std::string_view name) {
  const Node* score = scores.find(name);
  return score == nullptr || score->is_null() ? 0.0 : number_or_zero(*score);
}

// "speed" is no property of the predictions.
void print_comparison(const PredictionComparison& comparison, const std::string& level) {
  std::cout << fmt::format("{:<14}{:>10}{:>10}{:>12}\n", "", "f32", level, "difference");
  for (const auto& [name, score] : comparison.level) {
    if (score.is_object() || name == "speed") continue;
    const double before = score_of(comparison.f32, name), after = score_of(comparison.level, name);
    std::cout << fmt::format("{:<14}{:>10}{:>10}{:>+12.2f}\n", name,
                             percent(comparison.f32.find(name)), percent(&score),
                             100.0 * (after - before));
  }
  std::cout << fmt::format("{} of {} documents have other predictions\n", comparison.different,
                           comparison.documents);
}

Object object_of(const PredictionComparison& comparison) {
  Object object;
  object.set("f32", comparison.f32);
  object.set("level", comparison.level);
  object.set("documents", static_cast<std::int64_t>(comparison.documents));
  object.set("different_documents", static_cast<std::int64_t>(comparison.different));
  return object;
}

// Documents are predicted twice: all of them are in memory.
int compare(const CommandLine& line, Language& nlp, const Catalogue& catalogue, WorkerPool& pool) {
  if (!line.has("precision")) {
    throw Error(ErrorKind::usage, "--compare-precision needs a level: --precision O2");
  }
  const std::string level = line.text("precision");
  std::vector<Example> examples;
  read_examples(line.path("DATA"), nlp, catalogue, line.has("gold-preproc"),
                [&](const ExamplePtr& example) { examples.push_back(*example); });
  const PredictionComparison comparison =
      compare_predictions(nlp, policy_of_level(level), examples, pool);
  if (line.has("output")) {
    write_output(line.path("output"), to_pretty_json(object_of(comparison)) + '\n');
  }
  if (line.has("json")) {
    std::cout << to_standard_json(object_of(comparison)) << '\n';
  } else {
    print_comparison(comparison, level);
  }
  return 0;
}

}  // namespace

int run_evaluate(const Words& words) {
  CommandLine line("evaluate PIPELINE DATA [options]",
                   "Scores a pipeline on annotated data: precision, recall and F in per cent.",
                   "weft evaluate out/model-best test.conll --json");
  line.positional("PIPELINE", "folder of a saved pipeline");
  line.positional("DATA", "annotated documents: .spacy or a folder of them, .conll, .iob, .jsonl");
  line.option("output,o", "FILE", "write the scores there as JSON");
  line.flag("gold-preproc", "use the words and sentences of the annotation");
  line.accept_precision();
  line.flag("compare-precision", "evaluate in f32 too, and show what --precision changes");
  line.accept_json();
  line.accept_code();
  line.accept_gpu();
  line.accept_threads();
  if (!line.parse(words)) return 0;
  if (line.has("output")) refuse_output_on_input(line.path("output"), line.path("DATA"));
  check_device(line);
  const Catalogue catalogue = load_catalogue(line);
  const auto nlp = load_pipeline(line.path("PIPELINE"), catalogue);
  WorkerPool pool(choose_threads(line.number("threads", 0)));
  run_on_gpu(*nlp, line.number("gpu-id", -1));
  if (line.has("compare-precision")) return compare(line, *nlp, catalogue, pool);
  follow_precision(line, *nlp);
  Evaluation evaluation(*nlp, pool);
  read_examples(line.path("DATA"), *nlp, catalogue, line.has("gold-preproc"),
                [&](const ExamplePtr& example) { evaluation.add(std::move(*example)); });
  const Scores scores = evaluation.finish();
  if (line.has("output")) write_output(line.path("output"), to_pretty_json(scores) + '\n');
  if (line.has("json")) {
    std::cout << to_standard_json(scores) << '\n';
  } else {
    print_scores(scores);
  }
  return 0;
}

}  // namespace weft::tools
