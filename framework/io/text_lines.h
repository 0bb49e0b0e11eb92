// Lines of text files, checked to be UTF-8.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "framework/io/input_lines.h"
#include "framework/io/read_budget.h"
#include "registry/base/error.h"
#include "registry/base/export.h"

namespace weft {

class WEFT_API TextLines {
 public:
  explicit TextLines(std::vector<std::string> files) : files_(std::move(files)) {}

  // The next line of the next file, without its line break, or nothing at the end. Throws
  // as InputFile for a file that cannot be read, Error(data) with file and line for invalid UTF-8
  // and for a line of more than 64 MiB. Pipes are read.
  std::optional<std::string> next();

  // Where the line that `next` gave last stands: its file and its number there, from 1.
  const std::string& file() const { return files_[opened_ - 1]; }
  std::int64_t number() const { return lines_ ? lines_->number() : 0; }

  // Calls `use`. An Error(data) of it is thrown with that place, unless it has a line of its
  // own.
  template <class Use>
  auto at_line(Use use) const {
    try {
      return use();
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::data || error.place().line > 0) throw;
      throw Error(ErrorKind::data, error.message(), place());
    }
  }

  // Whether a line was too long, so that nothing behind it in its file is read.
  bool is_cut() const { return lines_ && lines_->is_cut(); }

  // For what is made of a line; of the file at hand. There is one once a line was read.
  ReadBudget& budget() { return *budget_; }

 private:
  Origin place() const;

  std::vector<std::string> files_;
  std::size_t opened_ = 0;
  std::unique_ptr<InputLines> lines_;
  std::optional<ReadBudget> budget_;
};

}  // namespace weft
