#include "framework/text/vector_attrs.h"

#include <algorithm>
#include <vector>

#include "registry/base/suggest.h"

namespace weft {
namespace {

constexpr Attr kKeyAttrs[] = {Attr::orth,   Attr::lower,  Attr::norm,  Attr::shape,
                              Attr::prefix, Attr::suffix, Attr::lemma, Attr::pos,
                              Attr::tag,    Attr::dep,    Attr::morph, Attr::ent_type};
constexpr Attr kFloretAttrs[] = {Attr::orth, Attr::lower, Attr::norm};

}  // namespace

std::span<const Attr> vector_attrs(Vectors::Mode mode) {
  if (mode == Vectors::Mode::floret) return kFloretAttrs;
  return kKeyAttrs;
}

bool is_vector_attr(Vectors::Mode mode, Attr attr) {
  return std::ranges::find(vector_attrs(mode), attr) != vector_attrs(mode).end();
}

std::string vector_attr_names(Vectors::Mode mode) {
  std::vector<std::string> names;
  for (const Attr attr : vector_attrs(mode)) {
    names.emplace_back(*symbol_name(static_cast<StringId>(attr)));
  }
  return join_or(names);
}

}  // namespace weft
