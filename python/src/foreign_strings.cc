#include "foreign_strings.h"

#include "framework/text/copy_annotation.h"

namespace weft::python {

void take_strings(Doc& doc, const Vocab& from) {
  if (doc.vocab().get() == &from) return;
  const auto take = [&](StringId id) {
    if (doc.find_string(id)) return;
    if (const auto text = from.strings().find(id)) doc.vocab()->strings().add(*text);
  };
  for (const Attr attr : kAnnotationColumns) {
    for (const StringId id : doc.column(attr)) take(id);
  }
  for (const auto& [key, group] : doc.span_groups()) {
    for (const Span& span : group.spans) {
      take(span.label);
      take(span.kb_id);
      take(span.id);
    }
  }
}

}  // namespace weft::python
