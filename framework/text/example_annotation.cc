// Examples from a document and entities in the forms that people write them down in.
#include <utility>

#include <fmt/format.h>

#include "framework/text/example.h"
#include "registry/base/error.h"

namespace weft {
namespace {

// The same tokens, to be annotated.
Doc reference_of(const Doc& predicted) {
  Doc reference(predicted.vocab(), predicted.tokens());
  reference.set_strings(predicted.strings());
  reference.set_unknown_spaces(predicted.has_unknown_spaces());
  return reference;
}

[[noreturn]] void refuse(const Misaligned& found) {
  throw Error(ErrorKind::data,
              fmt::format("{} at characters {} to {}, \"{}\", {}", found.ent.label, found.ent.start,
                          found.ent.end, found.text, found.reason));
}

}  // namespace

Example Example::from_offsets(Doc predicted, std::span<const CharEnt> ents,
                              AlignmentPolicy on_misaligned) {
  Doc reference = reference_of(predicted);
  const bool strict = on_misaligned == AlignmentPolicy::error;
  const auto tell = [&](const Misaligned& found) {
    if (strict) refuse(found);
  };
  // Under `error` the place in a file would be named, and there is none.
  set_ents_from_chars(reference, ents, strict ? AlignmentPolicy::drop : on_misaligned, {}, tell);
  return Example(std::move(predicted), std::move(reference));
}

Example Example::from_tags(Doc predicted, std::span<const std::string> tags) {
  Doc reference = reference_of(predicted);
  set_ents_from_tags(reference, tags);
  return Example(std::move(predicted), std::move(reference));
}

Example Example::from_spans(Doc predicted, std::span<const TagSpan> ents) {
  Doc reference = reference_of(predicted);
  std::vector<Span> spans;
  for (const TagSpan& ent : ents) {
    spans.push_back({ent.start, ent.end, reference.vocab()->strings().add(ent.label)});
  }
  reference.set_ents(spans);
  return Example(std::move(predicted), std::move(reference));
}

}  // namespace weft
