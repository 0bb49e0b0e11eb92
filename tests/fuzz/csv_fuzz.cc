// Any bytes as rows of texts and labels: refused, or every document has a text.
#include <string>

#include "framework/text/csv_reader.h"
#include "registry/base/error.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/memory_file.h"

namespace {

weft::CsvOptions options_of(std::uint8_t byte, const std::string& file) {
  const weft::CsvFormat format{.delimiter = (byte & 1) != 0 ? '\t' : ',',
                               .quotes = (byte & 2) != 0};
  if ((byte & 4) != 0) return weft::csv_options_for(file, format);
  weft::CsvOptions options{.format = format, .header = (byte & 8) != 0};
  options.text = {.number = 1};
  options.label = weft::CsvColumn{.number = 2};
  options.label_separator = (byte & 16) != 0 ? ";" : "";
  if ((byte & 32) != 0) options.flags = {{.number = 3}};
  if ((byte & 64) != 0) options.all_labels = {"a", "b"};
  return options;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const weft::MemoryFile file(weft::as_text(data + 1, size - 1));
  const auto vocab = std::make_shared<weft::Vocab>("xx", 64);
  const auto make = [&](std::string_view text) {
    return weft::Doc::from_words(vocab, {std::string(text)});
  };
  try {
    weft::CsvReader reader(file.path(), vocab, make, options_of(data[0], file.path()));
    int line = 0;
    while (const auto doc = reader.next()) {
      weft::fuzz::check(doc->size() == 1, "a document without its text", "");
      weft::fuzz::check(reader.line() > line, "rows in another order", "");
      line = reader.line();
    }
  } catch (const weft::Error&) {
  }
  return 0;
}
