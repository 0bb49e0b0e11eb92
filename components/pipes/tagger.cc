// The factory `tagger`: fine-grained tags. spaCy 3.8; docs/tagging.md.
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "components/pipes/hash_embed_tagger.h"
#include "framework/pipeline/cfg_settings.h"
#include "framework/pipeline/label_limit.h"
#include "framework/pipeline/label_settings.h"
#include "framework/tagging/label_list.h"
#include "framework/tagging/refusal.h"
#include "framework/tagging/token_annotation.h"
#include "framework/tagging/token_classifier.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

constexpr const char* kDefaultScorer = R"(
[scorer]
@scorers = "spacy.tagger_scorer.v1"
)";

struct Settings {
  ModelPtr model;
  bool overwrite = false;
  std::optional<Scorer> scorer;
  std::string neg_prefix = "!";
  double label_smoothing = 0.0;
};

template <class V>
void fields(V& v, Settings& c) {
  v.block("model", c.model, kHashEmbedTagger, "the network");
  v("overwrite", c.overwrite, "replace tags that are there");
  v.block("scorer", c.scorer, kDefaultScorer, "how predictions are scored");
  v("neg_prefix", c.neg_prefix, "stands before a tag that a token does not have");
  v("label_smoothing", c.label_smoothing, "share of the truth that goes to the other tags",
    range(0.0, 1.0));
}

class Tagger final : public TokenClassifier {
 public:
  explicit Tagger(const Settings& c)
      : TokenClassifier({c.model, c.scorer.value_or(Scorer()), c.label_smoothing}),
        overwrite_(c.overwrite),
        neg_prefix_(c.neg_prefix) {}

  Signature init_settings() const override { return signature_of<LabelNames>(); }
  std::vector<std::string> labels() const override { return labels_.names(); }
  Node label_data() const override { return labels_.to_list(); }
  bool add_label(std::string_view label) override {
    if (labels_.find(string_id(label))) return false;
    require_room();
    return labels_.add(label, vocab().strings());
  }
  const AnnotationKind* annotation() const override { return &tag_annotation(); }

 protected:
  std::int64_t class_count() const override { return labels_.size(); }

  // The set sorts the tags, so that the classes do not depend on the order of the documents.
  void find_classes(InitContext& init) override {
    if (const Node* given = init.given("labels")) {
      return labels_.add_list(*given, labels_place(), vocab().strings());
    }
    std::set<std::string> tags;
    const ExampleStreamPtr examples = init.examples();
    while (const ExamplePtr example = examples->next()) {
      for (std::string& tag : tag_annotation().labels_in(example->reference())) {
        tags.insert(std::move(tag));
      }
      require_few_labels(tags.size(), "the training data");
    }
    for (const std::string& tag : tags) labels_.add(tag, vocab().strings());
  }

  // A token without a tag, or whose counterparts in the reference disagree, has no gradient.
  void append_gold(const Example& example, std::vector<GoldClass>& gold) const override {
    const std::vector<StringId> tags = example.aligned_column(Attr::tag);
    for (std::size_t i = 0; i < tags.size(); ++i) {
      gold.push_back(tags[i] == 0 ? GoldClass::missing() : class_of(example, i, tags[i]));
    }
  }

  // Tags that an earlier component or the data has set stay, unless the settings say otherwise.
  void annotate(Doc& doc, ConstView scores) const override {
    const std::vector<std::int32_t> best = best_classes(scores);
    std::vector<StringId> tags(best.size());
    for (std::size_t i = 0; i < best.size(); ++i) {
      const StringId old = doc.value(Attr::tag, static_cast<int>(i));
      tags[i] = overwrite_ || old == 0 ? labels_.id(best[i]) : old;
    }
    doc.set_column(Attr::tag, std::move(tags));
  }

  Object cfg() const override {
    Object cfg;
    cfg.set("label_smoothing", network().label_smoothing);
    cfg.set("labels", labels_.to_list());
    cfg.set("neg_prefix", neg_prefix_);
    cfg.set("overwrite", overwrite_);
    return cfg;
  }

  void take_cfg(const Object& cfg, const std::string& source) override {
    double smoothing = network().label_smoothing;
    take_share(cfg, "label_smoothing", source, smoothing);
    set_label_smoothing(smoothing);
    take_setting(cfg, "neg_prefix", source, neg_prefix_);
    take_setting(cfg, "overwrite", source, overwrite_);
    labels_.clear();
    if (const Node* labels = cfg.find("labels")) {
      labels_.add_list(*labels, source, vocab().strings());
    }
  }

 private:
  // A tag with the prefix says which class is wrong and nothing of which one is right: the gradient
  // pushes that class down alone. Smoothing spreads the truth over all other classes, which has no
  // meaning then.
  GoldClass class_of(const Example& example, std::size_t token, StringId tag) const {
    const std::string_view text = example.reference().string(tag);
    const bool negative = !neg_prefix_.empty() && text.starts_with(neg_prefix_);
    const std::string_view label = negative ? text.substr(neg_prefix_.size()) : text;
    const auto number = labels_.find(negative ? string_id(label) : tag);
    const int at = static_cast<int>(token);
    if (!number) {
      refuse_token(example, example.predicted(), at,
                   negative ? fmt::format("the tag \"{}\" is negative (neg_prefix), and \"{}\" is "
                                          "none of its labels",
                                          text, label)
                            : fmt::format("the tag \"{}\" is none of its labels", text));
    }
    if (!negative) return GoldClass::is(*number);
    if (network().label_smoothing == 0.0) return GoldClass::is_not(*number);
    refuse_token(example, example.predicted(), at,
                 fmt::format("the negative tag \"{}\" does not go with label_smoothing; "
                             "set that to 0",
                             text));
  }

  LabelList labels_;
  bool overwrite_;
  std::string neg_prefix_;
};

ComponentPtr tagger(const Settings& c) {
  return std::make_shared<Tagger>(c);
}

const Registration registered = Registration{"tagger", tagger, "fine-grained tags"}.meta(R"({
  "default_score_weights": {"tag_acc": 1.0, "pos_acc": 0.0, "tag_micro_p": null,
                            "tag_micro_r": null, "tag_micro_f": null},
  "assigns": ["token.tag"],
  "starter": {"label_smoothing": 0.05, "model": {
    "@architectures": "spacy.Tagger.v2", "nO": null,
    "tok2vec": {"@architectures": "spacy.Tok2VecListener.v1",
                "width": "${components.tok2vec.model.encode.width}"}
  }}
})");

}  // namespace

}  // namespace weft
