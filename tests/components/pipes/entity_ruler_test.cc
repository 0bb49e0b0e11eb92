// entity_ruler: patterns that overlap, and its files.
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
#include "registry/base/input_file.h"
#include "tests/components/pipes/made_component.h"

namespace weft {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class EntityRuler : public ::testing::Test {
 protected:
  EntityRuler() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    Object block;
    block.set("factory", "entity_ruler");
    ruler_ = made_component(std::move(block));
    ruler_->bind("entity_ruler", vocab_);
  }
  void read(const std::string& patterns) {
    write_file(folder_ / "patterns.jsonl", patterns);
    ruler_->from_disk(folder_);
  }
  std::string fault_of_cfg(const std::string& cfg) {
    write_file(folder_ / "cfg", cfg);
    try {
      read("");
    } catch (const Error& error) {
      return error.what();
    }
    return "it is read";
  }

  fs::path folder_ = fs::path(testing::TempDir()) / "EntityRuler";
  std::shared_ptr<const Vocab> vocab_ = std::make_shared<Vocab>("en");
  ComponentPtr ruler_;
};

TEST_F(EntityRuler, OfPatternsThatOverlapTheFirstOfTheLongestIsTaken) {
  read(
      "{\"label\": \"Y\", \"pattern\": [{\"ORTH\": \"b\"}, {\"ORTH\": \"c\"}]}\n"
      "{\"label\": \"X\", \"pattern\": [{\"ORTH\": \"a\"}, {\"ORTH\": \"b\"}]}\n"
      "{\"label\": \"Z\", \"pattern\": [{\"ORTH\": \"c\"}]}\n");
  Doc doc = Doc::from_words(vocab_, {"a", "b", "c"}, {});
  Context ctx;
  Slots slots(ctx);
  Doc* const docs[] = {&doc};
  ruler_->predict(ctx, docs, slots);
  const std::vector<Span> ents = doc.ents();
  ASSERT_EQ(ents.size(), 2U);
  EXPECT_EQ(doc.string(ents[0].label), "X");
  EXPECT_EQ(ents[0].end, 2);
  EXPECT_EQ(doc.string(ents[1].label), "Z");
}

// A label may hold the separator itself: what stands behind the last one is the id.
TEST_F(EntityRuler, LabelsAndIdsComeBackFromItsFile) {
  const auto line = [](const std::string& label, const std::string& id) {
    return "{\"label\": \"" + label + "\", \"pattern\": [{\"ORTH\": \"a\"}]" +
           (id.empty() ? "" : ", \"id\": \"" + id + "\"") + "}\n";
  };
  read(line("A||B", "c") + line("D||e", "") + line("F", ""));
  EXPECT_THAT(ruler_->labels(), ElementsAre("A", "D", "F"));
  ruler_->to_disk(folder_);
  EXPECT_EQ(read_file(folder_ / "patterns.jsonl"),
            line("A||B", "c") + line("D", "e") + line("F", ""));
}

TEST_F(EntityRuler, FoldersWithoutSettingsAreRead) {
  read("{\"label\": \"X\", \"pattern\": [{\"ORTH\": \"a\"}]}\n");
  EXPECT_THAT(ruler_->labels(), ElementsAre("X"));
}

TEST_F(EntityRuler, SettingsOfOtherKindsAreRefusedByName) {
  EXPECT_THAT(fault_of_cfg("{\"overwrite\": 1}"), HasSubstr("cfg: overwrite is true or false"));
  EXPECT_THAT(fault_of_cfg("{\"ent_id_sep\": null}"), HasSubstr("cfg: ent_id_sep is a text"));
  EXPECT_THAT(fault_of_cfg("{\"phrase_matcher_attr\": 7}"),
              HasSubstr("cfg: phrase_matcher_attr is a name or null"));
  EXPECT_EQ(fault_of_cfg("{\"overwrite\": true, \"phrase_matcher_attr\": null}"), "it is read");
}

}  // namespace
}  // namespace weft
