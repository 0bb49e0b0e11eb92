// weft.language_words.v1: the stop words and number words of a language, from the files *.words,
// and its norms, from *.norms.
#include "framework/pipeline/language_words.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

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

// Takes the first line off the text.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find(' '), line.size());
    if (end > 0) words.emplace_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return words;
}

// Comments and blank lines stand above the first heading.
bool is_above(std::string_view line) {
  return line.empty() || line.front() == '#';
}

// Lines of words below the headings [stop words] and [numbers].
void parse_words(std::string_view text, const std::string& file, LanguageWords& words) {
  std::unordered_set<std::string>* section = nullptr;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (line == "[stop words]" || line == "[numbers]") {
      section = line == "[numbers]" ? &words.numbers : &words.stop;
    } else if (section != nullptr) {
      for (std::string& word : words_of(line)) section->insert(std::move(word));
    } else if (!is_above(line)) {
      throw Error(ErrorKind::internal, fmt::format("{}: words below no heading", file));
    }
  }
}

// Lines `word norm` below the heading [norms]; a group of endings on each line below [endings] or
// [endings, short words stay].
void parse_norms(std::string_view text, const std::string& file, WordNorms& norms) {
  enum class Part { none, words, endings } part = Part::none;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    std::vector<std::string> found = words_of(line);
    if (line == "[norms]") {
      part = Part::words;
    } else if (line == "[endings]" || line == "[endings, short words stay]") {
      part = Part::endings;
      norms.short_words_stay = line != "[endings]";
    } else if (part == Part::endings && !found.empty()) {
      norms.endings.push_back(std::move(found));
    } else if (part == Part::words && found.size() == 2) {
      norms.words.emplace(std::move(found[0]), std::move(found[1]));
    } else if (part != Part::none || !is_above(line)) {
      throw Error(ErrorKind::internal, fmt::format("{}: '{}' is no line of norms", file, line));
    }
  }
}

// Reads the language's file of that ending, where it has one.
template <class Part, class Parse>
void read_data(const std::string& lang, const char* ending, Parse parse, Part& part) {
  const std::string file = lang + ending;
  if (const auto text = embedded_text(file)) parse(*text, file, part);
}

LanguageWords language_words(const Settings& c) {
  LanguageWords words;
  read_data(c.lang, ".words", parse_words, words);
  read_data(c.lang, ".norms", parse_norms, words.norms);
  return words;
}

const Registration registered{"weft.language_words.v1", language_words,
                              "words that IS_STOP and LIKE_NUM know in a language, and its norms"};

}  // namespace
}  // namespace weft
