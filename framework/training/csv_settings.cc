#include "framework/training/csv_settings.h"

#include <cstddef>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "registry/base/error.h"

namespace weft {

namespace {

CsvColumn column_of(const CsvSettings::Column& column) {
  if (const auto* name = std::get_if<std::string>(&column)) return {.name = *name};
  const int number = std::get<int>(column);
  if (number < 1) {
    throw Error(ErrorKind::config,
                fmt::format("weft.CsvCorpus.v1: columns are counted from 1, the column {} is none",
                            number));
  }
  return {.number = number};
}

// Each row has a value for each of them.
constexpr std::size_t kMostLabels = 1024;

CsvFormat format_of(const CsvSettings& c, const std::string& file) {
  CsvFormat format = csv_format_for(file);
  if (c.delimiter) {
    if (c.delimiter->size() != 1 || *c.delimiter == "\"" || *c.delimiter == "\n") {
      throw Error(ErrorKind::config,
                  "weft.CsvCorpus.v1: the delimiter is one ASCII character and no quote");
    }
    format = {.delimiter = c.delimiter->front(), .quotes = *c.delimiter != "\t"};
  }
  format.quotes = c.quotes.value_or(format.quotes);
  return format;
}

}  // namespace

CsvOptions csv_options(const CsvSettings& c, const std::string& file) {
  for (const auto& [name, length] :
       {std::pair("labels", c.labels.size()), std::pair("label_columns", c.label_columns.size())}) {
    if (length <= kMostLabels) continue;
    throw Error(ErrorKind::config,
                fmt::format("weft.CsvCorpus.v1: {} has {} entries, and {} are the most", name,
                            length, kMostLabels));
  }
  CsvOptions options{.format = format_of(c, file),
                     .header = c.header,
                     .text = column_of(c.text_column),
                     .label = std::nullopt,
                     .label_separator = c.label_separator.value_or(""),
                     .flags = {},
                     .all_labels = c.labels};
  if (c.label_column) options.label = column_of(*c.label_column);
  for (const std::string& name : c.label_columns) options.flags.push_back({.name = name});
  return options;
}

}  // namespace weft
