#include "framework/lemmas/lemma_method.h"

#include <algorithm>
#include <random>
#include <set>

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

// The noun "dogs" has these lemmas, and no noun has endings.
LemmaTables tables_of_exception(const std::vector<std::string>& lemmas) {
  MsgpackWriter exceptions, rules;
  exceptions.map(1);
  exceptions.unsigned_integer(string_id("noun"));
  exceptions.map(1);
  exceptions.str("dogs");
  exceptions.array(lemmas.size());
  for (const std::string& lemma : lemmas) exceptions.str(lemma);
  rules.map(1);
  rules.unsigned_integer(string_id("noun"));
  rules.array(0);
  Lookups lookups;
  lookups.set("lemma_exc", exceptions.take());
  lookups.set("lemma_rules", rules.take());
  return LemmaTables::read(lookups);
}

TEST(LemmaMethod, AnExceptionMayBeEmpty) {
  const LemmaTables tables = tables_of_exception({""});
  EXPECT_EQ(lemma_by_rules(tables, {"dogs", "noun"}), "");
  EXPECT_EQ(lemma_by_rules(tables, {"cats", "noun"}), "cats");
}

// In Dutch, a lemma that is looked up goes before what rules give, and one without letters is none.
TEST(LemmaMethod, ADutchLemmaThatIsEmptyIsNone) {
  MsgpackWriter rules, known;
  rules.map(1);
  rules.unsigned_integer(string_id("noun"));
  rules.array(1);
  rules.array(2);
  rules.str("ten");
  rules.str("");
  known.map(2);
  known.unsigned_integer(string_id("katten"));
  known.str("");
  known.unsigned_integer(string_id("matten"));
  known.str("mat!");
  Lookups lookups;
  lookups.set("lemma_rules", rules.take());
  lookups.set("lemma_lookup", known.take());
  const LemmaTables tables = LemmaTables::read(lookups);
  EXPECT_EQ(dutch_lemma_by_rules(tables, {"katten", "noun"}), "kat");
  EXPECT_EQ(dutch_lemma_by_rules(tables, {"matten", "noun"}), "mat!");
}

// An exception with as many lemmas as another likes.
TEST(LemmaMethod, ManyExceptionsOfManyWordsHaveALimit) {
  std::vector<std::string> lemmas;
  for (int i = 0; i < 10'000; ++i) lemmas.push_back(std::to_string(i));
  const LemmaTables tables = tables_of_exception(lemmas);
  LemmaWork work(2000);
  const auto lemmatize = [&] { return lemma_by_rules(tables, {"dogs", "noun", {}, &work}); };
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(lemmatize(), lemmas.back());
  EXPECT_THROW(
      {
        for (int i = 0; i < 1000; ++i) lemmatize();
      },
      Error);
}

// `count` endings, "" becomes a number, for nouns.
LemmaTables tables_of_endings(int count) {
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
  return LemmaTables::read(lookups);
}

TEST(LemmaMethod, ManyEndingsOfManyOrLongWordsHaveALimit) {
  const LemmaTables tables = tables_of_endings(5000);
  LemmaWork work(1000);
  const auto lemmatize = [&](const std::string& text) {
    return lemma_by_rules(tables, {text, "noun", {}, &work});
  };
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(lemmatize("w" + std::to_string(i)).substr(0, 1), "w");
  EXPECT_THROW(lemmatize(std::string(1 << 20, 'a')), Error);
  LemmaWork few(1);
  const LemmaTables small = tables_of_endings(20);
  for (int i = 0; i < 10'000; ++i) {
    EXPECT_NO_THROW(lemma_by_rules(small, {"word", "noun", {}, &few}));
  }
}

// The list that the reference makes of the forms (spaCy 3.8, EnglishLemmatizer by way of
// Lemmatizer.rule_lemmatize).
std::string first_of_list(const std::string& word,
                          const std::vector<std::pair<std::string, std::string>>& endings,
                          const std::set<std::string>& index,
                          const std::vector<std::string>& exceptions) {
  std::vector<std::string> forms, unknown, once;
  for (const auto& [old, replacement] : endings) {
    if (!word.ends_with(old)) continue;
    const std::string form = word.substr(0, word.size() - old.size()) + replacement;
    if (form.empty()) continue;
    const bool is_word = form.find_first_not_of("ab") == form.npos;
    if (index.contains(form)) {
      forms.insert(forms.begin(), form);
    } else {
      (is_word ? unknown : forms).push_back(form);
    }
  }
  const auto has = [&](const auto& list, const std::string& form) {
    return std::find(list.begin(), list.end(), form) != list.end();
  };
  for (const std::string& form : forms) {
    if (!has(once, form)) once.push_back(form);
  }
  for (const std::string& form : exceptions) {
    if (!has(once, form)) once.insert(once.begin(), form);
  }
  if (!once.empty()) return once.front();
  return unknown.empty() ? word : unknown.front();
}

TEST(LemmaMethod, TheFirstFormIsThatOfTheReferencesList) {
  std::mt19937 random(7);
  const auto text = [&](std::size_t most, const std::string& letters) {
    std::string made;
    for (std::size_t n = random() % (most + 1); n > 0; --n)
      made += letters[random() % letters.size()];
    return made;
  };
  const auto list_of = [](MsgpackWriter& to, const auto& texts) {
    to.array(static_cast<std::uint32_t>(texts.size()));
    for (const std::string& one : texts) to.str(one);
  };
  const auto head_of = [](MsgpackWriter& to) {
    to.map(1);
    to.unsigned_integer(string_id("noun"));
  };
  for (int round = 0; round < 2000; ++round) {
    const std::string word = "a" + text(3, "ab");
    std::vector<std::pair<std::string, std::string>> endings;
    for (std::size_t n = random() % 4; n > 0; --n)
      endings.emplace_back(text(2, "ab"), text(2, "ab1"));
    std::set<std::string> index;
    for (std::size_t n = random() % 6; n > 0; --n) index.insert(text(4, "ab1"));
    std::vector<std::string> exceptions;
    for (std::size_t n = random() % 4; n > 0; --n) exceptions.push_back(text(3, "ab1"));
    MsgpackWriter rules, known, special;
    head_of(rules);
    rules.array(static_cast<std::uint32_t>(endings.size()));
    for (const auto& [old, replacement] : endings) {
      list_of(rules, std::vector<std::string>{old, replacement});
    }
    head_of(known);
    list_of(known, index);
    head_of(special);
    special.map(1);
    special.str(word);
    list_of(special, exceptions);
    Lookups lookups;
    lookups.set("lemma_rules", rules.take());
    lookups.set("lemma_index", known.take());
    lookups.set("lemma_exc", special.take());
    const LemmaTables tables = LemmaTables::read(lookups);
    EXPECT_EQ(lemma_by_rules(tables, {word, "noun"}),
              first_of_list(word, endings, index, exceptions))
        << word << " in round " << round;
  }
}

TEST(LemmaTables, NameTheirFile) {
  MsgpackWriter out;
  out.map(1);
  out.unsigned_integer(string_id("noun"));
  out.array(1);
  out.unsigned_integer(7);
  Lookups lookups;
  lookups.set("lemma_index", out.take());
  try {
    LemmaTables::read(lookups, "lookups.bin");
    FAIL() << "a number is taken for a lemma";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find("lookups.bin: the table lemma_index"), 0U);
  }
}

// A form is made of a word and an ending, and looked at character by character.
TEST(LemmaTables, TakeNoTextThatIsNotUtf8) {
  for (const auto& [old, replacement] :
       {std::pair("\xA9", "e"), std::pair("s", "\xE2\x80"), std::pair("s", "\xC3")}) {
    MsgpackWriter out;
    out.map(1);
    out.unsigned_integer(string_id("noun"));
    out.array(1);
    out.array(2);
    out.str(old);
    out.str(replacement);
    Lookups lookups;
    lookups.set("lemma_rules", out.take());
    EXPECT_THAT([&] { (void)LemmaTables::read(lookups); },
                ::testing::ThrowsMessage<Error>(HasSubstr("not valid UTF-8")));
  }
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

// Rules are for inflected forms; which those are, the features say.
TEST(LemmaMethod, AnEnglishBaseFormIsItsOwnLemma) {
  MsgpackWriter rules;
  rules.map(2);
  for (const char* pos : {"verb", "x"}) {
    rules.unsigned_integer(string_id(pos));
    rules.array(1);
    rules.array(2);
    rules.str("e");
    rules.str("");
  }
  Lookups lookups;
  lookups.set("lemma_rules", rules.take());
  const LemmaTables tables = LemmaTables::read(lookups);
  using Features = std::map<std::string, std::string>;
  const auto lemma = [&](const char* pos, Features features) {
    return english_lemma_by_rules(tables, {"Bee", pos, std::move(features)});
  };
  EXPECT_EQ(lemma("verb", {{"VerbForm", "Fin"}, {"Tense", "Pres"}}), "bee");
  EXPECT_EQ(lemma("verb", {{"VerbForm", "Fin"}, {"Tense", "Past"}}), "be");
  EXPECT_EQ(lemma("verb", {{"VerbForm", "Fin"}, {"Tense", "Pres"}, {"Number", "Sing"}}), "be");
  EXPECT_EQ(lemma("verb", {{"VerbForm", "Inf"}}), "bee");
  EXPECT_EQ(lemma("x", {{"VerbForm", "None"}}), "bee");
  EXPECT_EQ(lemma("x", {{"Degree", "Pos"}}), "bee");
  EXPECT_EQ(lemma("x", {{"Degree", "Cmp"}}), "be");
}

TEST(LemmaMethod, ARuleIsAnEndingAndItsReplacement) {
  MsgpackWriter rules;
  rules.map(1);
  rules.unsigned_integer(string_id("noun"));
  rules.array(1);
  rules.array(3);
  for (const char* text : {"s", "", "x"}) rules.str(text);
  Lookups lookups;
  lookups.set("lemma_rules", rules.take());
  try {
    LemmaTables::read(lookups, "lookups.bin");
    FAIL() << "it is read";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("lookups.bin: the table lemma_rules"));
    EXPECT_THAT(error.what(), HasSubstr("a rule is not an ending and its replacement"));
  }
}

}  // namespace
}  // namespace weft
