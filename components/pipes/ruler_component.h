// The common part of the rulers: patterns that are given at initialisation or read from a folder,
// and turned into matchers with the pipeline's tokenizer.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "framework/matching/fuzzy_compare.h"
#include "framework/matching/ruler_patterns.h"
#include "framework/pipeline/component.h"
#include "framework/pipeline/has_patterns.h"
#include "framework/pipeline/takes_phrases.h"
#include "registry/base/export.h"

namespace weft {

// How patterns are read and compared, in the settings of every ruler.
struct PatternSettings {
  std::optional<std::string> phrase_matcher_attr;
  FuzzyCompare matcher_fuzzy_compare;
  bool validate = false;
};

template <class V>
void pattern_fields(V& v, PatternSettings& c) {
  v("phrase_matcher_attr", c.phrase_matcher_attr,
    "attribute by which phrases are compared; null: ORTH");
  v.block("matcher_fuzzy_compare", c.matcher_fuzzy_compare,
          "[matcher_fuzzy_compare]\n@misc = \"spacy.levenshtein_compare.v1\"\n",
          "compares for FUZZY");
  v("validate", c.validate, "check patterns more strictly");
}

// Scores of rulers that make entities.
inline constexpr const char* kEntityRulerScorer = R"(
[scorer]
@scorers = "spacy.entity_ruler_scorer.v1"
)";

class WEFT_API RulerComponent : public Component, public TakesPhrases, public HasPatterns {
 public:
  RulerComponent(std::optional<std::string> phrase_attribute, bool validate, Scorer scorer)
      : phrase_attribute_(std::move(phrase_attribute)),
        validate_(validate),
        scorer_(std::move(scorer)) {}

  // Patterns come from [initialize.components.NAME.patterns] alone; without them there are none.
  void initialize(InitContext& init) override;
  Signature init_settings() const override;
  void predict(Context& ctx, std::span<Doc* const> docs, Slots& slots) const override;
  Scores score(std::span<const Example> examples) const override;
  ScoreSessionPtr start_scores() const override;
  bool has_state() const override { return true; }
  std::vector<std::string> labels() const override;
  void set_make_phrase(MakePhrase make) override { make_phrase_ = std::move(make); }
  std::vector<GivenPattern> given_patterns(const Object& settings) const override;
  std::vector<std::string> pattern_warnings() const override;

  // Behind those that are there. Throws Error(data), which names the pattern.
  void add_patterns(const List& entries);

 protected:
  virtual void annotate(Doc& doc, std::vector<Span> found) const = 0;

  void clear() { patterns_.reset(); }
  // Adds the patterns of a file, a JSON object on each line.
  void add_pattern_file(const std::filesystem::path& file);
  // All patterns in that form.
  std::string lines() const { return patterns_ ? patterns_->lines() : std::string(); }
  const std::optional<std::string>& phrase_attribute() const { return phrase_attribute_; }
  void set_phrase_attribute(std::optional<std::string> name) {
    phrase_attribute_ = std::move(name);
  }

 private:
  void add_pattern(const Node& entry, std::size_t index);

  std::optional<std::string> phrase_attribute_;
  bool validate_;
  Scorer scorer_;
  MakePhrase make_phrase_;
  std::optional<RulerPatterns> patterns_;  // none: no patterns
};

}  // namespace weft
