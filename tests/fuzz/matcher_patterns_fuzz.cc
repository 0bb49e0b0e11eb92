// Any text as token, tree and attribute patterns: refused, or matched on a short document in time
// that patterns cannot blow up.
#include <memory>

#include "framework/matching/attribute_rules.h"
#include "framework/matching/dependency_matcher.h"
#include "framework/matching/matcher.h"
#include "registry/base/error.h"
#include "registry/value/json.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/memory_file.h"

namespace {

weft::Doc short_document(const std::shared_ptr<weft::Vocab>& vocab) {
  weft::Doc doc = weft::Doc::from_words(vocab, {"a", "a", "b", "a", "The", "12", "a", "b", "."},
                                        {true, false, true, true, true, true, true, true, false});
  doc.set_heads({1, 1, 0, -1, 1, 1, -4, -1, -1});
  return doc;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto vocab = std::make_shared<weft::Vocab>("en");
  const auto patterns = weft::parse_json(weft::as_text(data, size));
  if (!patterns) return 0;
  const weft::Doc doc = short_document(vocab);
  for (const bool validate : {true, false}) {
    try {
      weft::Matcher matcher(validate);
      matcher.add("P", *patterns);
      for (const weft::TokenMatch& match :
           matcher.find(doc, {.with_alignments = true, .allow_missing = true})) {
        const bool inside = match.start >= 0 && match.start < match.end && match.end <= doc.size();
        weft::fuzz::check(inside, "a match lies outside of the document", "");
      }
    } catch (const weft::Error&) {
    }
    try {
      weft::DependencyMatcher matcher(validate);
      matcher.add("T", *patterns);
      (void)matcher.find(doc);
    } catch (const weft::Error&) {
    }
  }
  try {
    weft::AttributeRules rules(vocab->strings(), false);
    if (patterns->is_list()) rules.add({patterns->as_list(), {}, 0});
    weft::Doc copy = doc;
    rules.apply(copy);
    if (!patterns->is_object()) return 0;
    for (auto& rule : weft::rules_of_tag_map(patterns->as_object())) rules.add(std::move(rule));
  } catch (const weft::Error&) {
  }
  return 0;
}
