// The factory `morphologizer`: parts of speech and morphological features. spaCy 3.8;
// docs/tagging.md.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "framework/pipeline/cfg_settings.h"
#include "framework/pipeline/label_settings.h"
#include "framework/tagging/morph_labels.h"
#include "framework/tagging/token_annotation.h"
#include "framework/tagging/token_classifier.h"
#include "framework/text/doc_strings.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

constexpr const char* kDefaultModel = R"(
[model]
@architectures = "spacy.Tagger.v2"

[model.tok2vec]
@architectures = "spacy.Tok2Vec.v2"

[model.tok2vec.embed]
@architectures = "spacy.CharacterEmbed.v2"
width = 128
rows = 7000
nM = 64
nC = 8
include_static_vectors = false

[model.tok2vec.encode]
@architectures = "spacy.MaxoutWindowEncoder.v2"
width = 128
depth = 4
window_size = 1
maxout_pieces = 3
)";

constexpr const char* kDefaultScorer = R"(
[scorer]
@scorers = "spacy.morphologizer_scorer.v1"
)";

struct Settings {
  ModelPtr model;
  bool overwrite = true;
  bool extend = false;
  std::optional<Scorer> scorer;
  double label_smoothing = 0.0;
};

template <class V>
void fields(V& v, Settings& c) {
  v.block("model", c.model, kDefaultModel, "the network");
  v("overwrite", c.overwrite, "replace parts of speech and features that are there");
  v("extend", c.extend, "keep fields that are there beside the predicted ones");
  v.block("scorer", c.scorer, kDefaultScorer, "how predictions are scored");
  v("label_smoothing", c.label_smoothing, "share of the truth that goes to the other labels",
    range(0.0, 1.0));
}

class Morphologizer final : public TokenClassifier {
 public:
  explicit Morphologizer(const Settings& c)
      : TokenClassifier({c.model, c.scorer.value_or(Scorer()), c.label_smoothing}),
        overwrite_(c.overwrite),
        extend_(c.extend) {}

  Signature init_settings() const override { return signature_of<LabelTable>(); }
  std::vector<std::string> labels() const override { return labels_.names().names(); }
  Node label_data() const override { return labels_.to_object("morph", "pos"); }
  bool add_label(std::string_view label) override {
    if (labels_.contains(label)) return false;
    require_room();
    return labels_.add(label, vocab().strings());
  }
  const AnnotationKind* annotation() const override { return &morph_annotation(); }

 protected:
  std::int64_t class_count() const override { return labels_.names().size(); }

  void find_classes(InitContext& init) override {
    if (const Node* given = init.given("labels")) {
      return labels_.add_table(*given, "morph", "pos", labels_place(), vocab().strings());
    }
    const ExampleStreamPtr examples = init.examples();
    while (const ExamplePtr example = examples->next()) {
      labels_.add_all_of(*example, vocab().strings());
    }
  }

  void append_gold(const Example& example, std::vector<GoldClass>& gold) const override {
    labels_.append_gold(example, gold);
  }

  // A class is a part of speech together with an analysis; both are taken from it. New texts are
  // collected first and given to the document's strings in one go.
  void annotate(Doc& doc, ConstView scores) const override {
    const std::vector<std::int32_t> best = best_classes(scores);
    std::vector<StringId> morphs(best.size()), pos(best.size());
    DocStrings strings;
    for (std::size_t i = 0; i < best.size(); ++i) {
      const int token = static_cast<int>(i);
      const MorphLabels::Analysis& found = labels_.analysis(best[i]);
      const StringId old_pos = doc.value(Attr::pos, token);
      pos[i] = overwrite_ || old_pos == 0 ? found.pos : old_pos;
      morphs[i] = merged(doc, token, found, strings);
    }
    strings.give_to(doc);
    doc.set_column(Attr::morph, std::move(morphs));
    doc.set_column(Attr::pos, std::move(pos));
  }

  Object cfg() const override {
    Object cfg;
    cfg.set("extend", extend_);
    cfg.set("label_smoothing", network().label_smoothing);
    for (const auto& [key, table] : labels_.to_object("labels_morph", "labels_pos")) {
      cfg.set(key, table);
    }
    cfg.set("overwrite", overwrite_);
    return cfg;
  }

  void take_cfg(const Object& cfg, const std::string& source) override {
    double smoothing = network().label_smoothing;
    take_share(cfg, "label_smoothing", source, smoothing);
    set_label_smoothing(smoothing);
    take_setting(cfg, "overwrite", source, overwrite_);
    take_setting(cfg, "extend", source, extend_);
    labels_ = {};
    labels_.add_table(cfg, "labels_morph", "labels_pos", source, vocab().strings());
  }

 private:
  // The analysis that the token gets.
  // Four cases. The predicted analysis replaces the old one or only fills an empty one
  // (`overwrite`); with `extend` fields are merged one by one, and `overwrite` then says which side
  // wins a field that both have.
  StringId merged(const Doc& doc, int token, const MorphLabels::Analysis& found,
                  DocStrings& strings) const {
    const StringId old = doc.value(Attr::morph, token);
    if (old == 0 || (overwrite_ && !extend_)) return found.morph;
    if (!extend_) return old;
    MorphFeatures features = morph_of(doc, token);
    if (overwrite_) {
      features.update(found.features);
    } else {
      MorphFeatures kept = found.features;
      kept.update(features);
      features = std::move(kept);
    }
    return strings.add(features.str());
  }

  MorphLabels labels_;
  bool overwrite_;
  bool extend_;
};

ComponentPtr morphologizer(const Settings& c) {
  return std::make_shared<Morphologizer>(c);
}

const Registration registered =
    Registration{"morphologizer", morphologizer, "parts of speech and features"}.meta(R"({
  "default_score_weights": {"pos_acc": 0.5, "morph_acc": 0.5, "morph_per_feat": null},
  "assigns": ["token.morph", "token.pos"],
  "starter": {"label_smoothing": 0.05, "model": {
    "@architectures": "spacy.Tagger.v2", "nO": null,
    "tok2vec": {"@architectures": "spacy.Tok2VecListener.v1",
                "width": "${components.tok2vec.model.encode.width}"}
  }}
})");

}  // namespace

}  // namespace weft
