// A scorer: the share of documents in which every tag is right.
#include <cstdint>
#include <memory>
#include <span>

#include "framework/pipeline/scores.h"
#include "framework/text/example.h"
#include "registry/functions/registration.h"

namespace guide {
namespace {

bool all_tags_right(const weft::Example& example) {
  const auto wanted = example.aligned_column(weft::Attr::tag);
  for (int i = 0; i < example.predicted().size(); ++i) {
    const auto tag = wanted[static_cast<std::size_t>(i)];
    if (tag != 0 && tag != example.predicted().value(weft::Attr::tag, i)) return false;
  }
  return true;
}

// Counts group by group, so that no more than one group of documents is in memory.
class WholeDocs final : public weft::ScoreSession {
 public:
  void add(std::span<const weft::Example> examples) override {
    for (const weft::Example& example : examples) {
      ++docs_;
      right_ += all_tags_right(example) ? 1 : 0;
    }
  }
  weft::Scores finish() override {
    weft::Scores scores;
    scores.set("tag_docs", docs_ == 0 ? weft::Node() : weft::Node(double(right_) / double(docs_)));
    return scores;
  }

 private:
  std::int64_t docs_ = 0, right_ = 0;
};

weft::Scorer whole_docs_scorer() {
  const auto start = []() -> weft::ScoreSessionPtr { return std::make_unique<WholeDocs>(); };
  const auto score = [start](std::span<const weft::Example> examples) {
    const weft::ScoreSessionPtr session = start();
    session->add(examples);
    return session->finish();
  };
  return {score, start};
}

const weft::Registration registered{"whole_docs_scorer.v1", whole_docs_scorer,
                                    "share of documents whose tags are all right"};

}  // namespace
}  // namespace guide
