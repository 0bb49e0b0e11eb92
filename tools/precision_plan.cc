#include "framework/training/precision_plan.h"

#include <algorithm>
#include <iostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "framework/pipeline/check_config.h"
#include "framework/pipeline/load_config.h"
#include "framework/text/printable.h"
#include "framework/training/prepared_pipeline.h"
#include "framework/training/required_section.h"
#include "framework/training/resolve_corpus.h"
#include "framework/training/training_settings.h"
#include "registry/value/json.h"
#include "tools/commands.h"
#include "tools/setup.h"

namespace weft::tools {
namespace {

constexpr std::size_t kExamples = 10;

PipelinePlan plan_of(const Config& config, const Catalogue& catalogue) {
  const Config values = expanded(config);
  TrainingSettings settings = required_section<TrainingSettings>(values, "training", catalogue);
  const auto nlp = initialized_pipeline(config, catalogue);
  resolve_freezing(*nlp, settings);
  const Reader corpus = resolve_corpus(values, settings.train_corpus, catalogue);
  const ExampleStreamPtr stream = corpus.open(*nlp);
  std::vector<ExamplePtr> examples;
  std::vector<Example*> batch;
  while (examples.size() < kExamples) {
    ExamplePtr example = stream->next();
    if (!example) break;
    batch.push_back(example.get());
    examples.push_back(std::move(example));
  }
  return plan_pipeline(*nlp, settings.precision, batch, settings.frozen_components);
}

std::string dims_of(const PlanLine& line) {
  return line.padded.empty() ? "" : fmt::format("({})", fmt::join(line.padded, ", "));
}

Object object_of(const PlanLine& line) {
  Object object;
  object.set("path", line.path);
  object.set("name", line.name);
  object.set("category", line.category);
  object.set("input", line.input);
  object.set("accumulator", line.accumulator);
  object.set("output", line.output);
  List dims;
  for (const std::int64_t dim : line.padded) dims.emplace_back(dim);
  object.set("padded", std::move(dims));
  object.set("decided_by", line.decided_by);
  return object;
}

void print(const std::vector<PlanLine>& lines) {
  std::size_t path = 4, name = 4;
  for (const PlanLine& line : lines) {
    path = std::max(path, printable_brief(line.path).size());
    name = std::max(name, printable_brief(line.name).size());
  }
  const auto row = [&](std::string_view where, std::string_view what, const auto&... rest) {
    std::string text = fmt::format("{:<{}}  {:<{}}", where, path, what, name);
    ((text += fmt::format("  {:<11}", rest)), ...);
    text.erase(text.find_last_not_of(' ') + 1);
    std::cout << text << '\n';
  };
  row("path", "name", "category", "input", "accumulator", "output", "decided by", "as stored");
  for (const PlanLine& line : lines) {
    row(line.path.empty() ? "-" : printable_brief(line.path), printable_brief(line.name),
        line.category, line.input, line.accumulator, line.output, line.decided_by, dims_of(line));
  }
}

bool is_verbose(const Notice& notice) {
  return notice.code == "P041" || notice.code == "P061";
}

// Notices about single layers are counted, and listed with --verbose.
void tell(const Notices& notices, bool verbose) {
  std::ptrdiff_t own_types = 0;
  for (const Notice& notice : notices) {
    if (notice.code == "P061") ++own_types;
    if (verbose || !is_verbose(notice)) std::cerr << notice.str() << '\n';
  }
  if (own_types == 0 || verbose) return;
  std::cerr << fmt::format("formats that layers set themselves: {}; --verbose lists them\n",
                           own_types);
}

}  // namespace

int run_precision_plan(const Words& words) {
  CommandLine line(
      "precision plan CONFIG [options]",
      "Shows the number formats in which every op and parameter of a config's "
      "pipeline is computed and stored. Initialises the pipeline; trains nothing.",
      "weft precision plan train.cfg --paths.train train.spacy --training.precision.level O2");
  line.positional("CONFIG", "the config file");
  line.accept_json();
  line.accept_code();
  line.accept_pipelines();
  line.accept_overrides();
  if (!line.parse(words)) return 0;
  const Catalogue catalogue = load_catalogue(line);
  const Config config = load_config(line, line.path("CONFIG"), catalogue);
  const PipelinePlan plan = plan_of(config, catalogue);
  std::vector<PlanLine> lines = plan.ops;
  lines.insert(lines.end(), plan.parameters.begin(), plan.parameters.end());
  tell(plan.notices, line.has("verbose"));
  if (line.has("json")) {
    List list;
    for (const PlanLine& one : lines) list.emplace_back(object_of(one));
    std::cout << to_standard_json(Node(std::move(list))) << '\n';
  } else {
    print(lines);
  }
  return 0;
}

}  // namespace weft::tools
