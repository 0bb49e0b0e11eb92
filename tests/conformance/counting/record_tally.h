// The counts of all runners, and the lines that they end with. A runner compares at least what the
// list `records.txt` beside the records says, where there is one: a line `COUNT FILE` for each
// file.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace weft::conformance {

enum class Verdict {
  passed,
  failed,
  lenient,  // accepted whatever comes, or not as it was recorded
  skipped
};

class RecordTally {
 public:
  // A record of the file of that name, as the list calls it.
  void add(const std::string& file, Verdict verdict);
  // Whether the file is there; a failure where it is not.
  bool has_file(const std::filesystem::path& file);
  // A failure for each file that the list of the folder has and that gave fewer records. Nothing
  // without a list.
  void compare_with_list(const std::filesystem::path& folder);

  // Prints how many records were lenient, if any were, then last "N passed, N failed", and
  // ", N skipped" if any were or `says_skipped`. The exit code: 0 if none failed and one was
  // compared.
  int finish(bool says_skipped = false) const;

 private:
  int count_of(Verdict verdict) const;

  std::map<std::string, std::map<Verdict, int>> files_;
};

}  // namespace weft::conformance
