#include "framework/pipeline/shape_sample.h"

#include <algorithm>
#include <utility>

#include "framework/text/example.h"

namespace weft {

namespace {

// Of one document alone there may be as many rows for tokens as for documents.
constexpr std::size_t kDocuments = 2;
constexpr int kTokens = 100;
constexpr int kLongest = 1000;
constexpr std::int64_t kValues = std::int64_t{1} << 22;  // of all tokens together

// The longest document: three of them are more than a sample holds, as it takes no further document
// once it has the tokens of two.
int longest_of(std::int64_t values) {
  return static_cast<int>(std::clamp<std::int64_t>(kValues / 3 / values, 1, kLongest));
}

}  // namespace

ShapeSample shape_sample(std::span<const ExamplePtr> sample, ExampleSide side,
                         std::int64_t values) {
  const int longest = longest_of(values), wanted = std::min(kTokens, 2 * longest);
  ShapeSample found;
  int tokens = 0;
  for (const ExamplePtr& example : sample) {
    if (found.docs.size() >= kDocuments && tokens >= wanted) break;
    const Doc* doc = side == ExampleSide::predicted ? &std::as_const(*example).predicted()
                                                    : &example->reference();
    if (doc->size() > longest) doc = &found.cut.emplace_back(doc->slice(0, longest));
    found.docs.push_back(doc);
    tokens += doc->size();
  }
  return found;
}

}  // namespace weft
