// Rows of a text and its label: comma-separated, or separated by tabs.
#include <memory>
#include <string>

#include "framework/text/converter.h"
#include "framework/text/csv_reader.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

Converter with_format(CsvFormat format) {
  return {[format](const ConverterInput& input, const TakeDoc& take) {
    const auto open = [&](const std::string& file) {
      return std::make_unique<CsvReader>(file, input.vocab, input.make_doc,
                                         csv_options_for(file, format));
    };
    take_files(input, "csv", open, take);
  }};
}

Converter csv() {
  return with_format({});
}

Converter tsv() {
  return with_format({.delimiter = '\t', .quotes = false});
}

const Registration registered{"csv", csv,
                              "comma-separated rows with a text and a label, also packed"};
const Registration registered_tabs{"tsv", tsv, "the same, separated by tabs, without quotes"};

}  // namespace
}  // namespace weft
