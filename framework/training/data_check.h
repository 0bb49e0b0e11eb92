// Looks for faults in annotated corpora. Source: spaCy 3.8, `debug data`; what else users lose
// labels and time to.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>

#include "framework/pipeline/language.h"
#include "framework/training/annotated_files.h"
#include "framework/training/data_problem.h"
#include "registry/base/seeded_hash.h"

namespace weft {

struct CorpusCounts {
  std::int64_t documents = 0;
  std::int64_t tokens = 0;
  std::int64_t entities = 0;
  std::map<std::string, std::int64_t> labels;  // entities of each
};

class WEFT_API DataCheck {
 public:
  struct Options {
    std::int64_t max_length = 0;   // documents of as many tokens are cut or left out; 0: none
    std::int64_t rare_label = 10;  // fewer entities are few
  };

  // Problems go to `tell` as they are found; `nlp` outlives this.
  DataCheck(const Language& nlp, Options options, DataSink tell);

  // First all of the training data, then all of the development data.
  void check_train(const PlacedDoc& placed) { check(placed, train_); }
  void check_dev(const PlacedDoc& placed) { check(placed, dev_); }
  // What shows only once everything was seen: the labels.
  void finish();

  const CorpusCounts& train() const { return train_.counts; }
  const CorpusCounts& dev() const { return dev_.counts; }
  void set_names(std::string train, std::string dev);

 private:
  struct Seen {
    std::string file;
    std::int64_t document = 0;
    std::uint64_t entities = 0;  // a hash of them
  };
  struct Corpus {
    std::string name;
    CorpusCounts counts;
    std::unordered_map<std::uint64_t, Seen, SeededHash> texts;  // by the hash of the text
  };

  void check(const PlacedDoc& placed, Corpus& corpus);
  void check_document(const PlacedDoc& placed, const Corpus& corpus);
  void check_entity(const PlacedDoc& placed, const Span& ent, const Doc* tokenized,
                    const Corpus& corpus);
  void check_edges(const PlacedDoc& placed, const Span& ent, const Corpus& corpus);
  void check_copies(const PlacedDoc& placed, Corpus& corpus);
  void check_label_names();
  DataProblem problem(DataFault fault, const PlacedDoc& placed, const Corpus& corpus) const;
  DataProblem problem(DataFault fault, const PlacedDoc& placed, const Span& ent,
                      const Corpus& corpus) const;

  const Language& nlp_;
  Options options_;
  DataSink tell_;
  Corpus train_, dev_;
};

}  // namespace weft
