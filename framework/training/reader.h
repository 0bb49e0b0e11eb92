// A corpus: opens as a stream of examples, as often as asked. Named by `@readers`.
#pragma once

#include <functional>
#include <string_view>

#include "framework/pipeline/component.h"
#include "framework/text/char_ents.h"
#include "registry/functions/type.h"

namespace weft {

class Language;

struct Reader {
  // Opens the corpus from its start; the language gives the tokenizer and the vocabulary and must
  // outlive the stream. Throws Error(usage) for a file that is not there.
  std::function<ExampleStreamPtr(const Language&)> open;
  // The same; entities that do not fall on tokens are told as they are read. Empty: the reader has
  // none of those.
  std::function<ExampleStreamPtr(const Language&, const MisalignedSink& tell)> open_telling = {};
  // What becomes of them.
  AlignmentPolicy on_misaligned = AlignmentPolicy::error;
};

// Opens it with somebody to tell.
inline ExampleStreamPtr open_telling(const Reader& reader, const Language& nlp,
                                     const MisalignedSink& tell) {
  return reader.open_telling ? reader.open_telling(nlp, tell) : reader.open(nlp);
}

template <>
struct ProductTraits<Reader> {
  static constexpr std::string_view kind = "readers", name = "reader";
  static constexpr bool callable = true;
};

}  // namespace weft
