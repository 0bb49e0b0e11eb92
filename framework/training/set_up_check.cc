#include "framework/training/set_up_check.h"

#include "framework/training/prepared_pipeline.h"
#include "registry/base/error.h"

namespace weft {

void check_examples(const std::string& corpus, const CorpusCounts& counts, const DataSink& tell) {
  if (counts.tokens > 0) return;
  tell({.fault = DataFault::no_example,
        .corpus = corpus,
        .message = counts.documents == 0 ? "the corpus has no document"
                                         : "no document of the corpus has a token",
        .repair = "look at the path of the corpus and at what lies there"});
}

std::shared_ptr<const Language> check_set_up(const Config& config, const Catalogue& catalogue,
                                             const std::string& corpus, const DataSink& tell) {
  try {
    return initialized_pipeline(config, catalogue);
  } catch (const Error& error) {
    const bool is_of_input = error.kind() == ErrorKind::data || error.kind() == ErrorKind::config ||
                             error.kind() == ErrorKind::system;
    if (!is_of_input) throw;
    tell({.fault = DataFault::no_set_up,
          .corpus = corpus,
          .message = error.what(),
          .repair = "training would end here before its first step"});
    return nullptr;
  }
}

}  // namespace weft
