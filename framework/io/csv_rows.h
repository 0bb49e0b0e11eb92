// Rows of comma- or tab-separated values (RFC 4180; the IANA registration of
// text/tab-separated-values, which knows no quotes).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "framework/io/input_stream.h"
#include "registry/base/error.h"
#include "registry/base/export.h"

namespace weft {

struct CsvFormat {
  char delimiter = ',';
  // Whether a cell may stand between quotes, and then hold delimiters, line breaks and, doubled,
  // quotes.
  bool quotes = true;
  bool operator==(const CsvFormat&) const = default;
};

// As a file's name says: tabs without quotes for .tsv and .tab, also with .gz behind them.
WEFT_API CsvFormat csv_format_for(const std::string& file);

class WEFT_API CsvRows {
 public:
  // Throws as InputStream.
  CsvRows(const std::string& file, CsvFormat format);

  // The cells of the next row that is not blank, or false at the end. Rows end with LF or CR LF; a
  // byte order mark before the first is left out. Throws Error(data) with file and line for
  // invalid UTF-8, a quote that is not closed or that has text behind it, a row of more than 64 MiB
  // or of more than 65536 cells.
  bool next(std::vector<std::string>& cells);

  // Whether the row that `next` gave, or threw a fault of, has been read to its end.
  bool is_whole() const { return is_whole_; }
  std::int64_t line() const { return first_line_; }  // in which the row began, from 1
  // Throws the fault of the row at hand, with its place.
  [[noreturn]] void fail(const std::string& what) const;

 private:
  static constexpr int kEnd = -1;
  // The thing behind a cell.
  enum class After { cell, row, nothing };

  int peek();
  int take();
  void add(std::string& cell, char byte);
  void skip_mark();
  After read_cell(std::string& cell);
  After read_plain(std::string& cell);
  After read_quoted(std::string& cell);
  After after(int byte);

  std::string name_;
  CsvFormat format_;
  InputStream bytes_;
  std::vector<char> buffer_;
  std::size_t at_ = 0, end_ = 0;
  std::int64_t line_ = 1, first_line_ = 0;
  std::size_t row_bytes_ = 0;
  bool started_ = false, is_whole_ = false;
  bool has_return_ = false;  // a carriage return in a cell of the row that stands in no quotes
};

}  // namespace weft
