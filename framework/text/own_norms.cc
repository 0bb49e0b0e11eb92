#include "framework/text/own_norms.h"

#include <memory>
#include <utility>
#include <vector>

#include "framework/text/copy_annotation.h"

namespace weft {
namespace {

std::shared_ptr<const TokenTable> with_norms(const Doc& doc, std::span<const StringId> norms) {
  TokenTableBuilder builder;
  const auto orths = doc.attr_ids(Attr::orth);
  for (int i = 0; i < doc.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    builder.append(doc.word(i), doc.vocab()->lexeme(doc.word(i), orths[at]), doc.space(i),
                   norms[at]);
  }
  return builder.finish();
}

}  // namespace

void set_norms(Doc& doc, std::span<const std::pair<int, StringId>> norms) {
  if (norms.empty()) return;
  const auto known = doc.attr_ids(Attr::norm);
  std::vector<StringId> all(known.begin(), known.end());
  for (const auto& [token, norm] : norms) all[static_cast<std::size_t>(token)] = norm;
  Doc changed(doc.vocab(), with_norms(doc, all));
  copy_annotation(doc, changed);
  doc = std::move(changed);
}

}  // namespace weft
