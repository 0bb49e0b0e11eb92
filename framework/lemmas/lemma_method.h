// How a language's words get their lemmas by tables, and which tables that takes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "framework/lemmas/lemma_rule.h"
#include "registry/base/export.h"

namespace weft {

struct LemmaMethod {
  Lemmatize* lemmatize = nullptr;
  std::vector<std::string> required;  // tables
  bool needs_features = false;
};

// `mode`: lookup, rule or pos_lookup. Throws Error(config) for a mode that is none, and for a
// language whose way of that mode is not built in.
WEFT_API LemmaMethod lemma_method(std::string_view lang, std::string_view mode);

}  // namespace weft
