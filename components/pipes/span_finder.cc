// The factory `span_finder`: spans without labels, by the tokens that they start and end with.
// Source: spaCy 3.8, `SpanFinder`; docs/spans.md, section 5.
#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "components/pipes/span_annotation.h"
#include "components/pipes/span_bounds.h"
#include "components/pipes/span_defaults.h"
#include "components/pipes/span_settings.h"
#include "components/scorers/span_scores.h"
#include "framework/io/atomic_file.h"
#include "framework/io/json_file.h"
#include "framework/io/pretty_json.h"
#include "framework/nn/model_file.h"
#include "framework/pipeline/component.h"
#include "framework/pipeline/output_form.h"
#include "framework/pipeline/score_sessions.h"
#include "framework/pipeline/shape_sample.h"
#include "framework/precision/element_type.h"
#include "registry/base/error.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

constexpr const char* kDefaultScorer = R"(
[scorer]
@scorers = "spacy.span_finder_scorer.v1"
)";

std::string default_model() {
  return R"(
[model]
@architectures = "spacy.SpanFinder.v1"

[model.scorer]
@layers = "spacy.LinearLogistic.v1"
nO = 2
)" + span_tok2vec("v2");
}

struct Settings {
  ModelPtr model;
  std::string spans_key = "sc";
  double threshold = 0.5;
  std::optional<int> max_length = 25;
  std::optional<int> min_length;
  std::optional<Scorer> scorer;
};

template <class V>
void fields(V& v, Settings& c) {
  v.block("model", c.model, default_model(), "the network");
  v("spans_key", c.spans_key, "the key of the group that spans are learnt from and written to");
  v("threshold", c.threshold, "a token starts or ends a span from this score on",
    closed_range(0.0, 1.0));
  v("max_length", c.max_length, "most tokens of a span; null: any number", at_least(1));
  v("min_length", c.min_length, "fewest tokens of a span; null: 1", at_least(1));
  v.block("scorer", c.scorer, kDefaultScorer, "how predictions are scored");
}

template <class Docs>
bool has_tokens(const Docs& docs) {
  return std::any_of(docs.begin(), docs.end(), [](const auto* doc) { return doc->size() > 0; });
}

class SpanFinder final : public Component {
 public:
  explicit SpanFinder(const Settings& c)
      : model_(c.model),
        spans_key_(c.spans_key),
        bounds_{c.threshold, c.min_length, c.max_length},
        scorer_(c.scorer.value_or(Scorer())) {}

  void initialize(InitContext& init) override {
    const ShapeSample sample = shape_sample(init.sample, ExampleSide::reference);
    const std::vector<const Doc*>& docs = sample.docs;
    model_->initialize(init.ctx, DocBatch(docs), init.ctx.zeros({1, 2}), init.random);
    check_columns(ErrorKind::config, "the model of component '" + name() + "'");
    require_output(init.ctx, *model_, docs, OutputForm::row_of_token, "spacy.SpanFinder.v1");
  }

  // All documents go through the network together; `first` is the row of a document's first token
  // in the common scores. A document without tokens has no rows, and a batch of them alone is not
  // run.
  void predict(Context& ctx, std::span<Doc* const> docs, Slots&) const override {
    const std::vector<const Doc*> inputs(docs.begin(), docs.end());
    Tensor scores;
    if (has_tokens(docs)) scores = checked_scores(ctx, model_->predict(ctx, DocBatch(inputs)));
    std::int64_t first = 0;
    for (Doc* doc : docs) {
      SpanGroup group{spans_key_, {}, {}};
      if (!doc->empty()) {
        for (const TokenRange& span :
             spans_between(scores.cview().slice(first, doc->size()), bounds_)) {
          group.spans.push_back({span.start, span.end});
        }
      }
      doc->set_span_group(spans_key_, std::move(group));
      first += doc->size();
    }
  }

  // The loss is the sum of squared differences between the scores and 0 or 1, two for each token. A
  // number is left out where a gold span starts or ends inside of the token. The gradient is the
  // difference itself, times the loss scale; the loss that is reported is not scaled.
  void update(ShardUpdate& shard) const override {
    double& loss = shard.losses[name()];
    std::vector<const Doc*> docs;
    std::vector<float> truth;
    for (const Example* example : shard.examples) {
      docs.push_back(&example->predicted());
      const std::vector<float> bounds = span_bounds(*example, spans_key_);
      truth.insert(truth.end(), bounds.begin(), bounds.end());
    }
    if (!has_tokens(docs)) return;
    Context& ctx = shard.ctx;
    const Forward forward = (*model_)(ctx, DocBatch(docs));
    const Tensor scores = checked_scores(ctx, forward.output);
    Tensor gradient = ctx.host_array(scores.shape());
    auto* d = gradient.data<float>();
    for (std::size_t i = 0; i < truth.size(); ++i) {
      d[i] = truth[i] == kMaskedBound ? 0.0F : scores.data<float>()[i] - truth[i];
      loss += double{d[i]} * d[i];
      d[i] *= ctx.pass().loss_scale();
    }
    forward.backward(ctx, ctx.placed(gradient));
  }

  ScoreSessionPtr start_scores() const override {
    return start_session(SpanScorer::configured(scorer_, spans_key_), *this, cfg());
  }

  bool has_state() const override { return true; }
  void to_disk(const std::filesystem::path& folder) const override {
    write_file(folder / "cfg", to_pretty_json(cfg()) + "\n");
    write_model(folder / "model", *model_);
  }
  // Settings in the saved file win over those that the component was made with.
  void from_disk(const std::filesystem::path& folder) override {
    const std::string source = (folder / "cfg").string();
    const Object cfg = read_json_object(folder / "cfg");
    std::optional<double> threshold = bounds_.threshold;
    take_number(cfg, "threshold", source, {0.0, 1.0}, threshold);
    if (!threshold) throw Error(ErrorKind::data, source + ": threshold is null");
    bounds_.threshold = *threshold;
    take_count(cfg, "min_length", source, bounds_.min_length);
    take_count(cfg, "max_length", source, bounds_.max_length);
    take_spans_key(cfg, source, spans_key_);
    read_model_file(*model_, folder / "model");
    check_columns(ErrorKind::data, (folder / "model").string());
  }

  std::vector<ModelPtr> models() const override { return {model_}; }
  bool scales_gradients() const override { return true; }
  const AnnotationKind* annotation() const override {
    const int most = bounds_.max_length.value_or(std::numeric_limits<int>::max());
    return &span_annotation(spans_key_, false,
                            reach_of_lengths(bounds_.min_length.value_or(1), most));
  }

 private:
  Object cfg() const {
    const auto length = [](const std::optional<int>& tokens) {
      return tokens ? Node(*tokens) : Node();
    };
    Object cfg;
    cfg.set("min_length", length(bounds_.min_length));
    cfg.set("max_length", length(bounds_.max_length));
    cfg.set("threshold", bounds_.threshold);
    cfg.set("spans_key", spans_key_);
    return cfg;
  }

  void check_columns(ErrorKind kind, const std::string& source) const {
    const auto columns = model_->find_dim("nO");
    if (!columns || *columns == 2) return;
    throw Error(kind, fmt::format("{}: gives {} scores for each token (nO); a span finder takes 2",
                                  source, *columns));
  }
  // (tokens, 2), f32 on the host.
  Tensor checked_scores(Context& ctx, const Value& output) const {
    Tensor scores = cast_to(DType::f32, ctx.on_host(as_tensor(output)));
    if (scores.shape().rank() == 2 && scores.dim(1) == 2) return scores;
    throw Error(ErrorKind::data, fmt::format("component '{}': the model gives arrays {}, not two "
                                             "scores for each token",
                                             name(), scores.shape().str()));
  }

  ModelPtr model_;
  std::string spans_key_;
  SpanBounds bounds_;
  Scorer scorer_;
};

ComponentPtr span_finder(const Settings& c) {
  return std::make_shared<SpanFinder>(c);
}

const Registration registered =
    Registration{"span_finder", span_finder, "spans by their first and last tokens"}.meta(
        R"({
  "default_score_weights": {"spans_sc_f": 1.0, "spans_sc_p": 0.0, "spans_sc_r": 0.0},
  "assigns": ["doc.spans"],
  "starter": {"model": {
    "@architectures": "spacy.SpanFinder.v1",
    "scorer": {"@layers": "spacy.LinearLogistic.v1", "nO": 2},
    "tok2vec": {"@architectures": "spacy.Tok2VecListener.v1",
                "width": "${components.tok2vec.model.encode.width}"}
  }}
})");

}  // namespace

}  // namespace weft
