// The words that IS_STOP and LIKE_NUM know in each language.
#include "framework/pipeline/language_words.h"

#include <filesystem>
#include <string>

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

}  // namespace
}  // namespace weft
