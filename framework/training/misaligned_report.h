// Tells of entities of a corpus that do not fall on tokens, and counts them for the log; counts the
// records that are no gold too.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

#include "framework/text/char_ents.h"
#include "framework/text/corpus_tells.h"
#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

class WEFT_API MisalignedReport {
 public:
  // `corpus` is the name of its section. The first few entities are shown on `err`, which outlives
  // this.
  MisalignedReport(std::string corpus, AlignmentPolicy policy, std::ostream& err);

  // For a reader; not to be used after this is gone.
  MisalignedSink sink();
  CorpusTells tells();
  // From now on what is shown waits for `show_held`: another thread reads the corpus.
  void hold() { holds_ = true; }
  // Not while the corpus is read.
  void show_held();
  // Counts from zero: the corpus is read anew.
  void start_pass() { repaired_ = dropped_ = rejected_ = ignored_ = 0; }
  // Once the corpus was read: how many there were, if any.
  void summarize() const;

  // {"expand": 3, "drop": 1}: entities by what became of them; empty if there were none.
  Object counts() const;

 private:
  void take(const Misaligned& found);
  void show(const std::string& line);

  std::string corpus_;
  AlignmentPolicy policy_;
  std::ostream& err_;
  std::int64_t repaired_ = 0;
  std::int64_t dropped_ = 0;
  std::int64_t rejected_ = 0;
  std::int64_t ignored_ = 0;
  std::int64_t shown_ = 0;
  bool holds_ = false;
  std::string held_;
};

}  // namespace weft
