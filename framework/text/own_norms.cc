#include "framework/text/own_norms.h"

#include <memory>
#include <utility>
#include <vector>

#include "framework/text/copy_annotation.h"

namespace weft {
namespace {

std::shared_ptr<const TokenTable> with(const Doc& doc, std::span<const StringId> norms,
                                       const std::vector<bool>& spaces) {
  TokenTableBuilder builder;
  const auto orths = doc.attr_ids(Attr::orth);
  for (int i = 0; i < doc.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    builder.append(doc.word(i), doc.vocab()->lexeme(doc.word(i), orths[at]), spaces[at], norms[at]);
  }
  return builder.finish();
}

std::vector<bool> spaces_of(const Doc& doc) {
  std::vector<bool> spaces;
  spaces.reserve(static_cast<std::size_t>(doc.size()));
  for (int i = 0; i < doc.size(); ++i) spaces.push_back(doc.space(i));
  return spaces;
}

void replace_tokens(Doc& doc, std::shared_ptr<const TokenTable> tokens) {
  Doc changed(doc.vocab(), std::move(tokens));
  copy_annotation(doc, changed);
  doc = std::move(changed);
}

}  // namespace

void set_norms(Doc& doc, std::span<const std::pair<int, StringId>> norms) {
  if (norms.empty()) return;
  const auto known = doc.attr_ids(Attr::norm);
  std::vector<StringId> all(known.begin(), known.end());
  for (const auto& [token, norm] : norms) {
    // None is that of the word.
    all[static_cast<std::size_t>(token)] =
        norm != 0 ? norm : doc.vocab()->lexeme(doc.word(token)).norm;
  }
  replace_tokens(doc, with(doc, all, spaces_of(doc)));
}

void set_spaces(Doc& doc, std::span<const std::pair<int, bool>> spaces) {
  if (spaces.empty()) return;
  std::vector<bool> all = spaces_of(doc);
  for (const auto& [token, space] : spaces) all[static_cast<std::size_t>(token)] = space;
  replace_tokens(doc, with(doc, doc.attr_ids(Attr::norm), all));
}

}  // namespace weft
