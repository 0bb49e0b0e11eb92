#include "framework/pipeline/language_words.h"

#include <utility>

#include "framework/text/vocab.h"
#include "registry/building/resolve.h"
#include "registry/functions/catalogue.h"

namespace weft {
namespace {

constexpr const char* kFunction = "weft.language_words.v1";

}  // namespace

LanguageWords language_words(const std::string& lang, const Catalogue& catalogue) {
  if (catalogue.find("misc", kFunction) == nullptr) return {};
  Object block;
  block.set("@misc", kFunction);
  block.set("lang", lang);
  Object root;
  root.set("words", std::move(block));
  Problems problems;
  auto result = resolve_at(Config(std::move(root)), "words", catalogue, {}, problems);
  LanguageWords* words =
      result && result->is_product() ? result->product().get<LanguageWords>() : nullptr;
  return words == nullptr ? LanguageWords() : std::move(*words);
}

void set_language_words(Vocab& vocab, const Catalogue& catalogue) {
  if (catalogue.find("misc", kFunction) == nullptr) return;
  LanguageWords words = language_words(vocab.lang(), catalogue);
  vocab.set_stop_words(std::move(words.stop));
  vocab.set_number_words(std::move(words.numbers));
  vocab.set_word_norms(std::move(words.norms));
}

}  // namespace weft
