#include "tests/conformance/conformance_pretrain/replay.h"

#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "framework/ops/context.h"
#include "framework/pipeline/check_config.h"
#include "framework/pipeline/load_config.h"
#include "framework/pipeline/shard_runner.h"
#include "framework/text/example.h"
#include "framework/training/batch_update.h"
#include "framework/training/pretraining/masking.h"
#include "framework/training/pretraining/pretrain.h"
#include "registry/reading/cfg_reader.h"
#include "tests/conformance/conformance_pretrain/texts.h"
#include "tests/conformance/updates/arrays.h"
#include "tests/conformance/updates/replayed_masks.h"

namespace weft::conformance {

namespace {

// Suggested with the records.
constexpr double kLossLimit = 2e-6;
constexpr double kGradientLimit = 3e-5;
constexpr double kWeightLimit = 1e-5;

using Json = nlohmann::json;
using Parameters = std::map<std::string, Parameter*>;

class Replay {
 public:
  Replay(const std::filesystem::path& folder, const std::string& name, const SafeTensors& tensors,
         const Catalogue& catalogue)
      : tensors_(tensors) {
    const Config config = config_of(folder / (name + ".cfg"), catalogue);
    const Config values = expanded(config);
    settings_ = pretraining_settings(values, catalogue);
    nlp_ = pretrain_language(config, catalogue);
    if (has_vectors_) {
      nlp_->mutable_vocab().set_vectors(read_word_vectors(folder / "vectors.txt", *nlp_->vocab()));
    }
    network_ = add_pretrain_network(*nlp_, settings_, 0);
    network_->embedding()->name_sites("tok2vec");
    network_->head()->name_sites("head");
    add_parameters("tok2vec", *network_->embedding());
    add_parameters("head", *network_->head());
    for (const auto& [key, parameter] : parameters_) {
      if (!tensors_.contains("start/" + key)) throw std::runtime_error("no start of " + key);
      parameter->value = tensors_.tensor("start/" + key).clone();
      ++parameter->version;
    }
    docs_ = read_texts(folder / "examples.jsonl", nlp_->vocab());
    runner_ = std::make_unique<ShardRunner>(*nlp_, pool_, ShardRunnerOptions{.one_shard = true});
  }

  void update(const Json& json, int number) {
    const std::string prefix = fmt::format("update{}", number);
    const std::vector<MaskRecord> records = masks_of(json.at(prefix + ".dropout_masks"));
    ReplayedMasks masks(records, tensors_);
    runner_->replay_masks(&masks);
    run(json.at(prefix + ".words"), json.at(prefix + ".masked"), json.at(prefix + ".loss"));
    runner_->replay_masks(nullptr);
    compare_gradients(prefix, json.at(prefix + ".gradient_norms"));
    settings_.optimizer->step(runner_->context(), runner_->parameters(), runner_->gradients());
    settings_.optimizer->advance();
    runner_->gradients().clear();
    runner_->end_step();
    compare_weights(prefix + "/weights/");
  }

  void compare_averages() {
    settings_.optimizer->swap_averages(runner_->parameters());
    compare_weights("averages/");
  }

  const std::vector<std::string>& faults() const { return faults_; }

 private:
  // The vectors that it names are made of vectors.txt here.
  Config config_of(const std::filesystem::path& file, const Catalogue& catalogue) {
    Problems problems;
    Config config = read_config_file(file, problems, {.interpolate = false});
    throw_errors(problems);
    Node* vectors = config.find("paths.vectors");
    has_vectors_ = vectors != nullptr && !vectors->is_null();
    if (vectors != nullptr) vectors->value() = nullptr;
    config = fill_pipeline_config(config, catalogue, problems);
    throw_errors(std::move(problems));
    return config;
  }

  void add_parameters(const std::string& part, Model& root) {
    const std::vector<Model*> nodes = root.walk();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      for (const auto& parameter : nodes[i]->params()) {
        parameters_[fmt::format("{}/{}/{}/{}", part, i, nodes[i]->name(), parameter->name)] =
            parameter.get();
      }
    }
  }

  static std::vector<MaskRecord> masks_of(const Json& json) {
    std::vector<MaskRecord> masks;
    for (const Json& mask : json) {
      masks.push_back({mask.at("site"), mask.at("rate"), mask.at("tensor")});
    }
    return masks;
  }

  // `words`: a list for each text, or one list.
  void run(const Json& words, const std::vector<std::size_t>& masked, double loss) {
    std::vector<std::string> all;
    for (const Json& text : words) {
      if (text.is_string()) all.push_back(text);
      for (const Json& word : text.is_array() ? text : Json::array()) all.push_back(word);
    }
    PretrainBatch batch;
    batch.masked.assign(all.size(), 0);
    for (const std::size_t token : masked) batch.masked.at(token) = 1;
    for (const Doc& doc : docs_) batch.originals.push_back(&doc);
    std::vector<ExamplePtr> seen;
    for (Doc& doc : with_words(docs_, all)) {
      seen.push_back(std::make_shared<Example>(Example::from_reference(std::move(doc))));
    }
    network_->set_batch(&batch);
    const Losses losses = runner_->accumulate(examples_of(seen), settings_.dropout, 0);
    const double found = losses.empty() ? NAN : losses.begin()->second;
    if (losses.size() != 1 || !close(found, loss, kLossLimit)) {
      faults_.push_back(fmt::format("loss {:.9g} instead of {:.9g}", found, loss));
    }
  }

  void compare_gradients(const std::string& prefix, const std::map<std::string, double>& norms) {
    for (const auto& [name, norm] : norms) {
      const auto named = parameters_.find(name);
      if (named == parameters_.end()) {
        faults_.push_back("no parameter " + name);
        continue;
      }
      const Tensor* found = runner_->gradients().find(*named->second);
      if (found == nullptr) {
        if (norm != 0) faults_.push_back("no gradient of " + name);
        continue;
      }
      const double error = relative_error(tensors_.tensor(prefix + "/gradient/" + name), *found);
      if (!(error <= kGradientLimit) || !close(norm_of(*found), norm, kGradientLimit)) {
        faults_.push_back(fmt::format("{} gradient of {}: off by {:.2g}", prefix, name, error));
      }
    }
  }

  void compare_weights(const std::string& prefix) {
    for (const auto& [name, parameter] : parameters_) {
      if (!tensors_.contains(prefix + name)) {
        faults_.push_back("the record has no " + prefix + name);
        continue;
      }
      const Tensor expected = tensors_.tensor(prefix + name);
      double squares = 0;
      for (std::int64_t i = 0; i < expected.size(); ++i) {
        const double off = double{expected.data<float>()[i]} - parameter->value.data<float>()[i];
        squares += off * off;
      }
      if (std::sqrt(squares) <= kWeightLimit * norm_of(expected)) continue;
      faults_.push_back(
          fmt::format("{}{}: off by {:.2g}", prefix, name, std::sqrt(squares) / norm_of(expected)));
    }
  }

  const SafeTensors& tensors_;
  PretrainingSettings settings_;
  bool has_vectors_ = false;
  std::shared_ptr<Language> nlp_;
  std::shared_ptr<PretrainNetwork> network_;
  Parameters parameters_;
  std::vector<Doc> docs_;
  WorkerPool pool_{1};
  std::unique_ptr<ShardRunner> runner_;
  std::vector<std::string> faults_;
};

}  // namespace

std::vector<std::string> replay_pretraining(const std::filesystem::path& folder,
                                            const std::string& name, const Json& json,
                                            const SafeTensors& tensors,
                                            const Catalogue& catalogue) {
  Replay replay(folder, name, tensors, catalogue);
  for (int number = 1; number <= json.at("updates").get<int>(); ++number) {
    replay.update(json, number);
  }
  replay.compare_averages();
  return replay.faults();
}

}  // namespace weft::conformance
