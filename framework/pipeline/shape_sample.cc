#include "framework/pipeline/shape_sample.h"

#include <utility>

#include "framework/text/example.h"

namespace weft {

namespace {

// Of one document alone there may be as many rows for tokens as for documents.
constexpr std::size_t kDocuments = 2;
constexpr int kTokens = 100;
constexpr int kLongest = 1000;

}  // namespace

ShapeSample shape_sample(std::span<const ExamplePtr> sample, ExampleSide side) {
  ShapeSample found;
  int tokens = 0;
  for (const ExamplePtr& example : sample) {
    if (found.docs.size() >= kDocuments && tokens >= kTokens) break;
    const Doc* doc = side == ExampleSide::predicted ? &std::as_const(*example).predicted()
                                                    : &example->reference();
    if (doc->size() > kLongest) doc = &found.cut.emplace_back(doc->slice(0, kLongest));
    found.docs.push_back(doc);
    tokens += doc->size();
  }
  return found;
}

}  // namespace weft
