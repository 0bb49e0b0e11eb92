// Rows of an input that cannot be read: what --on-error asks for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "framework/io/atomic_file.h"
#include "registry/base/error.h"
#include "tools/command_line.h"

namespace weft::tools {

// Adds the option --on-error error|skip|report FILE.
void accept_on_error(CommandLine& line);
// The words of a command with the two of `--on-error report FILE` as one, to be parsed.
Words with_report_as_one(const Words& words);

// How many are left out at most, and one more for so many bytes of packed files: each costs some 25
// microseconds, and a row that is packed next to nothing else. In plain files each has bytes.
inline constexpr std::int64_t kMostLeftOut = 65536, kBytesOfLeftOut = 8;

// Under `error` the rows are named, and there is no output; under `skip` they are named and left
// out; under `report FILE` each is a line of JSON in that file too.
class BadRows {
 public:
  // By the words of a command line that accepts --on-error. Throws Error(usage) for another word,
  // and for a report that would be written over the input or the output; "" or "-" is none of
  // these.
  BadRows(const CommandLine& line, const std::filesystem::path& input,
          const std::filesystem::path& output);

  // For ConverterInput::bad_row; not to be used after this is gone. Throws where reading shall not
  // go on.
  std::function<void(const Error& error)> sink();

  // Whether documents are of any use still: false once a row was bad and nothing will be written.
  bool wants_documents() const { return mode_ != Mode::error || first_.empty(); }

  // Whether a document that a component gives up on may be left out as well; else its error ends
  // the command.
  bool leaves_out() const { return mode_ != Mode::error; }
  // Leaves one out. A component has taken a second or two before it gave up, so there is a limit of
  // their own: throws Error(data) beyond it.
  void leave_out_document(const Error& error);

  // Before the output is put in its place. Throws Error(data) where it is not to be written.
  void throw_first();
  // At the end: says how many rows were left out, and writes the report. The exit code.
  int finish();

 private:
  enum class Mode { error, skip, report };
  void take(const Error& error);
  void list(const Error& error);
  void check_count(const Error& error);
  void write(const Error& error);
  std::string listed() const;

  Mode mode_ = Mode::error;
  bool reads_on_ = true;      // to name further rows under `error`
  std::vector<Error> first_;  // up to the limit of what is shown
  std::int64_t count_ = 0;
  std::int64_t documents_ = 0;                 // of these, documents that a component gave up on
  std::string counted_file_;                   // of the row before
  std::int64_t most_left_out_ = kMostLeftOut;  // of the files up to that one
  std::int64_t most_listed_ = 0;               // in the report
  std::filesystem::path report_file_;
  std::unique_ptr<AtomicFile> report_;
};

// How many documents that components give up on are left out.
inline constexpr std::int64_t kMostDocumentsLeftOut = 20;
// How many rows are named on standard error; docs/limits.md.
inline constexpr std::size_t kMostBadRows = 20;
// How many are in a report, and one more for so many bytes of the input file: a packed one may have
// a million rows in a few kilobytes. Of a pipe or a folder the bytes are not known.
inline constexpr std::int64_t kMostListedRows = 16384, kBytesOfListedRow = 16;
inline constexpr std::int64_t kMostListedOfUnknown = std::int64_t{1} << 20;

}  // namespace weft::tools
