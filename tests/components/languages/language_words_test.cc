// The words that IS_STOP and LIKE_NUM know in each language.
#include "framework/pipeline/language_words.h"

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "components/builtin.h"
#include "components/languages/language_data.h"
#include "framework/text/vocab.h"
#include "registry/functions/catalogue.h"

namespace weft {
namespace {

class LanguageWordsTest : public ::testing::Test {
 protected:
  void SetUp() override { add_builtin(catalogue_); }
  Lexeme lexeme(const std::string& lang, const std::string& word) const {
    Vocab vocab(lang);
    set_language_words(vocab, catalogue_);
    return vocab.lexeme(word);
  }
  Catalogue catalogue_;
};

TEST_F(LanguageWordsTest, EveryLanguageWithRulesHasStopWords) {
  for (const std::string& lang : language_codes()) {
    if (lang == "xx") continue;
    EXPECT_FALSE(language_words(lang, catalogue_).stop.empty()) << lang;
  }
}

TEST_F(LanguageWordsTest, WordsOfLanguagesThatHaveNumbers) {
  const std::pair<const char*, const char*> numbers[] = {
      {"ca", "dotze"},  {"cs", "dvanáct"}, {"da", "tolvte"}, {"el", "δώδεκα"},    {"en", "twelfth"},
      {"fi", "kaksi"},  {"pl", "dwa"},     {"ro", "doi"},    {"ru", "двадцатью"}, {"sv", "tolv"},
      {"tr", "12inci"}, {"uk", "два"},     {"zh", "二"}};
  for (const auto& [lang, word] : numbers) {
    EXPECT_TRUE(lexeme(lang, word).has(Attr::like_num)) << lang << " " << word;
    EXPECT_FALSE(lexeme(lang, "qq").has(Attr::like_num)) << lang;
  }
  EXPECT_TRUE(lexeme("ru", "Меня").has(Attr::is_stop));
  EXPECT_TRUE(lexeme("zh", "#").has(Attr::is_stop));
}

// Each row: a language, words that it takes for numbers, words that it does not.
TEST_F(LanguageWordsTest, NumbersAreReadByTheRulesOfTheLanguage) {
  const struct {
    const char* lang;
    std::vector<const char*> numbers, others;
  } rows[] = {
      {"ca", {"+dos", "-1"}, {"Dos", "DOS"}},
      {"fi", {"-kaksi"}, {"Kaksi"}},
      {"uk", {"два", "1/2"}, {"Два", "+1", "-два"}},
      {"nl", {"Twee", "2,5"}, {"+1", "-twee"}},
      {"pl", {"DWA"}, {"~1"}},
      {"pt", {"1º", "DOISª"}, {"1°"}},
      {"ru", {"5%", "-1/2%", "Пять%"}, {"5%%", "%5"}},
      {"el", {"10^2", "δύο και"}, {"10^", "και δύο", "<1>"}},
      {"tr", {"12inci", "12xnci"}, {"inci", "12xxnci", "#inci"}},
      {"zh", {"三百", "二十五", "五万三", "1，000。"}, {"百三", "三五", "二十五六", "三百两"}},
      {"en", {"+1", "-Twelve", "1ST"}, {"#st", "1/2/3", "1/"}},
      {"af", {"+1"}, {"een"}}};
  for (const auto& row : rows) {
    for (const char* word : row.numbers) {
      EXPECT_TRUE(lexeme(row.lang, word).has(Attr::like_num)) << row.lang << " " << word;
    }
    for (const char* word : row.others) {
      EXPECT_FALSE(lexeme(row.lang, word).has(Attr::like_num)) << row.lang << " " << word;
    }
  }
}

// As spaCy 3.8 gives them.
TEST_F(LanguageWordsTest, NormsOfThreeLanguagesHaveRulesOfTheirOwn) {
  using Norms = std::vector<std::pair<std::string, std::string>>;
  const std::map<std::string, Norms> wanted = {{"hi",
                                                {{"Hello", "Hello"},
                                                 {"कमरों", "कमर"},
                                                 {"लड़कियाँ", "लड़क"},
                                                 {"जाएंगी", "ज"},
                                                 {"की", "क"},
                                                 {"ा", "ा"},
                                                 {"में", "म"},
                                                 {"$", "$"},
                                                 {"“", "\""},
                                                 {"लड़के", "लड़क"},
                                                 {"ियाँ", "िय"},
                                                 {"क", "क"}}},
                                               {"ne",
                                                {{"Hello", "Hello"},
                                                 {"M", "M"},
                                                 {"घरमा", "घरमा"},
                                                 {"हरूलाई", "हरू"},
                                                 {"केटाहरूले", "केट"},
                                                 {"छ", "छ"},
                                                 {"€", "$"},
                                                 {"‘", "'"},
                                                 {"बाटबाट", "बाटबाट"}}},
                                               {"ht",
                                                {{"M", "Mwen"},
                                                 {"t", "te"},
                                                 {"'m", "mwen"},
                                                 {"’w", "ou"},
                                                 {"Li", "li"},
                                                 {"MWEN", "mwen"},
                                                 {"“", "\""}}},
                                               {"de", {{"Hello", "hello"}, {"“", "\""}}}};
  for (const auto& [lang, norms] : wanted) {
    Vocab vocab(lang);
    set_language_words(vocab, catalogue_);
    for (const auto& [word, norm] : norms) {
      EXPECT_EQ(vocab.lexeme(word).norm, string_id(norm)) << lang << ' ' << word;
    }
  }
}

}  // namespace
}  // namespace weft
