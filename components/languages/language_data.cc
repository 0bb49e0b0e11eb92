#include "components/languages/language_data.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "components/embedded_files.h"
#include "framework/text/language_rules.h"
#include "registry/base/error.h"

namespace weft {
namespace {

// What languages share; no language of its own.
constexpr std::string_view kShared = "base";
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
    if (name != kShared) codes.emplace_back(name);
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
