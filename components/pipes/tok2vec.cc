// The factory `tok2vec`: token vectors that later components share through listeners. spaCy 3.8.
#include <memory>
#include <utility>
#include <vector>

#include "framework/io/atomic_file.h"
#include "framework/io/mapped_file.h"
#include "framework/nn/model.h"
#include "framework/nn/model_file.h"
#include "framework/ops/context.h"
#include "framework/ops/optimizer_step.h"
#include "framework/pipeline/component.h"
#include "framework/pipeline/score_sessions.h"
#include "framework/pipeline/slots.h"
#include "framework/precision/element_type.h"
#include "framework/text/example.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

double sum_of_squares(const Tensor& tensor) {
  const Tensor wide = cast_to(DType::f32, tensor);
  const float* data = wide.data<float>();
  double sum = 0;
  for (std::int64_t i = 0; i < tensor.size(); ++i) sum += double{data[i]} * data[i];
  return sum;
}

double sum_of_squares(const Value& value) {
  if (const auto* tensor = std::get_if<Tensor>(&value)) return sum_of_squares(*tensor);
  if (const auto* ragged = std::get_if<Ragged>(&value)) return sum_of_squares(ragged->data);
  double sum = 0;
  if (const auto* list = std::get_if<TensorList>(&value)) {
    for (const Tensor& tensor : *list) sum += sum_of_squares(tensor);
  }
  return sum;
}

// Adds the sum of squares divided by `scale`, on a device when the pass has run.
void add_squares(Context& ctx, const Value& value, double scale, double& loss) {
  if (ctx.on_cpu()) {
    loss += sum_of_squares(value) / scale;
    return;
  }
  const auto* tensor = std::get_if<Tensor>(&value);
  const Tensor all = tensor != nullptr ? *tensor : as_ragged(ctx, value).data;
  Tensor sum = ctx.zeros({1}, DType::f64);
  ctx.run<SquaredNorm>(all, all, 0.0F, sum.data<double>());
  ctx.read_later(sum, [&loss, scale](double squares) { loss += squares / scale; });
}

std::vector<const Doc*> predicted_docs(std::span<Example* const> examples) {
  std::vector<const Doc*> docs;
  for (const Example* example : examples) docs.push_back(&example->predicted());
  return docs;
}

class Tok2Vec final : public Component {
 public:
  explicit Tok2Vec(ModelPtr model) : model_(std::move(model)) {}

  void initialize(InitContext& init) override {
    std::vector<const Doc*> docs;
    for (const ExamplePtr& example : init.sample) docs.push_back(&example->predicted());
    model_->initialize(init.ctx, DocBatch(docs), {}, init.random);
  }

  void predict(Context& ctx, std::span<Doc* const> docs, Slots& slots) const override {
    const std::vector<const Doc*> inputs(docs.begin(), docs.end());
    slots.publish(name(), model_->predict(ctx, DocBatch(inputs)));
  }

  // The way back runs when all listeners have given their gradients.
  void update(ShardUpdate& shard) const override {
    // The list of documents has to live as long as the way back.
    auto docs = std::make_shared<std::vector<const Doc*>>(predicted_docs(shard.examples));
    Forward forward = (*model_)(shard.ctx, DocBatch(*docs));
    double& loss = shard.losses[name()];
    shard.slots.publish(
        name(), std::move(forward.output),
        [docs, &loss, &ctx = shard.ctx, back = std::move(forward.backward)](const Value& gradient) {
          const double scale = ctx.pass().loss_scale();  // which the gradient comes with
          add_squares(ctx, gradient, scale * scale, loss);
          back(ctx, gradient);
        });
  }

  void forward_frozen(ShardUpdate& shard) const override {
    const std::vector<const Doc*> docs = predicted_docs(shard.examples);
    shard.slots.publish(name(), model_->predict(shard.ctx, DocBatch(docs)));
  }

  ScoreSessionPtr start_scores() const override { return no_scores(); }

  bool has_state() const override { return true; }
  void to_disk(const std::filesystem::path& folder) const override {
    write_file(folder / "cfg", "{\n\n}");
    write_file(folder / "model", model_to_bytes(*model_));
  }
  void from_disk(const std::filesystem::path& folder) override {
    const std::filesystem::path file = folder / "model";
    model_from_bytes(*model_, MappedFile(file).bytes(), file.string());
  }
  std::vector<ModelPtr> models() const override { return {model_}; }
  // It has no loss of its own: what listeners give is scaled already.
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
        R"({"default_score_weights": {}, "assigns": ["doc.tensor"]})");

}  // namespace

}  // namespace weft
