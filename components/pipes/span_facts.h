// Facts about the span groups of a corpus: how long spans are, and how much their words, and those
// beside them, differ from the words of the corpus. Source: spaCy 3.8, `debug data`; Papay,
// Klinger, Padó 2020, "Dissecting Span Identification Tasks with Performance Prediction".
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "framework/pipeline/annotation_facts.h"
#include "framework/pipeline/annotation_kind.h"
#include "framework/pipeline/label_presence.h"
#include "registry/base/seeded_hash.h"

namespace weft {

// Words in lower case.
class WordShares {
 public:
  void add(const std::string& word) {
    ++words_[word];
    ++all_;
  }
  // The Kullback-Leibler divergence of these from those of the corpus, which has all of them, in
  // nats; 0 of no word.
  double divergence_from(const WordShares& corpus) const;

 private:
  std::unordered_map<std::string, std::int64_t, SeededHash> words_;
  std::int64_t all_ = 0;
};

class SpanFacts final : public AnnotationFacts {
 public:
  // Spans of a document of more tokens together count for none of its words: many that lie within
  // each other would take hours.
  static constexpr std::int64_t kMostTokens = 1 << 22;

  // Of the group `key`, with or without the labels of spans. `kind` outlives this.
  SpanFacts(std::string key, bool labelled, const AnnotationKind& kind)
      : key_(std::move(key)), labelled_(labelled), kind_(kind) {}

  void add(const Doc& doc, const std::vector<std::string>& labels) override;
  Object summary(const Beside& beside) const override;
  void finish(const Beside& beside, const DataSink& tell) const override;

 private:
  struct Spans {
    std::map<int, std::int64_t> lengths;
    WordShares words, beside;  // of spans, and the words before and behind
  };
  struct Numbers {
    std::int64_t spans = 0;
    double length = 0, distinctiveness = 0, boundary_distinctiveness = 0;
    Object to_object() const;
  };
  void add_words(const std::vector<std::string>& words, const Span& span, Spans& of) const;
  Numbers numbers_of(const Spans& spans) const;
  Numbers mean() const;  // weighted by the numbers of spans

  std::string key_;
  bool labelled_;
  const AnnotationKind& kind_;
  LabelPresence presence_;
  WordShares corpus_;
  std::map<std::string, Spans> labels_;
};

}  // namespace weft
