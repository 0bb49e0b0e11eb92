// weft.language_words.v1: the stop words and number words of a language, from the files *.words,
// and its norms, from *.norms.
#include "framework/pipeline/language_words.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_set>

#include <fmt/format.h>

#include "components/embedded_files.h"
#include "registry/base/error.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

struct Settings {
  std::string lang;
};

template <class V>
void fields(V& v, Settings& c) {
  v.required("lang", c.lang, "language code; one without lists has no such words");
}

void add_words(std::string_view line, std::unordered_set<std::string>& words) {
  while (!line.empty()) {
    const std::size_t end = std::min(line.find(' '), line.size());
    if (end > 0) words.emplace(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
}

// Lines of words below the headings [stop words] and [numbers].
LanguageWords parse_words(std::string_view text, const std::string& file) {
  LanguageWords words;
  std::unordered_set<std::string>* section = nullptr;
  // Comments stand above the first heading.
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line == "[stop words]" || line == "[numbers]") {
      section = line == "[numbers]" ? &words.numbers : &words.stop;
    } else if (section != nullptr) {
      add_words(line, *section);
    } else if (!line.empty() && line.front() != '#') {
      throw Error(ErrorKind::internal, fmt::format("{}: words below no heading", file));
    }
  }
  return words;
}

LanguageWords language_words(const Settings& c) {
  const std::string file = c.lang + ".words";
  const auto text = embedded_text(file);
  LanguageWords words = text ? parse_words(*text, file) : LanguageWords();
  const std::string norms = c.lang + ".norms";
  if (const auto rules = embedded_text(norms)) words.norms = parse_word_norms(*rules, norms);
  return words;
}

const Registration registered{"weft.language_words.v1", language_words,
                              "words that IS_STOP and LIKE_NUM know in a language, and its norms"};

}  // namespace
}  // namespace weft
