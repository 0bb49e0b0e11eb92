#include "framework/training/evaluation_corpus.h"

#include <memory>
#include <utility>

#include "framework/training/example_bytes.h"
#include "framework/training/example_streams.h"
#include "registry/base/error.h"

namespace weft {

EvaluationCorpus::EvaluationCorpus(const Reader& reader, const Language& nlp,
                                   std::size_t most_bytes, MisalignedReport& misaligned,
                                   const std::vector<std::string>& frozen)
    : reader_(reader), nlp_(nlp), unseen_(nlp, frozen) {
  misaligned.start_pass();
  const ExampleStreamPtr stream = open_telling(reader, nlp, misaligned.tells());
  while (ExamplePtr example = stream->next()) {
    ++documents_;
    unseen_.add(*example);
    bytes_ += estimated_bytes(*example);
    if (bytes_ > most_bytes) is_held_ = false;
    if (is_held_) {
      examples_.push_back(std::move(example));
    } else {
      examples_ = {};
    }
  }
  if (documents_ == 0)
    throw Error(ErrorKind::data, "there is no example in the data to evaluate on");
  misaligned.summarize();
}

ExampleStreamPtr EvaluationCorpus::open() {
  if (!is_held_) return reader_.open(nlp_);
  // Copies: prediction annotates what it is given.
  return stream_of([this, next = std::size_t{0}]() mutable -> ExamplePtr {
    return next < examples_.size() ? std::make_shared<Example>(*examples_[next++]) : nullptr;
  });
}

}  // namespace weft
