#include <algorithm>
#include <iostream>
#include <vector>

#include <fmt/format.h>

#include "framework/pipeline/choose_device.h"
#include "framework/pipeline/measure_speed.h"
#include "framework/pipeline/worker_pool.h"
#include "registry/base/error.h"
#include "registry/value/json.h"
#include "tools/commands.h"
#include "tools/component_choice.h"
#include "tools/documents.h"
#include "tools/precision_option.h"
#include "tools/setup.h"
#include "tools/standard_streams.h"

namespace weft::tools {
namespace {

double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

Object as_object(const SpeedMeasurement& measured, std::size_t documents, int threads) {
  const auto& speeds = measured.words_per_second;
  Object speed;
  speed.set("median", median_of(speeds));
  speed.set("min", *std::min_element(speeds.begin(), speeds.end()));
  speed.set("max", *std::max_element(speeds.begin(), speeds.end()));
  List repeats;
  for (const double value : speeds) repeats.emplace_back(value);
  speed.set("repeats", std::move(repeats));
  Object object;
  object.set("words_per_second", std::move(speed));
  object.set("documents", static_cast<std::int64_t>(documents));
  object.set("words", measured.words);
  object.set("threads", threads);
  return object;
}

SpeedPasses passes_of(const CommandLine& line) {
  SpeedPasses passes;
  passes.repeats = line.number_within("repeats", passes.repeats, 1);
  passes.warmup = line.number_within("warmup", passes.warmup, 0);
  const std::string start = line.has("from") ? line.text("from") : "text";
  if (start != "text" && start != "ids") {
    throw Error(ErrorKind::usage, fmt::format("--from is text or ids, not \"{}\"", start));
  }
  passes.start = start == "ids" ? PassStart::ids : PassStart::text;
  return passes;
}

void print(const SpeedMeasurement& measured, std::size_t documents, int threads) {
  const auto& speeds = measured.words_per_second;
  std::cout << fmt::format(
      "{:.0f} words/s (median of {} passes, {:.0f} to {:.0f}); {} words in {} documents, threads: "
      "{}\n",
      median_of(speeds), speeds.size(), *std::min_element(speeds.begin(), speeds.end()),
      *std::max_element(speeds.begin(), speeds.end()), measured.words, documents, threads);
}

}  // namespace

int run_benchmark_speed(const Words& words) {
  CommandLine line("benchmark speed PIPELINE DATA [options]",
                   "Measures words per second to annotation, in several passes.",
                   "weft benchmark speed out/model-best test.spacy --threads 1");
  line.positional("PIPELINE", "folder of a saved pipeline");
  line.positional("DATA", ".txt, .jsonl, .conll or .spacy; annotation in it does not matter");
  line.option("repeats", "N", "passes that are measured (5)");
  line.option("warmup", "N", "passes before them (1)");
  line.option("from", "START", "text (the default), or ids: documents whose words are looked up");
  accept_component_choice(line);
  line.accept_json();
  line.accept_code();
  line.accept_pipelines();
  line.accept_precision();
  line.accept_gpu();
  line.accept_threads();
  if (!line.parse(words)) return 0;
  check_device(line);
  const SpeedPasses passes = passes_of(line);
  const Catalogue catalogue = load_catalogue(line);
  const auto nlp = load_chosen(line, catalogue);
  run_on_gpu(*nlp, line.number("gpu-id", -1));
  follow_precision(line, *nlp);
  const std::vector<SpeedInput> inputs = speed_inputs(
      read_documents(input_name(line.text("DATA")), *nlp, catalogue, AlignmentPolicy::drop));
  WorkerPool pool(choose_threads(line.number("threads", 0)));
  const SpeedMeasurement measured = measure_speed(*nlp, inputs, pool, passes);
  if (line.has("json")) {
    std::cout << to_standard_json(as_object(measured, inputs.size(), pool.threads())) << '\n';
  } else {
    print(measured, inputs.size(), pool.threads());
  }
  return 0;
}

}  // namespace weft::tools
