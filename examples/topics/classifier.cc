// A component that says what a document is about: one label of those that the categories of the
// training data name.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "labels.h"
#include "loss.h"
#include "network.h"

#include "framework/io/atomic_file.h"
#include "framework/nn/model_file.h"
#include "framework/pipeline/component.h"
#include "framework/pipeline/label_settings.h"
#include "framework/text/doc.h"
#include "framework/text/example.h"
#include "registry/base/error.h"
#include "registry/functions/registration.h"
#include "registry/value/json.h"

namespace topics {
namespace {

struct ClassifierSettings {
  weft::ModelPtr model;
};

constexpr const char* kDefaultModel = R"(
[model]
@architectures = "topics.MeanPool.v1"

[model.tok2vec]
@architectures = "spacy.HashEmbedCNN.v2"
pretrained_vectors = null
width = 96
depth = 4
embed_size = 2000
window_size = 1
maxout_pieces = 3
subword_features = true
)";

template <class V>
void fields(V& v, ClassifierSettings& c) {
  v.block("model", c.model, kDefaultModel, "gives a score for each label of a document");
}

class Classifier final : public weft::Component {
 public:
  explicit Classifier(weft::ModelPtr model) : model_(std::move(model)) {}

  void initialize(weft::InitContext& init) override {
    const weft::Node* given = init.given("labels");
    std::vector<std::string> labels =
        given != nullptr ? names_in(given, "[initialize.components]") : labels_of(*init.examples());
    if (labels.empty()) {
      throw weft::Error(weft::ErrorKind::data,
                        "component '" + name() + "': no category in the training data");
    }
    take_labels(std::move(labels));
    std::vector<const weft::Doc*> docs;
    for (const weft::ExamplePtr& example : init.sample) docs.push_back(&example->predicted());
    model_->initialize(init.ctx, weft::DocBatch(docs), {}, init.random);
  }

  // `labels` of [initialize.components.NAME], and no other setting.
  weft::Signature init_settings() const override { return weft::signature_of<weft::LabelNames>(); }

  void predict(weft::Context& ctx, std::span<weft::Doc* const> docs, weft::Slots&) const override {
    const std::vector<const weft::Doc*> inputs(docs.begin(), docs.end());
    const weft::Value scores = model_->predict(ctx, weft::DocBatch(inputs));
    const weft::Tensor found = probabilities(ctx, weft::as_tensor(scores));
    const float* p = found.data<float>();
    for (weft::Doc* doc : docs) {
      for (const std::string& label : labels_) doc->set_cat(label, double{*p++});
    }
  }

  // One shard of a batch; another may run at the same time on another thread.
  void update(weft::ShardUpdate& shard) const override {
    std::vector<const weft::Doc*> docs;
    std::vector<int> truth;
    for (const weft::Example* example : shard.examples) {
      docs.push_back(&example->predicted());
      truth.push_back(number_of(label_of(example->reference())));
    }
    const weft::Forward forward = (*model_)(shard.ctx, weft::DocBatch(docs));
    const Loss loss = cross_entropy(shard.ctx, weft::as_tensor(forward.output), truth);
    shard.losses[name()] += loss.sum;
    forward.backward(shard.ctx, loss.d_scores);
  }

  // The share of documents whose most probable label is the true one.
  weft::Scores score(std::span<const weft::Example> examples) const override {
    double right = 0, all = 0;
    for (const weft::Example& example : examples) {
      const std::string truth = label_of(example.reference());
      if (truth.empty()) continue;
      ++all;
      if (label_of(example.predicted()) == truth) ++right;
    }
    weft::Scores scores;
    scores.set("topic_acc", all > 0 ? weft::Node(right / all) : weft::Node());
    return scores;
  }

  bool has_state() const override { return true; }
  void to_disk(const std::filesystem::path& folder) const override {
    weft::Object cfg;
    cfg.set("labels", label_data());
    weft::write_file(folder / "cfg", weft::to_standard_json(cfg) + "\n");
    weft::write_file(folder / "model", weft::model_to_bytes(*model_));
  }
  void from_disk(const std::filesystem::path& folder) override {
    const std::string cfg = (folder / "cfg").string(), model = (folder / "model").string();
    const auto json = weft::parse_json(weft::read_file(cfg));
    const bool is_object = json && json->is_object();
    take_labels(names_in(is_object ? json->as_object().find("labels") : nullptr, cfg));
    weft::model_from_bytes(*model_, weft::read_file(model), model);
  }

  std::vector<weft::ModelPtr> models() const override { return {model_}; }
  bool scales_gradients() const override { return true; }  // cross_entropy does
  std::vector<std::string> labels() const override { return labels_; }
  weft::Node label_data() const override {
    weft::List names;
    for (const std::string& label : labels_) names.emplace_back(label);
    return names;
  }

 private:
  void take_labels(std::vector<std::string> labels) {
    labels_ = std::move(labels);
    model_->ref("output").set_dim("nO", static_cast<std::int64_t>(labels_.size()));
  }
  int number_of(const std::string& label) const {
    const auto found = std::find(labels_.begin(), labels_.end(), label);
    return found == labels_.end() ? kNoLabel : static_cast<int>(found - labels_.begin());
  }

  weft::ModelPtr model_;
  std::vector<std::string> labels_;  // sorted; the columns of the scores
};

weft::ComponentPtr classifier(const ClassifierSettings& c) {
  return std::make_shared<Classifier>(c.model);
}

const weft::Registration registered =
    weft::Registration{"topics.classifier", classifier, "says what a document is about"}.meta(
        R"({"default_score_weights": {"topic_acc": 1.0}, "assigns": ["doc.cats"]})");

}  // namespace
}  // namespace topics
