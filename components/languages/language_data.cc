#include "components/languages/language_data.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "components/embedded_files.h"
#include "components/languages/spacy_languages.h"
#include "framework/text/language_rules.h"
#include "framework/text/printable.h"
#include "registry/base/error.h"
#include "registry/base/suggest.h"

namespace weft {
namespace {

// Rules that languages share; no languages of their own.
constexpr std::array<std::string_view, 3> kShared = {"base", "emoticons", "signs"};
constexpr std::string_view kAnyLanguage = "xx";
constexpr std::size_t kLongestCode = 16;
constexpr std::string_view kEnding = ".rules";

std::string_view file_text(std::string_view name) {
  const auto text = embedded_text(fmt::format("{}{}", name, kEnding));
  if (text) return *text;
  throw Error(ErrorKind::config, fmt::format("there is no rule file {}{}", name, kEnding));
}

}  // namespace

std::vector<std::string> language_codes() {
  std::vector<std::string> codes;
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.name.ends_with(kEnding)) continue;
    const std::string_view name = file.name.substr(0, file.name.size() - kEnding.size());
    if (std::ranges::find(kShared, name) == kShared.end()) codes.emplace_back(name);
  }
  return codes;
}

bool has_language(std::string_view code) {
  const auto codes = language_codes();
  return std::find(codes.begin(), codes.end(), code) != codes.end();
}

bool is_language_code(std::string_view code) {
  const auto is_part = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  };
  return code.size() >= 2 && code.size() <= kLongestCode && code[0] >= 'a' && code[0] <= 'z' &&
         std::ranges::all_of(code, is_part);
}

TokenizerRules language_tokenizer_rules(std::string_view code) {
  if (has_language(code)) return build_language_rules(code, file_text);
  if (is_language_code(code)) return build_language_rules(kAnyLanguage, file_text);
  throw Error(ErrorKind::config,
              fmt::format("\"{}\" is no language code: two letters or more, such as en; with rules "
                          "of their own: {}",
                          printable(code), fmt::join(language_codes(), ", ")));
}

TokenizerRules tokenizer_rules_of(std::string_view rules, std::string_view name) {
  const std::string own = fmt::format("{}", name);
  return build_language_rules(own, [&](std::string_view file) -> std::string_view {
    return file == own ? rules : file_text(file);
  });
}

std::string language_note(std::string_view code) {
  if (has_language(code) || !is_language_code(code)) return {};
  std::string note = fmt::format(
      "\"{}\" has no tokenizer rules of its own here, those for any language are taken; a rule "
      "file "
      "adds them (docs/tokenizer.md)",
      code);
  if (std::ranges::find(kSpacyLanguages, code) != kSpacyLanguages.end()) return note;
  note += "; spaCy has no language of this code and may refuse its pipelines";
  const auto near = nearest(std::string(code), {kSpacyLanguages.begin(), kSpacyLanguages.end()});
  return near.empty() ? note : fmt::format("{} (did you mean {}?)", note, join_or(near));
}

}  // namespace weft
