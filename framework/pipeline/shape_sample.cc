#include "framework/pipeline/shape_sample.h"

#include <utility>

#include "framework/text/example.h"

namespace weft {

namespace {

constexpr std::size_t kDocuments = 2;  // with one alone, rows of tokens and of documents may be as many
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
