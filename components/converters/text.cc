// Raw text, a document on each line; empty lines are passed over, as in JSON lines.
#include <optional>

#include "framework/io/text_lines.h"
#include "framework/text/bounded_doc.h"
#include "framework/text/converter.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

class TextReader {
 public:
  explicit TextReader(const ConverterInput& input) : input_(input), lines_({input.path}) {}

  std::optional<Doc> next() {
    while (const auto line = lines_.next()) {
      if (line->empty() && !input_.text_only) continue;
      return lines_.at_line([&] { return bounded_doc(lines_.budget(), input_.make_doc, *line); });
    }
    return std::nullopt;
  }

  bool skip_row() const { return !lines_.is_cut(); }

 private:
  const ConverterInput& input_;
  TextLines lines_;
};

Converter text() {
  return {[](const ConverterInput& input, const TakeDoc& take) {
    each_file(input, "text", take, [](const ConverterInput& file, const TakeDoc& take_doc) {
      TextReader reader(file);
      take_all(reader, take_doc, file.bad_row);
    });
  }};
}

const Registration registered{"text", text,
                              "raw text, a document on each line; empty lines are passed over"};

}  // namespace
}  // namespace weft
