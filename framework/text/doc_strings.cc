#include "framework/text/doc_strings.h"

#include <utility>

namespace weft {
namespace {

void keep(StringTable& table, const StringTable& old, StringId id) {
  if (const auto text = old.find(id)) table.add(*text);
}

void keep_used(StringTable& table, const StringTable& old, const Doc& doc) {
  for (const StringId id : doc.attr_ids(Attr::norm)) keep(table, old, id);
  for (const Attr attr : {Attr::lemma, Attr::pos, Attr::tag, Attr::dep, Attr::morph, Attr::ent_type,
                          Attr::ent_kb_id, Attr::ent_id}) {
    for (const StringId id : doc.column(attr)) keep(table, old, id);
  }
  for (const auto& [key, group] : doc.span_groups()) {
    for (const Span& span : group.spans) {
      for (const StringId id : {span.label, span.kb_id, span.id}) keep(table, old, id);
    }
  }
}

}  // namespace

StringId DocStrings::add(std::string_view text) {
  if (!added_) added_ = std::make_shared<StringTable>();
  return added_->add(text);
}

void DocStrings::give_to(Doc& doc) {
  if (!added_) return;
  if (doc.strings()) keep_used(*added_, *doc.strings(), doc);
  doc.set_strings(std::exchange(added_, nullptr));
}

}  // namespace weft
