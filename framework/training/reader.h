// A corpus: opens as a stream of examples, as often as asked. Named by `@readers`.
#pragma once

#include <functional>
#include <string_view>

#include "framework/pipeline/component.h"
#include "registry/type.h"

namespace weft {

class Language;

struct Reader {
  // Opens the corpus from its start; the language gives the tokenizer and the vocabulary and must
  // outlive the stream. Throws Error(usage) for a file that is not there.
  std::function<ExampleStreamPtr(const Language&)> open;
};

template <>
struct ProductTraits<Reader> {
  static constexpr std::string_view kind = "readers", name = "reader";
  static constexpr bool callable = true;
};

}  // namespace weft
