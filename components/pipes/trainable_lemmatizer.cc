// The factory `trainable_lemmatizer`: lemmas by edit trees. spaCy 3.8; docs/tagging.md.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "components/pipes/hash_embed_tagger.h"
#include "framework/io/atomic_file.h"
#include "framework/pipeline/label_settings.h"
#include "framework/tagging/token_annotation.h"
#include "framework/tagging/token_classifier.h"
#include "framework/tagging/tree_labels.h"
#include "framework/text/doc_strings.h"
#include "framework/unicode/unicode.h"
#include "registry/base/error.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

constexpr const char* kDefaultScorer = R"(
[scorer]
@scorers = "spacy.lemmatizer_scorer.v1"
)";

struct Settings {
  ModelPtr model;
  std::optional<std::string> backoff = "orth";
  int min_tree_freq = 3;
  bool overwrite = false;
  int top_k = 1;
  std::optional<Scorer> scorer;
};

template <class V>
void fields(V& v, Settings& c) {
  v.block("model", c.model, kHashEmbedTagger, "the network");
  v("backoff", c.backoff,
    "attribute that is the lemma where no edit tree fits: orth, lower, norm, tag or pos; null: "
    "the lemma stays as it is");
  v("min_tree_freq", c.min_tree_freq,
    "edit trees that are rarer in the training data are not "
    "learnt",
    at_least(0));
  v("overwrite", c.overwrite, "replace lemmas that are there");
  v("top_k", c.top_k, "the most edit trees that are tried for a token, the best first",
    at_least(1));
  v.block("scorer", c.scorer, kDefaultScorer, "how predictions are scored");
}

std::optional<Attr> backoff_of(const Settings& c) {
  if (!c.backoff) return std::nullopt;
  const std::optional<Attr> attr = attr_of(*c.backoff);
  for (const Attr known : {Attr::orth, Attr::lower, Attr::norm, Attr::tag, Attr::pos}) {
    if (attr == known) return attr;
  }
  throw Error(
      ErrorKind::config,
      fmt::format("backoff is \"{}\"; it is orth, lower, norm, tag, pos or null", *c.backoff));
}

class TrainableLemmatizer final : public TokenClassifier {
 public:
  explicit TrainableLemmatizer(const Settings& c)
      : TokenClassifier({c.model, c.scorer.value_or(Scorer())}),
        backoff_(backoff_of(c)),
        min_tree_freq_(c.min_tree_freq),
        overwrite_(c.overwrite),
        top_k_(c.top_k) {}

  Signature init_settings() const override { return signature_of<LabelTable>(); }
  std::vector<std::string> labels() const override { return labels_.names(); }
  bool shows_labels() const override { return false; }
  Node label_data() const override { return labels_.to_object(); }
  const AnnotationKind* annotation() const override { return &lemma_annotation(); }

 protected:
  std::int64_t class_count() const override { return labels_.size(); }

  // Rare trees are no classes: there are too few examples to learn them from, and every class costs
  // a row of weights. The pairs of the sample get their trees all the same, without a class, as in
  // spaCy.
  void find_classes(InitContext& init) override {
    if (const Node* given = init.given("labels")) {
      labels_ = TreeLabels::from_object(*given, labels_place());
    } else {
      TreeCounts counts;
      const ExampleStreamPtr examples = init.examples();
      while (const ExamplePtr example = examples->next()) counts.add(example->reference());
      labels_ = counts.labels(min_tree_freq_);
      if (labels_.size() == 0 && !counts.empty()) {
        throw Error(ErrorKind::data,
                    fmt::format("each edit tree of the training data comes less than {} times; "
                                "lower min_tree_freq",
                                min_tree_freq_));
      }
    }
    for (const ExamplePtr& example : init.sample) labels_.add_trees_of(example->reference());
    labels_.keep_texts(vocab().strings());
  }

  void append_gold(const Example& example, std::vector<GoldClass>& gold) const override {
    const std::vector<StringId> lemmas = example.aligned_column(Attr::lemma);
    for (std::size_t i = 0; i < lemmas.size(); ++i) {
      if (lemmas[i] == 0) {
        gold.push_back(GoldClass::missing());
        continue;
      }
      const std::string_view form = example.predicted().word(static_cast<int>(i));
      // A pair whose tree is none of the classes counts as the first (spaCy 3.8).
      const auto number = labels_.find(form, example.reference().string(lemmas[i]));
      gold.push_back(GoldClass::is(number.value_or(0)));
    }
  }

  void annotate(Doc& doc, ConstView scores) const override {
    std::vector<StringId> lemmas(static_cast<std::size_t>(doc.size()));
    DocStrings strings;
    for (int i = 0; i < doc.size(); ++i) {
      StringId& lemma = lemmas[static_cast<std::size_t>(i)];
      lemma = doc.value(Attr::lemma, i);
      if (lemma != 0 && !overwrite_) continue;
      if (const auto found = lemma_of(doc, i, scores)) lemma = strings.add(*found);
    }
    strings.give_to(doc);
    doc.set_column(Attr::lemma, std::move(lemmas));
  }

  Object cfg() const override {
    Object cfg;
    cfg.set("labels", labels_.numbers());
    return cfg;
  }
  void take_cfg(const Object& cfg, const std::string& source) override {
    const Node* numbers = cfg.find("labels");
    labels_ = TreeLabels();
    labels_.take_numbers(numbers == nullptr ? Node(List()) : *numbers, source);
  }
  void write_files(const std::filesystem::path& folder) const override {
    write_file(folder / "trees", labels_.trees().to_bytes());
  }
  void read_files(const std::filesystem::path& folder) override {
    const std::filesystem::path file = folder / "trees";
    const auto text_of = [&](StringId id) { return vocab().strings().find(id); };
    labels_.take_trees(EditTrees::from_bytes(read_file(file), file.string(), text_of),
                       file.string());
  }

 private:
  // A tree fits a form only if the pieces that it replaces are there. The best ones are tried in
  // turn, and the first that fits makes the lemma; where none does, an attribute of the token
  // stands in.
  std::optional<std::string> lemma_of(const Doc& doc, int token, ConstView scores) const {
    const std::string_view form = doc.word(token);
    for (const std::int32_t number :
         best_of({scores.row<float>(token), static_cast<std::size_t>(scores.cols())}, top_k_)) {
      if (auto lemma = labels_.trees().apply(labels_.tree(number), form)) return lemma;
    }
    if (!backoff_) return std::nullopt;
    if (*backoff_ == Attr::orth) return std::string(form);
    if (*backoff_ == Attr::lower) return lower(form);
    if (*backoff_ == Attr::norm) return doc.norm(token);
    return std::string(doc.string(doc.value(*backoff_, token)));
  }

  TreeLabels labels_;
  std::optional<Attr> backoff_;
  int min_tree_freq_;
  bool overwrite_;
  int top_k_;
};

ComponentPtr trainable_lemmatizer(const Settings& c) {
  return std::make_shared<TrainableLemmatizer>(c);
}

const Registration registered =
    Registration{"trainable_lemmatizer", trainable_lemmatizer, "lemmas by edit trees"}.meta(
        R"({
  "default_score_weights": {"lemma_acc": 1.0}, "assigns": ["token.lemma"],
  "starter": {"model": {
    "@architectures": "spacy.Tagger.v2", "nO": null,
    "tok2vec": {"@architectures": "spacy.Tok2VecListener.v1",
                "width": "${components.tok2vec.model.encode.width}"},
    "normalize": false
  }}
})");

}  // namespace

}  // namespace weft
