// Raw text, a document on each line; empty lines are passed over, as in JSON lines.
#include "framework/io/text_lines.h"
#include "framework/text/bounded_doc.h"
#include "framework/text/converter.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

Converter text() {
  return {[](const ConverterInput& input, const TakeDoc& take) {
    TextLines lines({input.path});
    while (const auto line = lines.next()) {
      if (line->empty()) continue;
      take(lines.at_line([&] { return bounded_doc(lines.budget(), input.make_doc, *line); }));
    }
  }};
}

const Registration registered{"text", text,
                              "raw text, a document on each line; empty lines are passed over"};

}  // namespace
}  // namespace weft
