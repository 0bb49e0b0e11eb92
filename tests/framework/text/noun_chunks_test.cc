// Noun phrases of a few languages; tests/spacy compares them with spaCy's on random trees.
#include "framework/text/noun_chunks.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/base/error.h"

namespace weft {
namespace {

struct Word {
  const char* text;
  const char* pos;
  const char* dep;
  int head;  // a token's number
};

std::vector<std::string> chunks_of(const char* lang, const std::vector<Word>& words) {
  const auto vocab = std::make_shared<Vocab>(lang);
  std::vector<std::string> texts;
  std::vector<StringId> pos, dep;
  std::vector<std::int32_t> heads;
  for (const Word& word : words) {
    heads.push_back(word.head - static_cast<int>(texts.size()));
    texts.emplace_back(word.text);
    pos.push_back(vocab->strings().add(word.pos));
    dep.push_back(vocab->strings().add(word.dep));
  }
  Doc doc = Doc::from_words(vocab, texts);
  doc.set_column(Attr::pos, pos);
  doc.set_column(Attr::dep, dep);
  doc.set_heads(heads);
  std::vector<std::string> found;
  for (const Span& chunk : noun_chunks(doc)) {
    EXPECT_EQ(chunk.label, string_id("NP"));
    found.emplace_back(doc.span_text(chunk.start, chunk.end));
  }
  return found;
}

TEST(NounChunks, OfEnglishEndWithTheNoun) {
  EXPECT_EQ(chunks_of("en", {{"The", "DET", "det", 1},
                             {"dogs", "NOUN", "nsubj", 5},
                             {"and", "CCONJ", "cc", 1},
                             {"big", "ADJ", "amod", 4},
                             {"cats", "NOUN", "conj", 1},
                             {"saw", "VERB", "ROOT", 5},
                             {"us", "PRON", "dobj", 5}}),
            (std::vector<std::string>{"The dogs", "big cats", "us"}));
}

TEST(NounChunks, OfGermanGoOnInCloseApposition) {
  EXPECT_EQ(chunks_of("de", {{"Sie", "PRON", "sb", 1},
                             {"trinkt", "VERB", "ROOT", 1},
                             {"eine", "DET", "nk", 3},
                             {"Tasse", "NOUN", "oa", 1},
                             {"Tee", "NOUN", "nk", 3}}),
            (std::vector<std::string>{"Sie", "eine Tasse Tee"}));
}

TEST(NounChunks, OfDutchLeaveOutVerbsWithASubject) {
  EXPECT_EQ(chunks_of("nl", {{"zij", "PRON", "nsubj", 1},
                             {"koken", "NOUN", "ROOT", 1},
                             {"het", "DET", "det", 3},
                             {"eten", "NOUN", "obj", 1}}),
            (std::vector<std::string>{"zij", "het eten"}));
}

TEST(NounChunks, OfRomanceLanguagesTakeAdjectivesBehindTheNoun) {
  const std::vector<Word> words = {{"Hablan", "VERB", "ROOT", 0}, {"de", "ADP", "case", 3},
                                   {"la", "DET", "det", 3},       {"casa", "NOUN", "obl", 0},
                                   {"blanca", "ADJ", "amod", 3},  {"y", "CCONJ", "cc", 6},
                                   {"Ana", "PROPN", "conj", 3},   {"suya", "DET", "det", 6}};
  EXPECT_EQ(chunks_of("es", words), (std::vector<std::string>{"la casa blanca", "Ana"}));
  std::vector<Word> names = {
      {"Ana", "PROPN", "nsubj", 2}, {"sua", "DET", "det:poss", 0}, {"ride", "VERB", "ROOT", 2}};
  EXPECT_EQ(chunks_of("it", names), (std::vector<std::string>{"Ana sua"}));
  EXPECT_EQ(chunks_of("pt", names), (std::vector<std::string>{"Ana"}));
}

TEST(NounChunks, OtherLanguagesAreRefusedByName) {
  try {
    chunks_of("fi", {{"talo", "NOUN", "ROOT", 0}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.message(), testing::HasSubstr("\"fi\" are not built in; those of de, en"));
  }
}

// Every token is joined to the one before: a walk to the first from each would take hours.
TEST(NounChunks, LongChainsOfConjunctsTakeNoTime) {
  std::vector<Word> words(300'000, {"x", "NOUN", "conj", 0});
  for (std::size_t i = 1; i < words.size(); ++i) words[i].head = static_cast<int>(i) - 1;
  words[0].dep = "ROOT";
  for (const char* lang : {"en", "fr"}) {
    EXPECT_EQ(chunks_of(lang, words).size(), words.size());
  }
}

}  // namespace
}  // namespace weft
