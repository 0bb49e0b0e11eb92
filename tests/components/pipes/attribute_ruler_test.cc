// attribute_ruler: the files that programs of spaCy leave.
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/io/atomic_file.h"
#include "framework/io/msgpack_node.h"
#include "framework/io/msgpack_writer.h"
#include "framework/ops/context.h"
#include "framework/pipeline/slots.h"
#include "framework/text/doc.h"
#include "registry/base/error.h"
#include "registry/value/json.h"
#include "tests/components/pipes/made_component.h"
#include "tests/framework/text/text_file.h"

namespace weft {
namespace {

using ::testing::HasSubstr;

ComponentPtr ruler() {
  Object block;
  block.set("factory", "attribute_ruler");
  return made_component(std::move(block));
}

// {65: "a"} sets {74: "NOUN", "LEMMA": "b"}.
std::string rules_with_numbers() {
  MsgpackWriter out;
  out.array(1);
  out.map(3);
  out.str("patterns");
  out.array(1);
  out.array(1);
  out.map(1);
  out.integer(static_cast<std::int64_t>(Attr::orth));
  out.str("a");
  out.str("attrs");
  out.map(2);
  out.integer(static_cast<std::int64_t>(Attr::pos));
  out.str("NOUN");
  out.str("LEMMA");
  out.str("b");
  out.str("index");
  out.integer(0);
  return out.take();
}

TEST(AttributeRuler, ReadsAttributesThatAreNumbers) {
  const std::filesystem::path file = file_with("patterns", rules_with_numbers());
  const auto vocab = std::make_shared<const Vocab>("en");
  const ComponentPtr component = ruler();
  component->bind("attribute_ruler", vocab);
  component->from_disk(file.parent_path());
  Doc doc = Doc::from_words(vocab, {"a"}, {});
  Context ctx;
  Slots slots(ctx);
  Doc* const docs[] = {&doc};
  component->predict(ctx, docs, slots);
  EXPECT_EQ(doc.string(doc.value(Attr::pos, 0)), "NOUN");
  EXPECT_EQ(doc.string(doc.value(Attr::lemma, 0)), "b");
}

TEST(AttributeRuler, NamesTheDocumentThatTakesTooLong) {
  MsgpackWriter out;
  out.array(1);
  write_node(out, *parse_json(R"({"patterns": [[{"OP": "+"}]], "attrs": {"LEMMA": "b"},
                                  "index": 0})"));
  const std::filesystem::path file = file_with("patterns", out.take());
  const auto vocab = std::make_shared<const Vocab>("en");
  const ComponentPtr component = ruler();
  component->bind("attribute_ruler", vocab);
  component->from_disk(file.parent_path());
  Doc doc = Doc::from_words(vocab, std::vector<std::string>(5000, "a"), {});
  Context ctx;
  Slots slots(ctx);
  Doc* const docs[] = {&doc};
  try {
    component->predict(ctx, docs, slots);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_THAT(error.what(), HasSubstr("attribute_ruler: the patterns"));
    EXPECT_THAT(error.what(), HasSubstr("in the document \"a a a"));
  }
}

}  // namespace
}  // namespace weft
