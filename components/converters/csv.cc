// Rows of a text and its label: comma-separated, or separated by tabs.
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "framework/text/converter.h"
#include "framework/text/csv_reader.h"
#include "framework/text/records/file_classes.h"
#include "registry/base/error.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

// The labels of all rows. A pipe, which can be read only once, gives none. Rows that cannot be read
// are passed over: the reader of the file meets them.
std::vector<std::string> labels_of(const std::string& file, const ConverterInput& input,
                                   const CsvOptions& options) {
  FileClasses labels;
  std::error_code unknown;
  if (!options.label || !std::filesystem::is_regular_file(file, unknown)) return {};
  const auto no_tokens = [&](std::string_view /*text*/) {
    return Doc::from_words(input.vocab, {});
  };
  CsvReader reader(file, input.vocab, no_tokens, options);
  std::optional<Doc> doc;
  do {
    try {
      doc = reader.next();
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::data) throw;
      if (!reader.skip_row()) break;
      doc = Doc::from_words(input.vocab, {});
    }
    for (const TextCategory& cat : doc ? doc->cats() : std::vector<TextCategory>()) {
      try {
        labels.add(cat.label);
      } catch (const Error& error) {
        throw Error(error.kind(), error.message(),
                    Origin::file(std::make_shared<const std::string>(file), 0, 0));
      }
    }
  } while (doc);
  return labels.names();
}

Converter with_format(CsvFormat format, std::string_view name) {
  return {[format, name](const ConverterInput& input, const TakeDoc& take) {
    const auto open = [&](const std::string& file) {
      CsvOptions options = csv_options_for(file, format);
      // A text has its own label and no other, which only this says to components whose labels do
      // not exclude each other.
      if (!input.text_only) options.all_labels = labels_of(file, input, options);
      return std::make_unique<CsvReader>(file, input.vocab, input.make_doc, std::move(options));
    };
    take_files(input, name, open, take);
  }};
}

Converter csv() {
  return with_format({}, "csv");
}

Converter tsv() {
  return with_format({.delimiter = '\t', .quotes = false}, "tsv");
}

const Registration registered{"csv", csv,
                              "comma-separated rows with a text and a label, also packed"};
const Registration registered_tabs{"tsv", tsv, "the same, separated by tabs, without quotes"};

}  // namespace
}  // namespace weft
