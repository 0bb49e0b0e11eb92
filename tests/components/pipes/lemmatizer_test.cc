// lemmatizer: a document that its rules give up on.
#include "components/pipes/lemmatizer.h"

#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/io/atomic_file.h"
#include "framework/io/construction.h"
#include "framework/io/msgpack_writer.h"
#include "framework/ops/context.h"
#include "framework/pipeline/slots.h"
#include "framework/text/doc.h"
#include "framework/text/lookups.h"
#include "registry/base/error.h"
#include "tests/components/pipes/made_component.h"

namespace weft {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

// Endings of nouns, each "" to a number.
Lookups endings(int count) {
  MsgpackWriter rules;
  rules.map(1);
  rules.unsigned_integer(string_id("noun"));
  rules.array(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    rules.array(2);
    rules.str("");
    rules.str(std::to_string(i));
  }
  Lookups lookups;
  lookups.set("lemma_rules", rules.take());
  return lookups;
}

TEST(Lemmatizer, NamesTheDocumentThatTakesTooLong) {
  const fs::path folder = fs::path(::testing::TempDir()) / "Lemmatizer.NamesTheDocument";
  make_folders(folder / "lookups");
  write_file(folder / "lookups" / "lookups.bin", endings(5000).packed());
  Object block;
  block.set("factory", "lemmatizer");
  block.set("mode", "rule");
  const ComponentPtr component = made_component(std::move(block));
  const auto vocab = std::make_shared<const Vocab>("en");
  component->bind("lemmas", vocab);
  component->from_disk(folder);
  Doc doc = Doc::from_words(vocab, {"see", std::string(1 << 20, 'a')}, {});
  const StringId noun = vocab->strings().add("NOUN");
  doc.set_column(Attr::pos, {noun, noun});
  Context ctx;
  Slots slots(ctx);
  Doc* const docs[] = {&doc};
  try {
    component->predict(ctx, docs, slots);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_THAT(error.what(), HasSubstr("lemmas: rules for lemmas give up on a document of 2"));
    EXPECT_THAT(error.what(), HasSubstr("in the document \"see aaa"));
    EXPECT_LT(std::string(error.what()).size(), 500U);
  }
}

TEST(Lemmatizer, AFileWithoutItsTablesIsNamed) {
  const fs::path folder = fs::path(::testing::TempDir()) / "Lemmatizer.AFileWithoutItsTables";
  make_folders(folder / "lookups");
  write_file(folder / "lookups" / "lookups.bin", Lookups().packed());
  Object block;
  block.set("factory", "lemmatizer");
  block.set("mode", "rule");
  const ComponentPtr component = made_component(std::move(block));
  component->bind("lemmas", std::make_shared<const Vocab>("en"));
  try {
    component->from_disk(folder);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_THAT(error.what(), HasSubstr("lookups.bin: there is no table lemma_rules"));
  }
}

}  // namespace
}  // namespace weft
