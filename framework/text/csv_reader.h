// Reads documents with categories from comma- or tab-separated values, one document for each row.
//
//   text,label                        label<TAB>text, without a header
//   "Play it, please",music           music	Play it, please
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "framework/io/csv_rows.h"
#include "framework/io/read_budget.h"
#include "framework/text/doc.h"
#include "framework/text/jsonl_reader.h"
#include "registry/base/export.h"

namespace weft {

// A column by the name that the header gives it, or by its number from 1.
struct CsvColumn {
  std::string name = {};
  int number = 0;  // 0: by name
};

struct CsvOptions {
  CsvFormat format = {};
  bool header = true;  // the first row names the columns
  CsvColumn text = {.name = "text"};
  // The column of the label; nothing: there is none.
  std::optional<CsvColumn> label = CsvColumn{.name = "label"};
  // Between the labels of a cell; empty: a cell is one label.
  std::string label_separator = {};
  // Columns that are a label each, with 1 or 0 (true or false, yes or no) in their cells; an empty
  // cell: not known.
  std::vector<CsvColumn> flags = {};
  // Labels that a row with a label has not are 0; of others nothing is known.
  std::vector<std::string> all_labels = {};
};

// Not for several threads.
class WEFT_API CsvReader {
 public:
  // Throws as CsvRows, and Error(data) for a column that the file has not.
  CsvReader(const std::string& file, std::shared_ptr<const Vocab> vocab, MakeDoc make_doc,
            CsvOptions options);

  // The next document, or nothing at the end. Throws as CsvRows, and Error(data) with file and line
  // for a row without the columns or with more than the first has, a flag that is none, and a text
  // or labels that take more memory than a ReadBudget allows.
  std::optional<Doc> next();

  int line() const { return static_cast<int>(rows_.line()); }
  // Whether rows behind what `next` threw can be read: the row was one.
  bool skip_row() const { return rows_.is_whole(); }

 private:
  int place_of(const CsvColumn& column) const;
  const std::string& cell_at(int place) const;
  void check_width();
  std::vector<TextCategory> cats_of_row();
  void add_labels(const std::string& cell, std::vector<TextCategory>& cats);

  std::shared_ptr<const Vocab> vocab_;
  MakeDoc make_doc_;
  CsvOptions options_;
  CsvRows rows_;
  ReadBudget budget_;
  std::vector<std::string> cells_, header_;
  std::size_t width_ = 0;  // cells of the first row
  int text_ = 0, label_ = -1;
  std::vector<int> flags_;
  std::vector<std::string> flag_names_;
};

// The layout that `convert` takes a file for: with a header if its first row has a cell "text",
// whose labels are in the column with one of csv_label_names(); else rows of a label and a text.
// Throws as CsvRows, and Error(data) for a file that is neither, such as one with a header of other
// names.
WEFT_API CsvOptions csv_options_for(const std::string& file, CsvFormat format);

// The names of a column of labels, in lower case; the first that is there counts.
WEFT_API std::vector<std::string> csv_label_names();

}  // namespace weft
