#include "framework/io/csv_rows.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "framework/io/compression.h"
#include "framework/io/file_limits.h"
#include "framework/io/input_lines.h"
#include "framework/io/text_beginning.h"
#include "registry/base/unicode.h"

namespace weft {

namespace {

constexpr std::size_t kMostCells = 65536;
constexpr char kQuote = '"';

}  // namespace

CsvFormat csv_format_for(const std::string& file) {
  const std::string ending = format_ending(file);
  if (ending == ".tsv" || ending == ".tab") return {.delimiter = '\t', .quotes = false};
  return {};
}

CsvRows::CsvRows(const std::string& file, CsvFormat format)
    : name_(file), format_(format), bytes_(file), buffer_(std::size_t{64} << 10) {}

void CsvRows::fail(const std::string& what) const {
  throw Error(
      ErrorKind::data, what,
      Origin::file(std::make_shared<const std::string>(name_), static_cast<int>(first_line_), 0));
}

int CsvRows::peek() {
  if (at_ == end_) {
    at_ = end_ = 0;  // also where reading fails
    end_ = bytes_.read(buffer_.data(), buffer_.size());
    if (end_ == 0) return kEnd;
  }
  return static_cast<unsigned char>(buffer_[at_]);
}

int CsvRows::take() {
  const int byte = peek();
  if (byte == kEnd) return kEnd;
  ++at_;
  if (byte == '\n') ++line_;
  return byte;
}

void CsvRows::add(std::string& cell, char byte) {
  // A quote that is never closed would make the rest of the file one cell: this bounds its memory.
  if (++row_bytes_ > kLongestTextLine) {
    fail(fmt::format("the row is longer than {} MiB; is a quote not closed?",
                     kLongestTextLine >> 20));
  }
  cell += byte;
}

void CsvRows::skip_mark() {
  if (started_) return;
  started_ = true;
  // Spreadsheets save tables as UTF-16, which would be read as cells with zero bytes, and begin
  // UTF-8 with a byte order mark, which would become part of the first column's name.
  peek();
  const std::string_view beginning(buffer_.data() + at_, end_ - at_);
  refuse_other_bytes(beginning, name_);
  if (beginning.starts_with(kByteOrderMark)) at_ += kByteOrderMark.size();
}

CsvRows::After CsvRows::after(int byte) {
  if (byte == kEnd) return After::nothing;
  return byte == format_.delimiter ? After::cell : After::row;
}

CsvRows::After CsvRows::read_plain(std::string& cell) {
  while (true) {
    const int byte = take();
    // A quote in the middle of a cell is text. The line end may be that of Windows.
    const bool ends_row = byte == kEnd || byte == '\n';
    if (ends_row && cell.ends_with('\r')) cell.pop_back();
    if (ends_row || byte == format_.delimiter) {
      has_return_ = has_return_ || cell.find('\r') != cell.npos;
      return after(byte);
    }
    add(cell, static_cast<char>(byte));
  }
}

CsvRows::After CsvRows::read_quoted(std::string& cell) {
  take();
  while (true) {
    const int byte = take();
    if (byte == kEnd) {
      fail("a quote is not closed; double it (\"\") where it is part of a cell");
    }
    if (byte != kQuote) {
      add(cell, static_cast<char>(byte));
      continue;
    }
    // Two quotes are one that belongs to the text; one alone ends the cell.
    if (peek() == kQuote) {
      add(cell, static_cast<char>(take()));
      continue;
    }
    int next = take();
    if (next == '\r') next = take();
    if (next == kEnd || next == '\n' || next == format_.delimiter) return after(next);
    fail("there is text behind a closing quote; double a quote (\"\") that is part of a cell");
  }
}

CsvRows::After CsvRows::read_cell(std::string& cell) {
  return format_.quotes && peek() == kQuote ? read_quoted(cell) : read_plain(cell);
}

bool CsvRows::next(std::vector<std::string>& cells) {
  is_whole_ = false;
  skip_mark();
  while (peek() != kEnd) {
    cells.clear();
    // Quoted cells hold line ends: the row is found in an editor by the line on which it begins.
    first_line_ = line_;
    row_bytes_ = 0;
    is_whole_ = has_return_ = false;
    bool is_utf8 = true;
    After after = After::cell;
    while (after == After::cell) {
      if (cells.size() == kMostCells) fail(fmt::format("more than {} cells", kMostCells));
      after = read_cell(cells.emplace_back());
      if (find_invalid_utf8(cells.back())) is_utf8 = false;
    }
    // From here on the reader stands behind the row, and a caller may go on after the error.
    is_whole_ = true;
    if (!is_utf8) fail("a cell is not valid UTF-8");
    if (has_return_) fail(kCarriageReturn);
    // An empty line is no row of one empty cell.
    if (cells.size() > 1 || !cells.front().empty()) return true;
  }
  return false;
}

}  // namespace weft
