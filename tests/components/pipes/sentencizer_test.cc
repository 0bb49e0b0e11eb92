// sentencizer: where sentences start, starts that are set already, and its file.
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/io/atomic_file.h"
#include "framework/ops/context.h"
#include "framework/pipeline/slots.h"
#include "framework/text/doc.h"
#include "registry/base/error.h"
#include "tests/components/pipes/made_component.h"

namespace weft {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SentencizerTest : public ::testing::Test {
 protected:
  static ComponentPtr sentencizer(bool overwrite = false) {
    Object block;
    block.set("factory", "sentencizer");
    block.set("overwrite", overwrite);
    return made_component(std::move(block));
  }
  static void change(const Component& component, Doc& doc) {
    Context ctx;
    Slots slots(ctx);
    Doc* const docs[] = {&doc};
    component.predict(ctx, docs, slots);
  }

  std::shared_ptr<const Vocab> vocab_ = std::make_shared<Vocab>("en");
};

TEST_F(SentencizerTest, PunctuationBehindAnEndBelongsToTheSentence) {
  Doc doc = Doc::from_words(vocab_, {"Go", "!", "?", "\"", "Now", "."}, {});
  change(*sentencizer(), doc);
  EXPECT_THAT(doc.sent_starts(), ElementsAre(1, -1, -1, -1, 1, -1));
}

TEST_F(SentencizerTest, StartsThatAreSetStayUnlessTheyAreOverwritten) {
  Doc doc = Doc::from_words(vocab_, {"Go", "now", ".", "Stop"}, {});
  doc.set_sent_starts({0, 1, 0, -1});
  change(*sentencizer(), doc);
  EXPECT_THAT(doc.sent_starts(), ElementsAre(1, 1, -1, -1));
  change(*sentencizer(true), doc);
  EXPECT_THAT(doc.sent_starts(), ElementsAre(1, -1, -1, 1));
}

TEST_F(SentencizerTest, AFileWithOtherMarksThanTextsIsRefused) {
  const fs::path folder = fs::path(testing::TempDir()) / "SentencizerTest";
  const ComponentPtr component = sentencizer();
  for (const char* marks : {"\".\"", "[\".\", 1]", "[null]"}) {
    write_file(folder.string() + ".json", std::string("{\"punct_chars\": ") + marks + "}");
    try {
      component->from_disk(folder);
      FAIL() << marks;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(".json: punct_chars is a list of texts"));
    }
  }
}

}  // namespace
}  // namespace weft
