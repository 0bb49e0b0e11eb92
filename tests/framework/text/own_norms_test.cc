#include "framework/text/own_norms.h"

#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace weft {
namespace {

TEST(OwnNorms, ReplaceThoseOfTheWords) {
  const auto vocab = std::make_shared<Vocab>("en");
  Doc doc = Doc::from_words(vocab, {"One", "two"});
  const StringId other = vocab->strings().add("other");
  const std::vector<std::pair<int, StringId>> norms = {{1, other}};
  set_norms(doc, norms);
  EXPECT_EQ(doc.attr_ids(Attr::norm)[1], other);
  EXPECT_EQ(doc.norm(0), "one");
}

TEST(OwnNorms, NoneIsThatOfTheWord) {
  const auto vocab = std::make_shared<Vocab>("en");
  Doc doc = Doc::from_words(vocab, {"One"});
  const std::vector<std::pair<int, StringId>> other = {{0, vocab->strings().add("other")}},
                                              none = {{0, 0}};
  set_norms(doc, other);
  set_norms(doc, none);
  EXPECT_EQ(doc.norm(0), "one");
}

}  // namespace
}  // namespace weft
