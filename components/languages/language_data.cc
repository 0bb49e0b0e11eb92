#include "components/languages/language_data.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "components/languages/language_files.h"
#include "framework/text/language_rules.h"
#include "registry/base/error.h"

namespace weft {
namespace {

// What languages share; no language of its own.
constexpr std::string_view kShared = "base";

std::string_view file_text(std::string_view name) {
  const auto& files = language_files();
  const auto found = std::find_if(files.begin(), files.end(),
                                  [&](const LanguageFile& file) { return file.name == name; });
  if (found != files.end()) return found->text;
  throw Error(ErrorKind::config, fmt::format("there is no rule file {}.rules", name));
}

}  // namespace

std::vector<std::string> language_codes() {
  std::vector<std::string> codes;
  for (const LanguageFile& file : language_files()) {
    if (file.name != kShared) codes.emplace_back(file.name);
  }
  return codes;
}

bool has_language(std::string_view code) {
  const auto codes = language_codes();
  return std::find(codes.begin(), codes.end(), code) != codes.end();
}

TokenizerRules language_tokenizer_rules(std::string_view code) {
  if (!has_language(code)) {
    throw Error(ErrorKind::config, fmt::format("the language \"{}\" is not built in; there are: {}",
                                               code, fmt::join(language_codes(), ", ")));
  }
  return build_language_rules(code, file_text);
}

}  // namespace weft
