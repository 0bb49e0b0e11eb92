// How long a config takes: reading, expanding, checking and filling the default NER config, and how
// that grows with the number of sections.
#include <algorithm>
#include <string>

#include <benchmark/benchmark.h>

#include "components/builtin.h"
#include "framework/pipeline/load_config.h"
#include "framework/pipeline/pipeline_settings.h"
#include "framework/pipeline/starter_config.h"
#include "registry/filling/fill.h"
#include "registry/reading/cfg_reader.h"
#include "registry/writing/cfg_writer.h"

namespace weft {
namespace {

const Catalogue& builtin() {
  static const Catalogue catalogue = [] {
    Catalogue made;
    add_builtin(made);
    return made;
  }();
  return catalogue;
}

// The filled starter config for NER, about 150 lines.
const std::string& default_ner_config() {
  static const std::string text = [] {
    Problems problems;
    return write_cfg(fill_pipeline_config(starter_config({}, builtin()), builtin(), problems),
                     problems);
  }();
  return text;
}

std::string sections(std::int64_t count) {
  std::string text = "[base]\nrate = 0.5\n";
  for (std::int64_t i = 0; i < count; ++i) {
    text += "\n[s" + std::to_string(i) + "]\n@schedules = \"constant.v1\"\nrate = ${base.rate}\n";
  }
  return text;
}

void run(benchmark::State& state, const std::string& text) {
  for (auto _ : state) {
    Problems problems;
    const Config config = read_cfg(text, "bench.cfg", problems);
    const Config filled = fill(config, builtin(), pipeline_schemas(), problems);
    if (has_errors(problems)) state.SkipWithError(problems.front().str().c_str());
    benchmark::DoNotOptimize(filled.root().size());
  }
}

void read_check_fill_ner(benchmark::State& state) {
  run(state, default_ner_config());
  const auto lines = std::count(default_ner_config().begin(), default_ner_config().end(), '\n');
  state.counters["lines"] = static_cast<double>(lines + 1);
}
BENCHMARK(read_check_fill_ner)->Unit(benchmark::kMicrosecond);

// The first steps of every command: variables kept, the defaults of a pipeline under the file.
void load_ner(benchmark::State& state) {
  for (auto _ : state) {
    Problems problems;
    const Config config =
        read_cfg(default_ner_config(), "bench.cfg", problems, {.interpolate = false});
    const Config filled = fill_pipeline_config(config, builtin(), problems);
    benchmark::DoNotOptimize(filled.root().size());
  }
}
BENCHMARK(load_ner)->Unit(benchmark::kMicrosecond);

void read_check_fill_sections(benchmark::State& state) {
  run(state, sections(state.range(0)));
  state.SetComplexityN(state.range(0));
}
BENCHMARK(read_check_fill_sections)
    ->RangeMultiplier(10)
    ->Range(100, 100'000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity(benchmark::oN);

}  // namespace
}  // namespace weft

BENCHMARK_MAIN();
