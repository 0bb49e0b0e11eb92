#include "tools/bad_rows.h"

#include <algorithm>
#include <iostream>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "framework/io/compression.h"
#include "registry/value/json.h"
#include "tools/documents.h"

namespace weft::tools {
namespace {

constexpr char kReportMark = '=';  // between `report` and its file, once both are one word

// The name without the links that lead to its folder; a link in its own place would be replaced.
std::filesystem::path place_of(const std::filesystem::path& name) {
  std::error_code unknown;
  const auto whole = std::filesystem::absolute(name, unknown).lexically_normal();
  return std::filesystem::weakly_canonical(whole.parent_path(), unknown) / whole.filename();
}

// Of two files under one name, the one that is written last would be left.
void refuse_report_on_output(const std::filesystem::path& report,
                             const std::filesystem::path& output) {
  if (output.empty() || output == "-" || place_of(report) != place_of(output)) return;
  throw Error(ErrorKind::usage,
              fmt::format("{} is the output and the report of --on-error; give another name",
                          report.string()));
}

// Of a pipe nothing: its writer pays for every byte.
std::optional<std::int64_t> bytes_of(const std::filesystem::path& file) {
  std::error_code unknown;
  const std::uintmax_t bytes = std::filesystem::file_size(file, unknown);
  if (unknown) return std::nullopt;
  return static_cast<std::int64_t>(bytes);
}

std::int64_t most_listed(const std::filesystem::path& input, bool is_file) {
  if (!is_file) return kMostListedOfUnknown;
  return kMostListedRows + bytes_of(input).value_or(0) / kBytesOfListedRow;
}

// Of each file on its own, beside those that any input may have.
std::int64_t most_left_out(const std::string& file) {
  const std::optional<std::int64_t> bytes = bytes_of(file);
  if (!bytes) return std::numeric_limits<std::int64_t>::max() / 2;
  return compression_of(file) == Compression::none ? *bytes : *bytes / kBytesOfLeftOut;
}

}  // namespace

void accept_on_error(CommandLine& line) {
  line.option("on-error", "error|skip|report FILE",
              "rows that cannot be read: name them and write nothing (error, the default), leave "
              "them out (exit code 3), or list them in FILE too");
}

Words with_report_as_one(const Words& words) {
  Words joined;
  for (const std::string& word : words) {
    const bool is_file =
        !joined.empty() && !word.starts_with("--") &&
        (joined.back() == "--on-error=report" || (joined.size() > 1 && joined.back() == "report" &&
                                                  joined[joined.size() - 2] == "--on-error"));
    if (is_file) {
      joined.back() += kReportMark + word;
    } else {
      joined.push_back(word);
    }
  }
  return joined;
}

BadRows::BadRows(const CommandLine& line, const std::filesystem::path& input,
                 const std::filesystem::path& output) {
  std::string word = line.has("on-error") ? line.text("on-error") : "error";
  if (const std::size_t mark = word.find(kReportMark); mark != word.npos) {
    report_file_ = word.substr(mark + 1);
    word.resize(mark);
  }
  if (word == "skip") {
    mode_ = Mode::skip;
  } else if (word == "report") {
    mode_ = Mode::report;
  } else if (word != "error") {
    throw Error(ErrorKind::usage,
                fmt::format("--on-error is error, skip or report FILE, not '{}'", word));
  }
  // The reader of a pipe hears of the first row at once.
  std::error_code unknown;
  reads_on_ = std::filesystem::is_regular_file(input, unknown);
  if (mode_ != Mode::report) return;
  if (report_file_.empty()) {
    throw Error(ErrorKind::usage, "--on-error report needs a file: --on-error report bad.jsonl");
  }
  if (compression_of(report_file_.string()) != Compression::none) {
    throw Error(ErrorKind::usage,
                fmt::format("the report of --on-error is not compressed: name it {}",
                            uncompressed_name(report_file_.string())));
  }
  most_listed_ = most_listed(input, reads_on_);
  refuse_output_on_input(report_file_, input);
  refuse_report_on_output(report_file_, output);
  report_ = std::make_unique<AtomicFile>(report_file_);
}

std::function<void(const Error& error)> BadRows::sink() {
  return [this](const Error& error) { take(error); };
}

void BadRows::take(const Error& error) {
  if (mode_ == Mode::error && !reads_on_) throw Error(error);
  ++count_;
  check_count(error);
  list(error);
  if (mode_ == Mode::error && first_.size() == kMostBadRows) throw_first();
}

void BadRows::leave_out_document(const Error& error) {
  if (++documents_ > kMostDocumentsLeftOut) {
    throw Error(ErrorKind::data, fmt::format("more than {} documents cannot be annotated; {}",
                                             kMostDocumentsLeftOut, error.what()));
  }
  ++count_;
  list(error);
}

void BadRows::list(const Error& error) {
  if (first_.size() < kMostBadRows) {
    first_.push_back(error);
    if (mode_ != Mode::error) std::cerr << fmt::format("warning: {}\n", error.what());
  }
  if (report_ && count_ <= most_listed_) write(error);
}

void BadRows::check_count(const Error& error) {
  const std::string file = error.place().name ? *error.place().name : "";
  if (file != counted_file_) {
    counted_file_ = file;
    const std::int64_t more = most_left_out(file);
    most_left_out_ += std::min(more, std::numeric_limits<std::int64_t>::max() - most_left_out_);
  }
  if (count_ <= most_left_out_) return;
  throw Error(ErrorKind::data,
              fmt::format("more than {} rows cannot be read, too many for packed files of this "
                          "size: nothing is read behind them",
                          most_left_out_),
              error.place());
}

void BadRows::write(const Error& error) {
  Object row;
  row.set("file", error.place().name ? *error.place().name : "");
  row.set("line", error.place().line > 0 ? Node(error.place().line) : Node(nullptr));
  row.set("message", error.message());
  report_->stream() << to_standard_json(row) << '\n';
}

void BadRows::throw_first() {
  if (mode_ != Mode::error || first_.empty()) return;
  if (first_.size() == 1) throw Error(first_.front());
  for (const Error& error : first_) std::cerr << fmt::format("weft: {}\n", error.what());
  throw Error(
      ErrorKind::data,
      fmt::format("{}{} rows cannot be read, and no file is written; --on-error skip leaves "
                  "them out",
                  count_ == static_cast<std::int64_t>(kMostBadRows) ? "at least " : "", count_));
}

std::string BadRows::listed() const {
  if (!report_) return "";
  const std::string file = report_file_.string();
  if (count_ <= most_listed_) return ", as " + file + " lists";
  return fmt::format("; {} lists the first {} of them", file, most_listed_);
}

int BadRows::finish() {
  if (report_) report_->commit();
  if (count_ == 0) return 0;
  const auto shown = static_cast<std::int64_t>(first_.size());
  if (count_ > shown) std::cerr << fmt::format("... and {} more rows\n", count_ - shown);
  std::cerr << fmt::format("{} {} left out that cannot be read{}\n", count_,
                           count_ == 1 ? "row is" : "rows are", listed());
  return exit_code(ErrorKind::data);
}

}  // namespace weft::tools
