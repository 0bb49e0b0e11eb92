// A corpus of texts with labels in comma- or tab-separated values, to train text classifiers on.
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "framework/pipeline/language.h"
#include "framework/text/csv_reader.h"
#include "framework/training/annotated_files.h"
#include "framework/training/corpus_examples.h"
#include "framework/training/csv_settings.h"
#include "framework/training/placed_documents.h"
#include "framework/training/reader.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

struct Settings : CsvSettings {
  std::optional<std::filesystem::path> path;
  std::int64_t max_length = 0;
  std::int64_t limit = 0;
};

template <class V>
void fields(V& v, Settings& c) {
  v.required("path", c.path,
             "a file of rows, one for each document; it may end in .gz, .zst or .xz");
  v("header", c.header, "the first row names the columns; false: columns have numbers alone");
  v("text_column", c.text_column, "the text: a name of the header, or a number from 1",
    at_least(1));
  v("label_column", c.label_column, "the label, in the same way; null: there is no such column",
    at_least(1));
  v("label_separator", c.label_separator,
    "stands between the labels of a cell, as \";\"; null: a cell is one label");
  v("label_columns", c.label_columns,
    "columns that are a label each, with 1 or 0 in their cells (an empty one: not known)");
  v("labels", c.labels,
    "those that a row with a label does not have are 0; of others nothing is known");
  v("delimiter", c.delimiter, "a character; null: a tab for .tsv, else a comma");
  v("quotes", c.quotes, "cells may stand between quotes; null: unless the delimiter is a tab");
  v("max_length", c.max_length, "documents with as many tokens are left out; 0 = no limit",
    at_least(0));
  v("limit", c.limit, "number of documents to read; 0 = all", at_least(0));
}

ExampleStreamPtr open(const Settings& c, const Language& nlp) {
  const std::string path = required_path(c.path, "weft.CsvCorpus.v1");
  const auto place = std::make_shared<ExamplePlace>();
  const CorpusOptions options{.max_length = c.max_length, .limit = c.limit, .place = place};
  const auto open_file = [&nlp, reading = csv_options(c, path)](const std::string& file) {
    const auto make = [&nlp](std::string_view text) { return nlp.make_doc(text); };
    return std::make_unique<CsvReader>(file, nlp.vocab(), make, reading);
  };
  return corpus_examples(placed_documents({path}, open_file, place), nlp, options);
}

Reader csv_corpus(const Settings& c) {
  return {.open = [c](const Language& nlp) { return open(c, nlp); },
          .read_annotated = annotated_csv(c.path, c)};
}

const Registration registered{"weft.CsvCorpus.v1", csv_corpus,
                              "texts with labels from comma- or tab-separated values"};

}  // namespace
}  // namespace weft
