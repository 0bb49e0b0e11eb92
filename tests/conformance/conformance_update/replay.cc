#include "tests/conformance/conformance_update/replay.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "framework/ops/context.h"
#include "framework/parser/entity_recognizer.h"
#include "framework/pipeline/build_pipeline.h"
#include "tests/conformance/updates/arrays.h"
#include "tests/conformance/updates/replayed_masks.h"

namespace weft::conformance {

namespace {

// Suggested with the records.
constexpr double kLossLimit = 2e-6;
constexpr double kGradientLimit = 1e-5;

EntityRecognizer* recognizer_of(const Language& nlp) {
  for (const NamedComponent& named : nlp.pipeline()) {
    if (auto* found = dynamic_cast<EntityRecognizer*>(named.component.get())) return found;
  }
  throw std::runtime_error("no entity recognizer in the pipeline");
}

ShardRunnerOptions one_shard() {
  ShardRunnerOptions options;
  options.one_shard = true;
  return options;
}

}  // namespace

Replay::Replay(const std::filesystem::path& pipeline, const std::filesystem::path& folder,
               const Catalogue& catalogue)
    : nlp_(load_pipeline(pipeline, catalogue)),
      examples_(read_examples(folder / "examples.jsonl", nlp_->vocab())),
      runner_(*nlp_, pool_, one_shard()) {
  recognizer_of(*nlp_)->keep_traces(true);
}

void Replay::run(const UpdateRecord& record, const SafeTensors& tensors, Faults& faults) {
  std::vector<Example*> batch;
  for (const std::size_t line : record.examples) batch.push_back(&examples_.at(line));
  recognizer_of(*nlp_)->set_cut_size(record.cut_size);
  ReplayedMasks masks(record.masks, tensors);
  runner_.replay_masks(&masks);
  runner_.replay_uniform([&](std::string_view, double, double) { return record.uniform.value(); });
  const Losses losses = runner_.accumulate(batch, record.dropout, 0);
  runner_.replay_masks(nullptr);
  for (const auto& [name, expected] : record.losses) {
    const auto found = losses.find(name);
    if (found == losses.end() || !close(found->second, expected, kLossLimit)) {
      faults.push_back(fmt::format("loss of {}: {:.9g} instead of {:.9g}", name,
                                   found == losses.end() ? NAN : found->second, expected));
    }
  }
  compare_parses(record, faults);
}

void Replay::compare_parses(const UpdateRecord& record, Faults& faults) const {
  const EntityRecognizer& ner = *recognizer_of(*nlp_);
  const auto traces = ner.traces();
  if (traces.size() != 1) return faults.push_back("no parses");
  const ParseTrace<transition::State>& trace = traces.front();
  std::map<int, int> doc_at;  // first row of a document in the batch -> its number
  int row = 0;
  for (std::size_t i = 0; i < record.examples.size(); ++i) {
    doc_at[row] = static_cast<int>(i);
    row += examples_[record.examples[i]].size();
  }
  std::vector<ParseRecord> found;
  for (std::size_t i = 0; i < trace.states.size(); ++i) {
    const transition::State& state = trace.states[i];
    ParseRecord parse{doc_at.at(state.first),
                      state.position,
                      std::nullopt,
                      {trace.classes[i].begin(), trace.classes[i].end()}};
    if (state.is_open()) parse.open_start = state.open_start;
    found.push_back(std::move(parse));
  }
  if (found != record.parses) faults.push_back("other parses");
}

std::vector<std::pair<std::string, Parameter*>> Replay::parameters() const {
  return parameters_of(*nlp_);
}

void Replay::compare_gradients(const UpdateRecord& record, const SafeTensors& tensors,
                               Faults& faults) {
  const auto parameters = this->parameters();
  for (const auto& [name, norm] : record.gradient_norms) {
    const auto named =
        std::find_if(parameters.begin(), parameters.end(),
                     [&, &name = name](const auto& pair) { return pair.first == name; });
    if (named == parameters.end()) {
      faults.push_back(fmt::format("no parameter {}", name));
      continue;
    }
    const Tensor* found = runner_.gradients().find(*named->second);
    const double found_norm = found == nullptr ? 0 : norm_of(*found);
    if (!close(found_norm, norm, kGradientLimit)) {
      faults.push_back(
          fmt::format("gradient norm of {}: {:.9g} instead of {:.9g}", name, found_norm, norm));
    }
    if (found == nullptr || !tensors.contains("gradient/" + name)) continue;
    const double error = relative_error(tensors.tensor("gradient/" + name), *found);
    if (!(error <= kGradientLimit)) {
      faults.push_back(fmt::format("gradient of {}: off by {:.2g}", name, error));
    }
  }
}

}  // namespace weft::conformance
