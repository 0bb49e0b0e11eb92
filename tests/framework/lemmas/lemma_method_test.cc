#include "framework/lemmas/lemma_method.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/io/msgpack_writer.h"
#include "registry/base/error.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(LemmaMethod, SaysWhichTablesALanguageNeeds) {
  EXPECT_THAT(lemma_method("de", "lookup").required, ElementsAre("lemma_lookup"));
  EXPECT_THAT(lemma_method("en", "rule").required, ElementsAre("lemma_rules"));
  EXPECT_EQ(lemma_method("nl", "rule").required.size(), 4U);
  EXPECT_EQ(lemma_method("pl", "pos_lookup").required.size(), 9U);
}

TEST(LemmaMethod, RefusesLanguagesByName) {
  for (const char* lang : {"fr", "es", "el", "ca", "ht", "mk", "ru"}) {
    try {
      (void)lemma_method(lang, "rule");
      FAIL() << lang;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(lang));
    }
  }
  EXPECT_THROW(lemma_method("en", "pos_lookup"), Error);
  EXPECT_THROW(lemma_method("en", "other"), Error);
}

TEST(LemmaMethod, AnExceptionMayBeEmpty) {
  MsgpackWriter exceptions, rules;
  exceptions.map(1);
  exceptions.unsigned_integer(string_id("noun"));
  exceptions.map(1);
  exceptions.str("dogs");
  exceptions.array(1);
  exceptions.str("");
  rules.map(1);
  rules.unsigned_integer(string_id("noun"));
  rules.array(0);
  Lookups lookups;
  lookups.set("lemma_exc", exceptions.take());
  lookups.set("lemma_rules", rules.take());
  const LemmaTables tables = LemmaTables::read(lookups);
  EXPECT_EQ(lemma_by_rules(tables, {"dogs", "noun"}), "");
  EXPECT_EQ(lemma_by_rules(tables, {"cats", "noun"}), "cats");
}

TEST(LemmaTables, NameATableOfAnotherShape) {
  MsgpackWriter out;
  out.map(1);
  out.unsigned_integer(string_id("noun"));
  out.str("no list");
  Lookups lookups;
  lookups.set("lemma_rules", out.take());
  try {
    (void)LemmaTables::read(lookups);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("lemma_rules"));
  }
}

}  // namespace
}  // namespace weft
