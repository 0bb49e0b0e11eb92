#include "tests/conformance/conformance_components/updates.h"

#include <cmath>
#include <fstream>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "framework/io/safetensors.h"
#include "framework/ops/context.h"
#include "framework/parser/dependency_parser.h"
#include "framework/pipeline/shard_runner.h"
#include "framework/pipeline/worker_pool.h"
#include "framework/training/optimizer.h"
#include "tests/conformance/conformance_components/beam_updates.h"
#include "tests/conformance/conformance_components/document.h"
#include "tests/conformance/conformance_components/spans.h"
#include "tests/conformance/updates/adam.h"
#include "tests/conformance/updates/arrays.h"
#include "tests/conformance/updates/replayed_masks.h"

namespace weft::conformance {
namespace {

// Suggested with the records.
constexpr double kLossLimit = 1e-5;
constexpr double kGradientLimit = 2e-5;

// Twice as much as suggested: Adam's first step divides each gradient by its own size, so one of
// 1e-8 shows in which order its sum was rounded, and that differs between compilers and kinds of
// processors.
constexpr double kWeightNormLimit = 1e-5;

Example example_of(const Json& line, const VocabPtr& vocab) {
  const Json& reference = line.contains("reference") ? line.at("reference") : line;
  Doc predicted = words_of(line, vocab), annotated = document_of(reference, vocab);
  set_candidates(predicted, line);
  set_reference_spans(annotated, reference);
  return {std::move(predicted), std::move(annotated)};
}

std::vector<Example> read_examples(const std::filesystem::path& file, const VocabPtr& vocab) {
  std::vector<Example> examples;
  for_each_line(file, [&](int, const Json& line) { examples.push_back(example_of(line, vocab)); });
  return examples;
}

std::vector<MaskRecord> masks_of(const Json& record) {
  std::vector<MaskRecord> masks;
  for (const Json& mask : record.at("masks")) {
    masks.push_back({mask.at("site"), mask.at("rate"), mask.at("tensor")});
  }
  return masks;
}

// The arrays of a record, those that are stored sparsely as well.
class Arrays {
 public:
  explicit Arrays(const std::filesystem::path& file) : tensors_(SafeTensors::read(file)) {}

  const SafeTensors& tensors() const { return tensors_; }

  std::optional<Tensor> find(const std::string& name, const Tensor& like) const {
    if (tensors_.contains(name)) return tensors_.tensor(name);
    if (!tensors_.contains(name + "#value")) return std::nullopt;
    const Tensor low = tensors_.tensor(name + "#index_low16");
    const Tensor high = tensors_.tensor(name + "#index_high");
    const Tensor values = tensors_.tensor(name + "#value");
    Tensor whole = Tensor::zeros(like.shape());
    for (std::int64_t i = 0; i < values.size(); ++i) {
      const std::int64_t at = index(low, i) + (index(high, i) << 16);
      if (at >= whole.size()) throw std::runtime_error(name + " has an index outside of the array");
      whole.data<float>()[at] = values.data<float>()[i];
    }
    return whole;
  }

 private:
  // Whole numbers, which the records keep as floats.
  static std::int64_t index(const Tensor& numbers, std::int64_t i) {
    return std::int64_t{std::lround(numbers.data<float>()[i])};
  }

  SafeTensors tensors_;
};

void check_losses(const Losses& losses, const Json& wanted, Checks& checks) {
  for (const auto& [name, value] : wanted.items()) {
    const auto found = losses.find(name);
    const double loss = value;
    checks.near("losses", name, found == losses.end() ? Json() : Json(found->second), loss,
                kLossLimit * std::abs(loss));
  }
}

// One check for each array: its norm, and its numbers where the record has them.
void check_gradients(const std::map<std::string, Parameter*>& parameters,
                     const Gradients& gradients, const Json& record, const Arrays& arrays,
                     Checks& checks) {
  for (const auto& [name, norm] : record.at("gradient_norms").items()) {
    const auto parameter = parameters.find(name);
    const Tensor* found =
        parameter == parameters.end() ? nullptr : gradients.find(*parameter->second);
    if (found == nullptr) {
      checks.failed("gradient/" + name, "there is none");
      continue;
    }
    const auto expected = arrays.find("gradient/" + name, *found);
    const double error = expected ? relative_error(*expected, *found) : 0.0;
    if (!close(norm_of(*found), norm, kGradientLimit)) {
      checks.failed("gradient/" + name, fmt::format("norm {:.9g} instead of {:.9g}",
                                                    norm_of(*found), norm.get<double>()));
    } else if (!(error <= kGradientLimit)) {
      checks.failed("gradient/" + name, fmt::format("off by {:.2g}", error));
    } else {
      checks.passed();
    }
  }
  for (const Json& name : record.at("no_gradient")) {
    // A tok2vec of the reference goes back after the last of its listeners, which may take no part
    // in an update with beams.
    if (is_beam_update(record) &&
        !name.get<std::string>().starts_with(record.at("component").get<std::string>() + "/")) {
      continue;
    }
    const auto parameter = parameters.find(name.get<std::string>());
    const Tensor* found =
        parameter == parameters.end() ? nullptr : gradients.find(*parameter->second);
    checks.near("gradient/" + name.get<std::string>(), "norm",
                found == nullptr ? 0.0 : norm_of(*found), 0.0, 0.0);
  }
}

void check_weights(const std::map<std::string, Parameter*>& parameters, const Arrays& arrays,
                   Checks& checks) {
  for (const auto& [name, parameter] : parameters) {
    if (!parameter->value) continue;
    const std::string key = "weights_after_1/" + name;
    const auto expected = arrays.find(key, parameter->value);
    if (!expected) continue;
    const auto fault = weights_fault(*expected, parameter->value, kWeightNormLimit);
    if (fault) {
      checks.failed(key, *fault);
    } else {
      checks.passed();
    }
  }
}

void prepare_parser(DependencyParser& parser, const Json& record, ShardRunner& runner) {
  parser.keep_traces(true);
  parser.set_cut_size(record.at("cut_size"));
  if (record.at("uniform").is_null()) return;
  const double drawn = record.at("uniform").at(2);  // behind its bounds
  runner.replay_uniform([=](std::string_view, double, double) { return drawn; });
}

// Where each parse started and the classes that it took.
void check_parses(const DependencyParser& parser, const Json& record,
                  const std::vector<Example*>& batch, Checks& checks) {
  std::map<std::int32_t, int> document_at;  // by the row of its first token
  std::int32_t row = 0;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (batch[i]->size() > 0) document_at[row] = static_cast<int>(i);
    row += batch[i]->size();
  }
  const ParseTrace<transition::ArcState> trace = parser.traces().at(0);
  Json found = Json::array();
  for (std::size_t i = 0; i < trace.states.size(); ++i) {
    const transition::ArcState& state = trace.states[i];
    Json buffer = Json::array();
    for (std::size_t b = 0; state.buffer(b) >= 0; ++b) buffer.push_back(state.buffer(b));
    found.push_back(Json{{"doc", document_at.at(state.first())},
                         {"stack", state.stack_tokens()},
                         {"buffer", std::move(buffer)},
                         {"actions", trace.classes[i]}});
  }
  checks.equal("parses", "states", found, record.at("states"));
}

}  // namespace

void check_update(Language& nlp, const std::filesystem::path& file,
                  const std::filesystem::path& examples, const Catalogue& catalogue,
                  Checks& checks) {
  if (!checks.open(file)) return;
  const Json record = Json::parse(std::ifstream(file));
  const Arrays arrays(std::filesystem::path(file).replace_extension(".safetensors"));
  std::vector<Example> all = read_examples(examples, nlp.vocab());
  std::vector<Example*> batch;
  for (const std::size_t line : record.at("examples")) batch.push_back(&all.at(line));
  WorkerPool pool(1);
  ShardRunnerOptions options;
  options.one_shard = true;
  ShardRunner runner(nlp, pool, options);
  const std::vector<MaskRecord> recorded = masks_of(record);
  ReplayedMasks masks(recorded, arrays.tensors());
  runner.replay_masks(&masks);
  std::map<std::string, Parameter*> parameters;
  for (const auto& [name, parameter] : parameters_of(nlp)) parameters[name] = parameter;
  TransitionComponent* beam = nullptr;
  if (is_beam_update(record)) {
    masks.repeat_rows();
    beam = &prepare_beam_update(nlp, record, runner);
    shift_parameters(parameters, arrays.tensors());
  }
  DependencyParser* parser = nullptr;
  if (record.contains("states")) {
    parser = dynamic_cast<DependencyParser*>(nlp.find(record.at("component").get<std::string>()));
    if (parser == nullptr) throw std::runtime_error("no parser takes the states of the record");
    prepare_parser(*parser, record, runner);
  }
  const Losses losses = runner.accumulate(batch, record.at("dropout"), 0);
  check_losses(losses, record.at("losses"), checks);
  std::vector<NamedParameter> trained;
  for (const auto& [name, parameter] : parameters_of(nlp)) {
    if (parameter->value) trained.push_back({name, parameter});
  }
  if (parser != nullptr) check_parses(*parser, record, batch, checks);
  if (beam != nullptr) check_beam_update(*beam, record, checks);
  check_gradients(parameters, runner.gradients(), record, arrays, checks);
  if (!record.contains("optimizer")) return;
  Context ctx;
  const OptimizerPtr optimizer = adam_of(record.at("optimizer"), catalogue);
  optimizer->step(ctx, trained, runner.gradients());
  check_weights(parameters, arrays, checks);
}

}  // namespace weft::conformance
