// Looks for faults in annotated corpora: of documents here, of their annotation as its kind says,
// of labels by their numbers. Source: spaCy 3.8, `debug data`; and other faults that
// cost users labels and time.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "framework/pipeline/annotation_kind.h"
#include "framework/pipeline/data_problem.h"
#include "framework/pipeline/language.h"
#include "framework/training/form_check.h"
#include "framework/training/word_counts.h"
#include "registry/base/seeded_hash.h"

namespace weft {

// Of one kind of annotation in a corpus.
struct AnnotationCounts {
  const AnnotationKind* kind = nullptr;
  std::int64_t things = 0;
  std::int64_t out_of_reach = 0;               // things that no training can find
  std::map<std::string, std::int64_t> labels;  // things of each
  bool has_own_labels = false;  // a component has them from a saved pipeline, or from the config
  std::set<std::string> known = {};  // labels that components have from a saved pipeline
  Object facts = {};                 // as AnnotationFacts has them, once all documents were seen
};

struct CorpusCounts {
  std::int64_t documents = 0;
  std::int64_t tokens = 0;
  std::int64_t different_words = 0;          // once all documents were seen
  std::int64_t misaligned_tokens = 0;        // of the pipeline, that are not one of the data's
  std::vector<AnnotationCounts> annotation;  // of each kind that the pipeline learns
};

class WEFT_API DataCheck {
 public:
  struct Options {
    std::int64_t max_length = 0;   // documents of as many tokens are cut or left out; 0: none
    std::int64_t rare_label = 10;  // fewer things of a label are few
    std::set<std::string> labelled = {};  // components whose labels the config gives
    bool starts_anew = false;             // no component goes on from a saved pipeline
  };

  // Problems go to `tell` as they are found; `nlp` outlives this.
  DataCheck(const Language& nlp, Options options, DataSink tell);

  // First all of the training data, then all of the development data.
  void check_train(const PlacedDoc& placed) { check(placed, train_); }
  void check_dev(const PlacedDoc& placed) { check(placed, dev_); }
  // The findings about labels and about each corpus as a whole, once all documents were seen.
  void finish();
  // Those about words of the training data that the pipeline's vectors do not know.
  void check_vectors(const Vectors& vectors) const;

  const CorpusCounts& train() const { return train_.counts; }
  const CorpusCounts& dev() const { return dev_.counts; }
  void set_names(std::string train, std::string dev);

 private:
  struct Seen {
    std::string file;
    std::int64_t document = 0;
    std::vector<std::uint64_t> annotation;  // a hash of each kind
  };
  struct Corpus {
    std::string name;
    CorpusCounts counts;
    std::vector<FormCheck> forms;                         // of each kind of annotation
    std::vector<std::unique_ptr<AnnotationFacts>> facts;  // of each kind; null: it has none
    WordCounts words;
    std::unordered_map<std::uint64_t, Seen, SeededHash> texts;  // by the hash of the text
  };

  void check(const PlacedDoc& placed, Corpus& corpus);
  void check_document(const PlacedDoc& placed, const DataSink& tell) const;
  void check_whole(Corpus& corpus, const DataSink& tell);
  DataSink telling_of(const Corpus& corpus) const;
  void check_copies(const PlacedDoc& placed, Corpus& corpus, const DataSink& tell) const;

  const Language& nlp_;
  Options options_;
  DataSink tell_;
  Corpus train_, dev_;
};

}  // namespace weft
