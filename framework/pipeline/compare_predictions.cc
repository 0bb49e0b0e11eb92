#include "framework/pipeline/compare_predictions.h"

#include <string>
#include <vector>

#include "framework/pipeline/number_formats.h"
#include "framework/text/doc_json.h"

namespace weft {
namespace {

std::vector<std::string> predictions_of(std::span<Example> examples) {
  std::vector<std::string> lines;
  for (const Example& example : examples) {
    lines.push_back(to_json_line(example.predicted(), DocJson::prediction));
  }
  return lines;
}

}  // namespace

PrecisionPolicy policy_of_level(const std::string& level) {
  PrecisionSettings settings;
  settings.level = level;
  return make_precision_policy(settings);
}

void predict_under(const PrecisionPolicy& policy, Language& nlp) {
  nlp.set_formats(make_formats(policy, nlp));
}

PredictionComparison compare_predictions(Language& nlp, const PrecisionPolicy& policy,
                                         std::span<Example> examples, WorkerPool& pool) {
  PredictionComparison comparison;
  comparison.documents = examples.size();
  std::vector<Example> again(examples.begin(), examples.end());
  nlp.set_formats(nullptr);
  comparison.f32 = nlp.evaluate(again, pool);
  predict_under(policy, nlp);
  comparison.level = nlp.evaluate(examples, pool);
  const std::vector<std::string> before = predictions_of(again), after = predictions_of(examples);
  for (std::size_t i = 0; i < before.size(); ++i) comparison.different += before[i] != after[i];
  return comparison;
}

}  // namespace weft
