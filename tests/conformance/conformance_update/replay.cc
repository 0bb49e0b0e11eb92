#include "tests/conformance/conformance_update/replay.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "framework/ops/context.h"
#include "framework/parser/entity_recognizer.h"
#include "framework/pipeline/build_pipeline.h"

namespace weft::conformance {

namespace {

// Suggested with the records.
constexpr double kLossLimit = 2e-6;
constexpr double kGradientLimit = 1e-5;

// Gives the masks of a record, by the name of their site.
class ReplayedMasks final : public MaskSource {
 public:
  ReplayedMasks(const UpdateRecord& record, const SafeTensors& tensors)
      : record_(record), tensors_(tensors) {}

  void fill(std::string_view site, std::int64_t offset, double rate, View mask) override {
    const MaskRecord& recorded = find(site);
    const Tensor kept = tensors_.tensor(recorded.tensor);
    if (kept.size() != mask.size() || offset != 0 || recorded.rate != rate) {
      throw std::runtime_error(
          fmt::format("the mask of {} has {} elements at rate {}, not {} at {}", site, kept.size(),
                      recorded.rate, mask.size(), rate));
    }
    const auto scale = static_cast<float>(1.0 / (1.0 - rate));
    for (std::int64_t i = 0; i < mask.size(); ++i) {
      mask.as<float>()[i] = kept.data<std::uint8_t>()[i] != 0 ? scale : 0.0F;
    }
  }

 private:
  // The parser's site is called "state" in records and NAME/state here.
  const MaskRecord& find(std::string_view site) const {
    for (const MaskRecord& mask : record_.masks) {
      if (mask.site == site || (mask.site == "state" && site.ends_with("/state"))) return mask;
    }
    throw std::runtime_error(fmt::format("no recorded mask for {}", site));
  }

  const UpdateRecord& record_;
  const SafeTensors& tensors_;
};

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

double norm_of(const Tensor& tensor) {
  double squares = 0;
  const float* data = tensor.data<float>();
  for (std::int64_t i = 0; i < tensor.size(); ++i) squares += double{data[i]} * data[i];
  return std::sqrt(squares);
}

bool close(double found, double expected, double limit) {
  return std::abs(found - expected) <= limit * std::abs(expected);
}

}  // namespace

double relative_error(const Tensor& expected, const Tensor& found) {
  double largest = 0, difference = 0;
  for (std::int64_t i = 0; i < expected.size(); ++i) {
    const double value = expected.data<float>()[i];
    largest = std::max(largest, std::abs(value));
    difference = std::max(difference, std::abs(value - found.data<float>()[i]));
  }
  return largest > 0 ? difference / largest : difference;
}

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
  ReplayedMasks masks(record, tensors);
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
  if (ner.traces().size() != 1) return faults.push_back("no parses");
  const EntityRecognizer::ShardTrace& trace = ner.traces().front();
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
  std::vector<std::pair<std::string, Parameter*>> parameters;
  for (const NamedComponent& named : nlp_->pipeline()) {
    for (const ModelPtr& root : named.component->models()) {
      const std::vector<Model*> nodes = root->walk();
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        for (const auto& parameter : nodes[i]->params()) {
          parameters.emplace_back(
              fmt::format("{}/{}/{}/{}", named.name, i, nodes[i]->name(), parameter->name),
              parameter.get());
        }
      }
    }
  }
  return parameters;
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
