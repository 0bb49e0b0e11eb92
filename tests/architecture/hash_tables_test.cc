// Keys of a table that come from a file are hashed as registry/base/seeded_hash.h says: with the
// standard library's hash a file can put all of them into one place of the table.
#include <regex>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "tests/architecture/project_text.h"

namespace {

// Tables whose keys come from the program itself or from its user.
const std::set<std::string> own_keys = {
    "components/languages/language_words.cc",  // words that are compiled in
    "framework/nn/layer_path.cc",              // names of layers
    "framework/pipeline/frozen.cc",            // the same
    "framework/pipeline/language_words.h",     // words that are compiled in
    "framework/text/number_words.cc",          // the same
    "framework/text/number_words.h",           // the same
    "framework/text/vocab.cc",                 // the same
    "framework/text/vocab.h",                  // the same
    "framework/text/word_norms.h",             // the same
    "registry/overrides/overrides.cc",         // the command line
};

bool is_source(const std::string& file) {
  if (!file.ends_with(".cc") && !file.ends_with(".h")) return false;
  for (const char* folder : {"registry/", "framework/", "components/", "tools/"}) {
    if (file.starts_with(folder)) return true;
  }
  return false;
}

TEST(HashTables, OfKeysFromFilesHaveASeededHash) {
  static const std::regex table(
      "unordered_(?:map|set)<(?:std::string|std::string_view|StringId|std::uint64_t)\\b[^;]*;");
  std::size_t seen = 0;
  for (const std::string& file : project_files()) {
    if (!is_source(file) || own_keys.contains(file)) continue;
    const std::string text = project_text(file);
    for (std::sregex_iterator at(text.begin(), text.end(), table), end; at != end; ++at, ++seen) {
      EXPECT_NE(at->str().find("Hash"), std::string::npos)
          << file << ": " << at->str() << " with keys from a file needs SeededHash";
    }
  }
  EXPECT_GT(seen, 30U);
}

}  // namespace
