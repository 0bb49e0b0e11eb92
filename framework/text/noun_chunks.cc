#include "framework/text/noun_chunks.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "framework/text/noun_chunk_rules.h"
#include "framework/text/printable.h"
#include "registry/base/error.h"

namespace weft {
namespace {

struct Rules {
  std::string_view lang;
  std::vector<Span> (*chunks)(const ChunkTree& tree);
};

constexpr Rules kRules[] = {
    {"de", german_chunks},  {"en", english_chunks}, {"es", spanish_chunks},   {"fr", french_chunks},
    {"it", italian_chunks}, {"nl", dutch_chunks},   {"pt", portuguese_chunks}};

const Rules* rules_of(std::string_view lang) {
  const auto* found = std::find_if(std::begin(kRules), std::end(kRules),
                                   [&](const Rules& rules) { return rules.lang == lang; });
  return found == std::end(kRules) ? nullptr : found;
}

std::string known_languages() {
  std::vector<std::string_view> names;
  for (const Rules& rules : kRules) names.push_back(rules.lang);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::vector<Span> noun_chunks(const Doc& doc) {
  const Rules* rules = rules_of(doc.vocab()->lang());
  if (rules == nullptr) {
    throw Error(ErrorKind::config,
                fmt::format("the noun phrases of the language \"{}\" are not built in; those of {} "
                            "are",
                            printable_brief(doc.vocab()->lang()), known_languages()));
  }
  if (doc.column(Attr::dep).empty()) return {};
  return rules->chunks(ChunkTree(doc));
}

}  // namespace weft
