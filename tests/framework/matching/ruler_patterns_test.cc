#include "framework/matching/ruler_patterns.h"

#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/value/json.h"

namespace weft {
namespace {

using ::testing::ElementsAre;

class RulerPatternsTest : public ::testing::Test {
 protected:
  void add(const std::string& entry) {
    patterns_.add(*parse_json(entry), "entry", [this](std::string_view text, bool) {
      return Doc::from_words(vocab_, {std::string(text)}, {});
    });
  }
  // "label/id" of each span.
  std::vector<std::string> found(const std::vector<std::string>& words) const {
    std::vector<std::string> names;
    for (const Span& span : patterns_.find(Doc::from_words(vocab_, words, {}))) {
      names.push_back(text_of(span.label) + "/" + text_of(span.id));
    }
    return names;
  }

  std::shared_ptr<const Vocab> vocab_ = std::make_shared<Vocab>("en");
  RulerPatterns patterns_{vocab_->strings(), "ORTH", false};

 private:
  std::string text_of(StringId id) const {
    return id == 0 ? std::string() : std::string(*vocab_->strings().find(id));
  }
};

// Each has a name of its own, whatever line ends labels and ids have.
TEST_F(RulerPatternsTest, LabelsAndIdsAreToldFromEachOther) {
  add(R"({"label": "A", "pattern": "here", "id": "B"})");
  add(R"({"label": "A\nB", "pattern": "Acme"})");
  add(R"({"label": "A\nB\n1", "pattern": "there"})");
  add(R"({"label": "A", "pattern": "far", "id": "B\nC"})");
  add(R"({"label": "A\nB", "pattern": "near", "id": "C"})");
  EXPECT_THAT(found({"here"}), ElementsAre("A/B"));
  EXPECT_THAT(found({"Acme"}), ElementsAre("A\nB/"));
  EXPECT_THAT(found({"there"}), ElementsAre("A\nB\n1/"));
  EXPECT_THAT(found({"far"}), ElementsAre("A/B\nC"));
  EXPECT_THAT(found({"near"}), ElementsAre("A\nB/C"));
}

TEST_F(RulerPatternsTest, WarningsHaveThePlaceOfTheirEntry) {
  add(R"({"label": "A", "pattern": [{"LOWER": "a"}]})");
  EXPECT_THAT(patterns_.warnings(), ElementsAre());
  add(R"({"label": "A", "pattern": [{"LOWER": {"INN": ["a"]}}]})");
  ASSERT_EQ(patterns_.warnings().size(), 1U);
  EXPECT_THAT(patterns_.warnings()[0], ::testing::StartsWith("entry: pattern 1 of \"A\", token 1"));
}

}  // namespace
}  // namespace weft
