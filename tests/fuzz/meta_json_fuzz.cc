// Any bytes as the `meta.json` of a pipeline: refused, or its hashes are checked and the pipeline
// is read.
#include "framework/pipeline/pipeline_hashes.h"
#include "framework/pipeline/used_plugins.h"
#include "registry/base/error.h"
#include "registry/value/json.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/small_pipeline.h"

namespace {

void name_missing_functions(std::string_view meta) {
  const auto json = weft::parse_json(meta);
  if (!json || !json->is_object()) return;
  weft::Problems problems;
  weft::Problem& problem = problems.emplace_back();
  problem.kind = weft::ProblemKind::unknown_function;
  problem.function = "acme.counter.v1";
  weft::name_plugins(problems, json->as_object());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto nlp = weft::fuzz::saved_pipeline(weft::fuzz::blank_pipeline());
  const weft::fuzz::FuzzFolder& folder = weft::fuzz::fuzz_folder();
  const std::string_view meta = weft::as_text(data, size);
  folder.write("meta.json", meta);
  name_missing_functions(meta);
  try {
    nlp->from_disk(folder.path());
  } catch (const weft::Error&) {
  }
  try {
    weft::check_pipeline_files(folder.path());
  } catch (const weft::Error&) {
  }
  return 0;
}
