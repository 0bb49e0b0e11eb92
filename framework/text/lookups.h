// The lookup tables of a vocabulary: by the name of the table and the id of a string. Only
// `lexeme_norm` is looked at here; the others are kept for those who read a saved pipeline.
// Source: docs/spacy-formats.md, "vocab/" (lookups.bin).
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "framework/text/symbols.h"
#include "registry/base/export.h"
#include "registry/base/seeded_hash.h"
#include "registry/functions/type.h"

namespace weft {

class WEFT_API Lookups {
 public:
  using Norms = std::unordered_map<StringId, std::string, SeededHash>;
  static constexpr const char* kNorms = "lexeme_norm";

  // The tables of a file; `source` names it in messages. Throws Error(data).
  static Lookups parse(std::string_view packed, const std::string& source);
  // The contents of a file of lookups.
  std::string packed() const;

  bool empty() const { return tables_.empty(); }
  // The packed map of a table, or null.
  const std::string* find(std::string_view table) const;
  void set(std::string table, std::string packed);

  // The norms of words by their ids, empty where there are none. Throws Error(data).
  Norms norms() const;
  // Adds texts by word to a table of texts, in the place of those it has for the same words.
  void add(const std::string& table, const std::vector<std::pair<std::string, std::string>>& words);

 private:
  std::string source_ = "lookups";
  std::vector<std::pair<std::string, std::string>> tables_;  // in the order of the file
};

template <>
struct ProductTraits<Lookups> {
  static constexpr std::string_view kind = "misc", name = "lookups";
};

}  // namespace weft
