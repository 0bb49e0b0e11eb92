#include "framework/text/copy_annotation.h"

#include <vector>

namespace weft {
namespace {

template <class T>
std::vector<T> copied(std::span<const T> values) {
  return {values.begin(), values.end()};
}

}  // namespace

void copy_annotation(const Doc& from, Doc& to) {
  to.set_strings(from.strings());
  to.set_unknown_spaces(from.has_unknown_spaces());
  to.set_sent_starts(copied(from.sent_starts()));
  for (const Attr attr : kAnnotationColumns) to.set_column(attr, copied(from.column(attr)));
  if (!from.ent_iobs().empty()) {
    to.set_ent_columns(copied(from.ent_iobs()), copied(from.column(Attr::ent_type)));
  }
  if (!from.heads().empty()) to.set_heads(copied(from.heads()));
  to.set_span_groups(from.span_groups());
  to.set_cats(from.cats());
  to.set_user_data(from.user_data());
}

}  // namespace weft
