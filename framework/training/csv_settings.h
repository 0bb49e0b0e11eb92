// The settings of the reader weft.CsvCorpus.v1 as options of what reads the rows.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "framework/text/csv_reader.h"
#include "registry/base/export.h"

namespace weft {

struct CsvSettings {
  using Column = std::variant<int, std::string>;  // from 1, or a name of the header

  bool header = true;
  Column text_column = "text";
  std::optional<Column> label_column = "label";
  std::optional<std::string> label_separator = std::nullopt;
  std::vector<std::string> label_columns = {};
  std::vector<std::string> labels = {};
  std::optional<std::string> delimiter = std::nullopt;
  std::optional<bool> quotes = std::nullopt;
};

// For that file. Throws Error(config) for a column that is none and a delimiter that is no
// character.
WEFT_API CsvOptions csv_options(const CsvSettings& settings, const std::string& file);

}  // namespace weft
