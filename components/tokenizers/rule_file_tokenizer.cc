#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "components/languages/language_data.h"
#include "framework/io/atomic_file.h"
#include "framework/pipeline/tokenizer_factory.h"
#include "framework/text/tokenizer.h"
#include "registry/base/error.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

struct Settings {
  std::string path;
};

template <class V>
void fields(V& v, Settings& c) {
  v.required("path", c.path, "file with rules, NAME.rules; `include xx` takes over built-in ones");
}

// Long patterns are compiled when they are needed first: in a file of a user's own that is now, so
// that one which cannot be compiled is told with the file.
std::shared_ptr<const Tokenizer> checked_tokenizer(TokenizerRules rules, const std::string& path) {
  try {
    auto tokenizer = std::make_shared<Tokenizer>(std::move(rules));
    tokenizer->tokenize("a-b");
    return tokenizer;
  } catch (const Error& error) {
    throw Error(error.kind(), path + ": " + error.message());
  }
}

TokenizerFactory rule_file_tokenizer(const Settings& c) {
  return {.make = [path = c.path](std::string_view) -> std::shared_ptr<const Tokenizer> {
    const std::string rules = read_file(path, kMostSettings);
    const std::string name = std::filesystem::path(path).stem().string();
    return checked_tokenizer(tokenizer_rules_of(rules, name), path);
  }};
}

const Registration registered{"weft.RuleFileTokenizer.v1", rule_file_tokenizer,
                              "rules in a file of your own, for any language"};

}  // namespace
}  // namespace weft
