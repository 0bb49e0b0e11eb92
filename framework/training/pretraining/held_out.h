// Text that is not trained on: its loss tells whether pretraining still learns or only remembers.
#pragma once

#include <cstdint>
#include <vector>

#include "framework/pipeline/language.h"
#include "framework/pipeline/worker_pool.h"
#include "framework/training/pretraining/masking.h"
#include "framework/training/pretraining/network.h"
#include "framework/training/reader.h"
#include "registry/base/export.h"

namespace weft {

class WEFT_API HeldOutText {
 public:
  // Reads all of it into memory and masks it once, so that every loss is of the same tokens.
  HeldOutText(const Reader& corpus, const Language& nlp, const RandomWords& words,
              std::uint64_t seed);

  // As if all of it was one batch. The same for any number of threads.
  double loss(const Language& nlp, const PretrainNetwork& network, WorkerPool& pool) const;

 private:
  std::vector<Doc> docs_;
  MaskedTexts masked_;
  std::int64_t tokens_ = 0;
  std::vector<std::size_t> groups_;  // the end of each group of documents
};

}  // namespace weft
