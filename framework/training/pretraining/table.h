// The table of a pretraining run: a row each time so many more words were seen.
// Source: spaCy 3.8, `spacy.training.pretrain` (ProgressTracker).
#pragma once

#include <optional>
#include <string>

#include "framework/training/pretraining/state.h"
#include "registry/base/export.h"

namespace weft {

class WEFT_API PretrainTable {
 public:
  static constexpr std::int64_t kWordsPerRow = 10'000;

  // The two lines above the rows, each with its line feed. `has_dev`: with a last column for the
  // loss of text that is not trained on.
  static std::string header(bool has_dev);
  // A row, if one is due; `state` notes it. `pass` is that of the last batch.
  static std::optional<std::string> row(PretrainState& state, std::int64_t pass,
                                        double words_per_second, std::optional<double> dev_loss);
};

// A number with up to four decimals, fewer where it would be longer than `width` characters.
WEFT_API std::string rounded(double number, int width);

}  // namespace weft
