#include "framework/text/doc_source.h"

#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/base/error.h"

namespace weft {
namespace {

using ::testing::ElementsAre;

// Gives as many documents as its name has letters.
struct Letters {
  explicit Letters(std::string name) : name_(std::move(name)) { ++open; }
  ~Letters() { --open; }
  std::optional<Doc> next() {
    if (name_.empty()) return std::nullopt;
    const std::string letter(1, name_.front());
    name_.erase(0, 1);
    if (letter == "!") throw Error(ErrorKind::data, "a bad letter");
    return Doc::from_words(std::make_shared<Vocab>("en"), {letter});
  }
  static int open;

 private:
  std::string name_;
};
int Letters::open = 0;

DocSource source_of(std::vector<std::string> names) {
  return documents_of(std::move(names), [](const std::string& name) {
    EXPECT_EQ(Letters::open, 0) << "one file at a time";
    return std::make_unique<Letters>(name);
  });
}

TEST(DocSource, FilesFollowEachOther) {
  const DocSource source = source_of({"ab", "", "", "c"});
  std::vector<std::string> words;
  while (const auto doc = source()) words.emplace_back(doc->word(0));
  EXPECT_THAT(words, ElementsAre("a", "b", "c"));
  EXPECT_FALSE(source()) << "and nothing after that";
  EXPECT_FALSE(source_of({})());
}

TEST(DocSource, ErrorsComeThrough) {
  const DocSource source = source_of({"a!"});
  EXPECT_TRUE(source());
  EXPECT_THROW(source(), Error);
}

}  // namespace
}  // namespace weft
