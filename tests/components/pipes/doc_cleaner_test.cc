// doc_cleaner: what it takes away, what it refuses, and its file.
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/io/json_file.h"
#include "framework/ops/context.h"
#include "framework/pipeline/slots.h"
#include "framework/text/doc.h"
#include "registry/base/error.h"
#include "registry/value/json.h"
#include "tests/components/pipes/made_component.h"

namespace weft {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class DocCleaner : public ::testing::Test {
 protected:
  DocCleaner() {
    doc_.set_ents(std::vector<Span>{{0, 1, vocab_->strings().add("X")}});
    doc_.set_cat("short", true);
    doc_.set_span_group("k", {"k", {}, {{0, 1}}});
    doc_.set_user_data("\x80");
  }
  static ComponentPtr cleaner(const std::string& attrs) {
    Object block;
    block.set("factory", "doc_cleaner");
    block.set("attrs", *parse_json(attrs));
    return made_component(std::move(block));
  }
  void change(const Component& component) {
    Context ctx;
    Slots slots(ctx);
    Doc* const docs[] = {&doc_};
    component.predict(ctx, docs, slots);
  }

  std::shared_ptr<const Vocab> vocab_ = std::make_shared<Vocab>("en");
  Doc doc_ = Doc::from_words(vocab_, {"a", "b"}, {});
};

TEST_F(DocCleaner, TakesAwayWhatIsNamedAlone) {
  change(*cleaner(R"({"user_data": {}, "tensor": null})"));
  EXPECT_EQ(doc_.user_data(), "");
  EXPECT_EQ(doc_.ents().size(), 1U);
  EXPECT_EQ(doc_.cats().size(), 1U);
  EXPECT_EQ(doc_.span_groups().size(), 1U);
  change(*cleaner(R"({"ents": [], "cats": {"long": 0.5}, "spans": null})"));
  EXPECT_TRUE(doc_.ents().empty());
  EXPECT_TRUE(doc_.span_groups().empty());
  ASSERT_EQ(doc_.cats().size(), 1U);
  EXPECT_EQ(doc_.cats()[0].label, "long");
}

TEST_F(DocCleaner, RefusesToSetWhatItCanOnlyTakeAway) {
  for (const char* attr : {"ents", "spans", "user_data"}) {
    try {
      cleaner("{\"" + std::string(attr) + "\": [\"x\"]}");
      FAIL() << attr;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(std::string("doc_cleaner sets ") + attr));
    }
  }
}

// Attributes that the config alone names are not taken away.
TEST_F(DocCleaner, TheFileGoesBeforeTheConfig) {
  const fs::path folder = fs::path(testing::TempDir()) / "DocCleaner";
  fs::create_directories(folder);
  cleaner(R"({"cats": null})")->to_disk(folder);
  const Object cfg = read_json_object(folder / "cfg");
  ASSERT_NE(cfg.find("silent"), nullptr);
  EXPECT_TRUE(cfg.find("silent")->as_bool());
  const ComponentPtr component = cleaner(R"({"ents": null, "spans": null, "user_data": null})");
  component->from_disk(folder);
  change(*component);
  EXPECT_TRUE(doc_.cats().empty());
  EXPECT_EQ(doc_.ents().size(), 1U);
  EXPECT_EQ(doc_.span_groups().size(), 1U);
  EXPECT_EQ(doc_.user_data(), "\x80");
}

}  // namespace
}  // namespace weft
