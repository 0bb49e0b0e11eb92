#include "framework/matching/token_values.h"

#include <utility>

#include "framework/unicode/unicode.h"

namespace weft {
namespace {

constexpr Attr kOfTable[] = {Attr::orth, Attr::norm, Attr::prefix, Attr::suffix, Attr::shape};
constexpr Attr kOfDoc[] = {Attr::lemma,    Attr::pos,   Attr::tag,    Attr::dep,
                           Attr::ent_type, Attr::morph, Attr::ent_id, Attr::ent_kb_id};
constexpr Attr kComputed[] = {Attr::lower, Attr::length,     Attr::ent_iob,
                              Attr::head,  Attr::sent_start, Attr::spacy};

std::vector<StringId> compute(const Doc& doc, Attr attr) {
  std::vector<StringId> values = doc.attr_values(attr);
  if (attr == Attr::sent_start) {
    for (StringId& value : values) value = value == 1 ? 1 : 0;
  }
  return values;
}

}  // namespace

TokenValues::TokenValues(const Doc& doc, const AttrSet& attrs) : doc_(doc) {
  const auto set = [&](Attr attr, const StringId* column) {
    columns_[AttrSet::place(attr)] = column;
  };
  for (const Attr attr : kOfTable) {
    if (attrs.contains(attr)) set(attr, doc.attr_ids(attr).data());
  }
  for (const Attr attr : kOfDoc) {
    if (attrs.contains(attr) && !doc.column(attr).empty()) set(attr, doc.column(attr).data());
  }
  computed_.reserve(std::size(kComputed));
  for (const Attr attr : kComputed) {
    if (!attrs.contains(attr)) continue;
    computed_.push_back(compute(doc, attr));
    set(attr, computed_.back().data());
  }
}

std::string_view TokenValues::text(Attr attr, int i, std::string& buffer) const {
  switch (attr) {
    case Attr::orth:
      return doc_.word(i);
    case Attr::lower:
      return buffer = lower(doc_.word(i));
    case Attr::norm:
      return buffer = doc_.norm(i);
    case Attr::shape:
      return buffer = shape_of(doc_.word(i));
    case Attr::prefix:
      return prefix_of(doc_.word(i));
    case Attr::suffix:
      return suffix_of(doc_.word(i));
    default:
      return doc_.find_string(value(attr, i)).value_or(std::string_view());
  }
}

}  // namespace weft
