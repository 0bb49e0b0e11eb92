// The factory `senter`: sentence boundaries. spaCy 3.8; docs/tagging.md.
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "framework/pipeline/cfg_settings.h"
#include "framework/tagging/token_annotation.h"
#include "framework/tagging/token_classifier.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

constexpr const char* kDefaultModel = R"(
[model]
@architectures = "spacy.Tagger.v2"

[model.tok2vec]
@architectures = "spacy.HashEmbedCNN.v2"
pretrained_vectors = null
width = 12
depth = 1
embed_size = 2000
window_size = 1
maxout_pieces = 2
subword_features = true
)";

constexpr const char* kDefaultScorer = R"(
[scorer]
@scorers = "spacy.senter_scorer.v1"
)";

struct Settings {
  ModelPtr model;
  bool overwrite = false;
  std::optional<Scorer> scorer;
};

template <class V>
void fields(V& v, Settings& c) {
  v.block("model", c.model, kDefaultModel, "the network");
  v("overwrite", c.overwrite, "replace sentence boundaries that are there");
  v.block("scorer", c.scorer, kDefaultScorer, "how predictions are scored");
}

class Senter final : public TokenClassifier {
 public:
  explicit Senter(const Settings& c)
      : TokenClassifier({c.model, c.scorer.value_or(Scorer())}), overwrite_(c.overwrite) {}

  std::vector<std::string> labels() const override { return {"I", "S"}; }
  bool shows_labels() const override { return false; }
  const AnnotationKind* annotation() const override { return &sentence_annotation(); }

 protected:
  static constexpr std::int32_t kInside = 0, kStart = 1;

  std::int64_t class_count() const override { return 2; }
  void find_classes(InitContext&) override {}

  // Tokens of which nothing is known are inside of a sentence: a document without sentences is
  // one.
  void append_gold(const Example& example, std::vector<GoldClass>& gold) const override {
    const auto starts = example.reference().sent_starts();
    for (int i = 0; i < example.size(); ++i) {
      const auto start = example.aligned(
          i, [&](int token) { return int{starts[static_cast<std::size_t>(token)]}; });
      gold.push_back(!start ? GoldClass::missing() : GoldClass::is(*start == 1 ? kStart : kInside));
    }
  }

  void annotate(Doc& doc, ConstView scores) const override {
    const std::vector<std::int32_t> best = best_classes(scores);
    std::vector<std::int8_t> starts(doc.sent_starts().begin(), doc.sent_starts().end());
    for (std::size_t i = 0; i < starts.size(); ++i) {
      if (overwrite_ || starts[i] == 0) starts[i] = best[i] == kStart ? 1 : -1;
    }
    doc.set_sent_starts(std::move(starts));
  }

  Object cfg() const override {
    Object cfg;
    cfg.set("overwrite", overwrite_);
    return cfg;
  }
  void take_cfg(const Object& cfg, const std::string& source) override {
    take_setting(cfg, "overwrite", source, overwrite_);
  }

 private:
  bool overwrite_;
};

ComponentPtr senter(const Settings& c) {
  return std::make_shared<Senter>(c);
}

const Registration registered = Registration{"senter", senter, "sentence boundaries"}.meta(R"({
  "default_score_weights": {"sents_f": 1.0, "sents_p": 0.0, "sents_r": 0.0},
  "assigns": ["token.is_sent_start"]
})");

}  // namespace

}  // namespace weft
