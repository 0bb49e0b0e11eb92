#include "framework/training/placed_documents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weft {
namespace {

using ::testing::ElementsAre;

// Gives as many documents as the name of its file has letters.
class Letters {
 public:
  Letters(std::string name, std::shared_ptr<const Vocab> vocab)
      : name_(std::move(name)), vocab_(std::move(vocab)) {}
  std::optional<Doc> next() {
    if (at_ == name_.size()) return std::nullopt;
    const std::string_view letter = std::string_view(name_).substr(at_++, 1);
    return Doc::from_words(vocab_, {letter});
  }

 protected:
  std::string name_;
  std::size_t at_ = 0;

 private:
  std::shared_ptr<const Vocab> vocab_;
};

class LettersWithLines : public Letters {
 public:
  using Letters::Letters;
  int line() const { return 10 * static_cast<int>(at_); }
};

template <class Reader>
std::vector<std::string> places(std::vector<std::string> files) {
  const auto vocab = std::make_shared<const Vocab>("xx");
  const auto place = std::make_shared<ExamplePlace>();
  const DocSource documents = placed_documents(
      std::move(files),
      [&](const std::string& file) { return std::make_unique<Reader>(file, vocab); }, place);
  std::vector<std::string> found;
  while (const auto doc = documents()) {
    found.push_back(std::string(doc->word(0)) + " " + place->str());
  }
  return found;
}

TEST(PlacedDocumentsTest, NumbersStartAnewInEachFile) {
  EXPECT_THAT(places<Letters>({"ab", "", "c"}),
              ElementsAre("a ab, document 1", "b ab, document 2", "c c, document 1"));
}

TEST(PlacedDocumentsTest, LinesComeFromReadersThatKnowThem) {
  EXPECT_THAT(places<LettersWithLines>({"ab"}),
              ElementsAre("a ab:10, document 1", "b ab:20, document 2"));
}

}  // namespace
}  // namespace weft
