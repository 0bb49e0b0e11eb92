// The factory `tok2vec`: token vectors that later components share through listeners. spaCy 3.8.
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "framework/io/atomic_file.h"
#include "framework/io/mapped_file.h"
#include "framework/nn/model.h"
#include "framework/nn/model_file.h"
#include "framework/ops/context.h"
#include "framework/ops/squared_sum.h"
#include "framework/pipeline/component.h"
#include "framework/pipeline/listener.h"
#include "framework/pipeline/score_sessions.h"
#include "framework/pipeline/shape_sample.h"
#include "framework/pipeline/slots.h"
#include "framework/text/example.h"
#include "framework/text/predicted_docs.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

// Adds the squares of a gradient that was multiplied by `scale`. One that the scale made infinite
// is no fault of the loss: the step is skipped for what it makes of the parameters' gradients.
void add_loss(double squares, double scale, double& loss) {
  if (scale > 1.0 && !std::isfinite(squares)) return;
  loss += squares / (scale * scale);
}

class Tok2Vec final : public Component, public TokenVectorSource {
 public:
  explicit Tok2Vec(ModelPtr model) : model_(std::move(model)) {}

  void initialize(InitContext& init) override {
    const ShapeSample sample = shape_sample(init.sample, ExampleSide::predicted);
    model_->initialize(init.ctx, DocBatch(sample.docs), {}, init.random);
  }

  void predict(Context& ctx, std::span<Doc* const> docs, Slots& slots) const override {
    const std::vector<const Doc*> inputs(docs.begin(), docs.end());
    slots.publish(name(), {model_->predict(ctx, DocBatch(inputs)), tokenizations_of(inputs)});
  }

  // The backward pass runs when all listeners have given their gradients.
  void update(ShardUpdate& shard) const override {
    // The list of documents has to live as long as the backward pass.
    auto docs = std::make_shared<std::vector<const Doc*>>(predicted_docs(shard.examples));
    Forward forward = (*model_)(shard.ctx, DocBatch(*docs));
    double& loss = shard.losses[name()];
    Context& ctx = shard.ctx;
    // The reported loss is the sum over listeners, not that of their sum (spaCy 3.8).
    const auto hear = [&loss, &ctx](const Value& gradient) {
      const double scale = ctx.pass().loss_scale();  // which the gradient comes with
      squared_sum(ctx, arrays_of(gradient),
                  [&loss, scale](double squares) { add_loss(squares, scale, loss); });
    };
    shard.slots.publish(
        name(), {std::move(forward.output), tokenizations_of(*docs)},
        [docs, &ctx, back = std::move(forward.backward)](const Value& gradient) {
          back(ctx, gradient);
        },
        hear);
  }

  void forward_frozen(ShardUpdate& shard) const override {
    const std::vector<const Doc*> docs = predicted_docs(shard.examples);
    shard.slots.publish(name(),
                        {model_->predict(shard.ctx, DocBatch(docs)), tokenizations_of(docs)});
  }

  ScoreSessionPtr start_scores() const override { return no_scores(); }

  bool has_state() const override { return true; }
  void to_disk(const std::filesystem::path& folder) const override {
    write_file(folder / "cfg", "{\n\n}");
    write_model(folder / "model", *model_);
  }
  void from_disk(const std::filesystem::path& folder) override {
    const std::filesystem::path file = folder / "model";
    model_from_bytes(*model_, MappedFile(file).bytes(), file.string());
  }
  std::vector<ModelPtr> models() const override { return {model_}; }
  const ModelPtr& vector_model() const override { return model_; }
  // It has no loss of its own: the gradients of listeners are scaled already.
  bool scales_gradients() const override { return true; }

 private:
  ModelPtr model_;
};

constexpr const char* kDefaultModel = R"(
[model]
@architectures = "spacy.HashEmbedCNN.v2"
pretrained_vectors = null
width = 96
depth = 4
embed_size = 2000
window_size = 1
maxout_pieces = 3
subword_features = true
)";

struct Tok2VecSettings {
  ModelPtr model;
};

template <class V>
void fields(V& v, Tok2VecSettings& c) {
  v.block("model", c.model, kDefaultModel, "gives a vector for each token");
}

ComponentPtr tok2vec(const Tok2VecSettings& c) {
  return std::make_shared<Tok2Vec>(c.model);
}

const Registration registered =
    Registration{"tok2vec", tok2vec, "token vectors that other components listen to"}.meta(
        R"({
  "default_score_weights": {}, "assigns": ["doc.tensor"],
  "starter": {"model": {
    "@architectures": "spacy.Tok2Vec.v2",
    "embed": {"@architectures": "spacy.MultiHashEmbed.v2",
              "width": "${components.tok2vec.model.encode.width}",
              "attrs": ["NORM", "PREFIX", "SUFFIX", "SHAPE"], "rows": [5000, 1000, 2500, 2500],
              "include_static_vectors": false},
    "encode": {"@architectures": "spacy.MaxoutWindowEncoder.v2", "width": 96, "depth": 4,
               "window_size": 1, "maxout_pieces": 3}
  }},
  "starter_accuracy": {"model": {
    "@architectures": "spacy.Tok2Vec.v2",
    "embed": {"@architectures": "spacy.MultiHashEmbed.v2",
              "width": "${components.tok2vec.model.encode.width}",
              "attrs": ["NORM", "PREFIX", "SUFFIX", "SHAPE"], "rows": [5000, 1000, 2500, 2500],
              "include_static_vectors": true},
    "encode": {"@architectures": "spacy.MaxoutWindowEncoder.v2", "width": 256, "depth": 8,
               "window_size": 1, "maxout_pieces": 3}
  }}
})");

}  // namespace

}  // namespace weft
