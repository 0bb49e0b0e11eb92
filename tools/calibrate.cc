#include <filesystem>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "framework/parser/confidence_fit.h"
#include "framework/pipeline/build_pipeline.h"
#include "framework/pipeline/find_pipeline.h"
#include "registry/base/error.h"
#include "registry/value/json.h"
#include "tools/commands.h"
#include "tools/data_file.h"
#include "tools/documents.h"
#include "tools/setup.h"
#include "tools/standard_streams.h"

namespace weft::tools {
namespace {

// Documents that were read, as a stream.
class Held final : public ExampleStream {
 public:
  explicit Held(std::vector<ExamplePtr> examples) : examples_(std::move(examples)) {}
  ExamplePtr next() override { return at_ < examples_.size() ? examples_[at_++] : nullptr; }

 private:
  std::vector<ExamplePtr> examples_;
  std::size_t at_ = 0;
};

std::string chosen_component(const CommandLine& line, const Language& nlp) {
  if (line.has("component")) return line.text("component");
  const std::vector<std::string> names = greedy_recognizers(nlp);
  if (names.size() == 1) return names[0];
  throw Error(ErrorKind::usage,
              names.empty() ? "the pipeline has no recognizer of entities (factory ner) to fit"
                            : fmt::format("the pipeline has several recognizers; name one: "
                                          "--component {}",
                                          names[0]));
}

Object object_of(const SpanCalibration& calibration, const std::string& component) {
  Object object;
  object.set("component", component);
  object.set("temperature", calibration.temperature);
  object.set("slope", calibration.slope);
  object.set("offset", calibration.offset);
  object.set("entities", calibration.entities);
  object.set("right", calibration.right);
  return object;
}

}  // namespace

int run_calibrate(const Words& words) {
  CommandLine line("calibrate PIPELINE DATA [options]",
                   "Fits how sure a pipeline is of its entities to annotated documents that it was "
                   "not trained on. Predictions stay as they are.",
                   "weft calibrate out/model-best dev.conll");
  line.positional("PIPELINE", "folder of a saved pipeline; gets a file, the others stay");
  line.positional("DATA", "annotated documents, as of evaluate");
  line.option("component", "NAME", "the recognizer, where there are several");
  line.option("misaligned", "POLICY",
              "entities that do not fall on tokens: error (the default), drop, expand, contract");
  line.accept_json();
  line.accept_code();
  line.accept_pipelines();
  if (!line.parse(words)) return 0;
  const Catalogue catalogue = load_catalogue(line);
  const std::filesystem::path folder = find_pipeline(line.text("PIPELINE"));
  const auto nlp = load_pipeline(folder, catalogue);
  const std::string component = chosen_component(line, *nlp);
  const std::string data = input_name(line.text("DATA"));
  std::vector<ExamplePtr> examples;
  read_examples(data, *nlp, catalogue, {.on_misaligned = misaligned_policy(line)},
                [&](const ExamplePtr& example) { examples.push_back(example); });
  Held stream(std::move(examples));
  const std::string name = std::filesystem::path(data).filename().string();
  const auto fitted = calibrate(*nlp, component, stream, name);
  if (!fitted) {
    throw Error(ErrorKind::data,
                fmt::format("the recognizer finds fewer than {} entities in these documents; "
                            "confidences are better fitted to 1000: give more data",
                            kFewestJudged));
  }
  const SpanCalibration& calibration = *fitted;
  save_calibration(calibration, component, folder);
  if (line.has("json")) {
    std::cout << to_standard_json(object_of(calibration, component)) << '\n';
  } else {
    std::cout << fmt::format(
        "{} entities, {} of them right; temperature {:.3f}, slope {:.3f}, offset {:.3f}\n",
        calibration.entities, calibration.right, calibration.temperature, calibration.slope,
        calibration.offset);
  }
  return 0;
}

}  // namespace weft::tools
