#include <filesystem>
#include <iostream>

#include <fmt/format.h>

#include "framework/io/pretty_json.h"
#include "framework/pipeline/build_pipeline.h"
#include "framework/pipeline/evaluation.h"
#include "framework/pipeline/score_weights.h"
#include "framework/pipeline/worker_pool.h"
#include "registry/error.h"
#include "registry/json.h"
#include "tools/commands.h"
#include "tools/data_file.h"
#include "tools/setup.h"

namespace weft::tools {
namespace {

std::string percent(const Node* score) {
  if (score == nullptr || score->is_null()) return "-";
  return fmt::format("{:.2f}", 100.0 * number_or_zero(*score));
}

void print_types(const Object& table) {
  std::size_t width = 4;
  for (const auto& [label, unused] : table) width = std::max(width, label.size());
  std::cout << fmt::format("\n{:<{}}  {:>6}  {:>6}  {:>6}\n", "", width, "P", "R", "F");
  for (const auto& [label, scores] : table) {
    const Object& row = scores.as_object();
    std::cout << fmt::format("{:<{}}  {:>6}  {:>6}  {:>6}\n", label, width, percent(row.find("p")),
                             percent(row.find("r")), percent(row.find("f")));
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

}  // namespace

int run_evaluate(const Words& words) {
  CommandLine line("evaluate PIPELINE DATA [options]",
                   "Scores a pipeline on annotated data: precision, recall and F in per cent.",
                   "weft evaluate out/model-best test.conll --json");
  line.positional("PIPELINE", "folder of a saved pipeline");
  line.positional("DATA", "annotated documents: .spacy or a folder of them, .conll, .iob, .jsonl");
  line.option("output,o", "FILE", "write the scores there as JSON");
  line.flag("gold-preproc", "use the words and sentences of the annotation");
  line.accept_json();
  line.accept_code();
  line.accept_gpu();
  line.accept_threads();
  if (!line.parse(words)) return 0;
  check_device(line);
  const Catalogue catalogue = load_catalogue(line);
  const auto nlp = load_pipeline(line.path("PIPELINE"), catalogue);
  WorkerPool pool(choose_threads(line.number("threads", 0)));
  Evaluation evaluation(*nlp, pool);
  read_examples(line.path("DATA"), *nlp, catalogue, line.has("gold-preproc"),
                [&](const ExamplePtr& example) { evaluation.add(*example); });
  const Scores scores = evaluation.finish();
  if (line.has("output")) write_output(line.path("output"), to_pretty_json(scores) + '\n');
  if (line.has("json")) {
    std::cout << to_json(scores) << '\n';
  } else {
    print_scores(scores);
  }
  return 0;
}

}  // namespace weft::tools
