#include "framework/pipeline/shape_sample.h"

#include <utility>

#include "framework/text/example.h"

namespace weft {

namespace {

// Of one document alone there may be as many rows for tokens as for documents.
constexpr std::size_t kDocuments = 2;
constexpr int kTokens = 100;

}  // namespace

std::vector<const Doc*> shape_sample(std::span<const ExamplePtr> sample, ExampleSide side) {
  std::vector<const Doc*> docs;
  int tokens = 0;
  for (const ExamplePtr& example : sample) {
    if (docs.size() >= kDocuments && tokens >= kTokens) break;
    docs.push_back(side == ExampleSide::predicted ? &std::as_const(*example).predicted()
                                                  : &example->reference());
    tokens += docs.back()->size();
  }
  return docs;
}

}  // namespace weft
