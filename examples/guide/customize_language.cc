// A callback: hyphens at the end of a word become tokens of their own, and more words are stop
// words.
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "components/weft.h"
#include "framework/pipeline/callback.h"
#include "framework/pipeline/language_words.h"
#include "framework/text/tokenizer.h"
#include "framework/text/vocab.h"
#include "registry/functions/registration.h"

namespace guide {
namespace {

struct LanguageSettings {
  std::vector<std::string> extra_stop_words;
  bool debug = false;
};

template <class V>
void fields(V& v, LanguageSettings& c) {
  v("extra_stop_words", c.extra_stop_words, "stop words beside those of the language, lower case");
  v("debug", c.debug, "say that the callback was called");
}

void add_suffix(weft::Language& nlp, const std::string& pattern) {
  weft::TokenizerRules rules = nlp.tokenizer().rules();
  rules.suffix_search = rules.suffix_search ? *rules.suffix_search + "|" + pattern : pattern;
  nlp.set_tokenizer(std::make_shared<weft::Tokenizer>(rules));
}

void add_stop_words(weft::Language& nlp, const std::vector<std::string>& words) {
  weft::LanguageWords known = weft::language_words(nlp.lang(), weft::builtin_catalogue());
  known.stop.insert(words.begin(), words.end());
  nlp.mutable_vocab().set_stop_words(known.stop);
}

weft::Callback customize_language(const LanguageSettings& c) {
  return {[c](weft::CallbackCall& call) {
    add_suffix(call.nlp, "-+$");
    add_stop_words(call.nlp, c.extra_stop_words);
    if (c.debug) std::cerr << "updated stop words and tokenizer suffixes\n";
  }};
}

const weft::Registration registered{"customize_language_data", customize_language,
                                    "hyphens behind words are tokens; more stop words"};

}  // namespace
}  // namespace guide
