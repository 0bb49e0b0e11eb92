#include <filesystem>
#include <iostream>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "framework/io/pretty_json.h"
#include "framework/parser/confidence_fit.h"
#include "framework/pipeline/choose_device.h"
#include "framework/pipeline/compare_predictions.h"
#include "framework/pipeline/evaluation.h"
#include "framework/pipeline/find_pipeline.h"
#include "framework/pipeline/prf_row.h"
#include "framework/pipeline/score_weights.h"
#include "framework/pipeline/threshold_sweep.h"
#include "framework/pipeline/worker_pool.h"
#include "framework/text/printable.h"
#include "registry/base/error.h"
#include "registry/value/json.h"
#include "tools/commands.h"
#include "tools/component_choice.h"
#include "tools/data_file.h"
#include "tools/documents.h"
#include "tools/evaluation_pages.h"
#include "tools/precision_option.h"
#include "tools/setup.h"
#include "tools/standard_streams.h"

namespace weft::tools {
namespace {

std::string percent(const Node* score) {
  if (score == nullptr || score->is_null()) return "-";
  return fmt::format("{:.2f}", 100.0 * number_or_zero(*score));
}

constexpr std::size_t kMostTypes = 1000;  // of a table

// A row for each label: P, R and F, or the one number that it has.
void print_types(const std::string& name, const Object& table) {
  std::size_t width = name.size();
  for (const auto& [label, unused] : table) width = std::max(width, printable_brief(label).size());
  const auto& [first_label, first] = *table.begin();
  const bool has_columns = first.is_object();
  std::cout << fmt::format("\n{:<{}}", name, width)
            << (has_columns ? fmt::format("  {:>6}  {:>6}  {:>6}\n", "P", "R", "F") : "\n");
  std::size_t rows = 0;
  for (const auto& [label, scores] : table) {
    if (++rows > kMostTypes) break;
    std::cout << fmt::format("{:<{}}  ", printable_brief(label), width);
    if (scores.is_object()) {
      const Object& row = scores.as_object();
      std::cout << fmt::format("{:>6}  {:>6}  {:>6}\n", percent(row.find("p")),
                               percent(row.find("r")), percent(row.find("f")));
    } else {
      std::cout << fmt::format("{:>6}\n", percent(&scores));
    }
  }
  if (rows > kMostTypes) {
    std::cout << fmt::format("... and {} more; --json has all\n", table.size() - kMostTypes);
  }
}

// Scores by name, then the tables of those that have one per type.
void print_scores(const Scores& scores) {
  constexpr std::size_t kWidth = 16;
  for (const auto& [name, score] : scores) {
    if (score.is_object() || score.is_list()) continue;
    if (!is_fraction(name)) {
      std::cout << fmt::format("{:<{}}{:>10.0f} words/s\n", name, kWidth, number_or_zero(score));
    } else if (score.is_string()) {
      std::cout << fmt::format("{:<{}}{:>10}\n", name, kWidth, printable_brief(score.as_string()));
    } else {
      std::cout << fmt::format("{:<{}}{:>10}\n", name, kWidth, percent(&score));
    }
  }
  for (const auto& [name, score] : scores) {
    if (score.is_object() && !score.as_object().empty()) print_types(name, score.as_object());
  }
}

void require_confidences(const Language& nlp) {
  if (gives_confidences(nlp)) return;
  throw Error(ErrorKind::usage,
              "--thresholds: the entities of this pipeline have no scores; `weft calibrate` fits "
              "them to annotated documents (docs/confidence.md)");
}

Node table_of(const std::vector<ThresholdRow>& rows) {
  List table;
  for (const ThresholdRow& row : rows) {
    Object object;
    object.set("threshold", row.threshold);
    object.set("entities", row.prf.true_positives + row.prf.false_positives);
    for (auto& [name, share] : row_of(row.prf)) object.set(name, std::move(share));
    table.emplace_back(std::move(object));
  }
  return table;
}

void print_thresholds(const std::vector<ThresholdRow>& rows) {
  std::cout << fmt::format("\n{:>9}  {:>8}  {:>6}  {:>6}  {:>6}\n", "threshold", "entities", "P",
                           "R", "F");
  for (const auto& [threshold, prf] : rows) {
    std::cout << fmt::format("{:>9.2f}  {:>8}  {:>6.2f}  {:>6.2f}  {:>6.2f}\n", threshold,
                             prf.true_positives + prf.false_positives, 100 * prf.precision(),
                             100 * prf.recall(), 100 * prf.f_score());
  }
}

double score_of(const Scores& scores, std::string_view name) {
  const Node* score = scores.find(name);
  return score == nullptr || score->is_null() ? 0.0 : number_or_zero(*score);
}

// Speed is no property of the predictions.
void print_comparison(const PredictionComparison& comparison, const std::string& level) {
  std::cout << fmt::format("{:<14}{:>10}{:>10}{:>12}\n", "", "f32", level, "difference");
  for (const auto& [name, score] : comparison.level) {
    if (score.is_object() || score.is_string() || !is_fraction(name)) continue;
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

// A part for each component.
void print_by_component(const Scores& scores) {
  bool first = true;
  for (const auto& [component, own] : scores) {
    if (!own.is_object() || own.as_object().empty()) continue;
    std::cout << (first ? "" : "\n") << printable_brief(component) << '\n';
    first = false;
    print_scores(own.as_object());
  }
}

DataOptions data_options(const CommandLine& line) {
  return {line.has("gold-preproc"), misaligned_policy(line), tag_names_of(line)};
}

// Documents are predicted twice: all of them are in memory.
int compare(const CommandLine& line, Language& nlp, const Catalogue& catalogue, WorkerPool& pool) {
  if (!line.has("precision")) {
    throw Error(ErrorKind::usage, "--compare-precision needs a level: --precision O2");
  }
  for (const char* other : {"thresholds", "displacy-path", "per-component"}) {
    if (!line.has(other)) continue;
    throw Error(ErrorKind::usage,
                fmt::format("--compare-precision compares two levels; leave --{} out", other));
  }
  const std::string level = line.text("precision");
  std::vector<Example> examples;
  read_examples(input_name(line.text("DATA")), nlp, catalogue, data_options(line),
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

void accept_options(CommandLine& line) {
  line.positional("PIPELINE", "folder of a saved pipeline");
  line.positional(
      "DATA", "annotated documents: .spacy or a folder of them, .conll, .iob, .csv, .jsonl, .json");
  line.option("output,o", "FILE", "write the scores there as JSON");
  line.option("misaligned", "POLICY",
              "entities that do not fall on tokens: error (the default), drop, expand, contract");
  line.option("tag-names", "NAMES", "of tags that records give as numbers: O,B-PER,I-PER");
  line.flag("per-component,P", "the scores of each component under its name");
  line.option("displacy-path", "DIR", "draw documents with their predictions there, as pages");
  line.option("displacy-limit", "N", "documents that are drawn (25)");
  line.option("spans-key", "KEY", "the group of spans that is drawn (sc)");
  line.also("displacy-path", {"-dp"});
  line.also("displacy-limit", {"-dl"});
  line.also("spans-key", {"-sk"});
  line.flag("gold-preproc,G", "use the words and sentences of the annotation");
  line.flag("thresholds",
            "precision and recall of entities, were those below a score left out (needs scores: "
            "docs/confidence.md)");
  line.accept_precision();
  line.flag("compare-precision", "evaluate in f32 too, and show what --precision changes");
  accept_component_choice(line);
  line.accept_json();
  line.accept_code();
  line.accept_pipelines();
  line.accept_gpu();
  line.accept_threads();
}

void refuse_outputs_on_inputs(const CommandLine& line) {
  std::vector<std::filesystem::path> outputs = EvaluationPages::files(line);
  if (line.has("output")) outputs.push_back(line.path("output"));
  for (const std::filesystem::path& output : outputs) {
    refuse_output_on_input(output, input_name(line.text("DATA")));
    refuse_output_on_input(output, find_pipeline(line.text("PIPELINE")));
  }
}

}  // namespace

int run_evaluate(const Words& words) {
  CommandLine line("evaluate PIPELINE DATA [options]",
                   "Scores a pipeline on annotated data: precision, recall and F in per cent.",
                   "weft evaluate out/model-best test.conll --json");
  accept_options(line);
  if (!line.parse(words)) return 0;
  check_device(line);
  const Catalogue catalogue = load_catalogue(line);
  refuse_outputs_on_inputs(line);
  const auto nlp = load_chosen(line, catalogue);
  WorkerPool pool(choose_threads(line.number("threads", 0)));
  run_on_gpu(*nlp, line.number("gpu-id", -1));
  if (line.has("compare-precision")) return compare(line, *nlp, catalogue, pool);
  follow_precision(line, *nlp);
  Evaluation evaluation(*nlp, pool);
  ThresholdSweep sweep;
  if (line.has("thresholds")) require_confidences(*nlp);
  EvaluationPages pages(line, nlp->lang());
  evaluation.set_watch([&](std::span<const Example> examples) {
    if (line.has("thresholds")) sweep.add(examples);
    pages.add(examples);
  });
  read_examples(input_name(line.text("DATA")), *nlp, catalogue, data_options(line),
                [&](const ExamplePtr& example) { evaluation.add(std::move(*example)); });
  const bool by_component = line.has("per-component");
  Scores scores = by_component ? evaluation.finish_by_component() : evaluation.finish();
  pages.write();
  if (line.has("thresholds")) scores.set("thresholds", table_of(sweep.rows()));
  if (line.has("output")) write_output(line.path("output"), to_pretty_json(scores) + '\n');
  if (line.has("json")) {
    std::cout << to_standard_json(scores) << '\n';
    return 0;
  }
  if (by_component) {
    print_by_component(scores);
  } else {
    print_scores(scores);
  }
  if (line.has("thresholds")) print_thresholds(sweep.rows());
  return 0;
}

}  // namespace weft::tools
