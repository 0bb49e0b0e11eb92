#include "tests/conformance/counting/record_tally.h"

#include <fstream>
#include <iostream>
#include <numeric>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

namespace weft::conformance {

namespace fs = std::filesystem;

void RecordTally::add(const std::string& file, Verdict verdict) {
  ++files_[file][verdict];
}

bool RecordTally::has_file(const fs::path& file) {
  if (fs::is_regular_file(file)) return true;
  std::cout << fmt::format("{}: the file of records is missing\n", file.string());
  add(file.filename().string(), Verdict::failed);
  return false;
}

void RecordTally::compare_with_list(const fs::path& folder) {
  const fs::path path = folder / "records.txt";
  std::ifstream list(path);
  if (!list) return;
  for (std::string line; std::getline(list, line);) {
    std::istringstream parts(line);
    int wanted = 0;
    std::string file;
    if (!(parts >> wanted >> file)) {
      throw std::runtime_error(fmt::format("{}: not COUNT FILE: {}", path.string(), line));
    }
    const auto& found = files_[file];
    const int count =
        std::accumulate(found.begin(), found.end(), 0,
                        [](int sum, const auto& entry) { return sum + entry.second; });
    if (count >= wanted) continue;
    std::cout << fmt::format("{}: {} records where {} has {}\n", file, count, path.string(),
                             wanted);
    add(file, Verdict::failed);
  }
}

int RecordTally::count_of(Verdict verdict) const {
  int count = 0;
  for (const auto& [_, verdicts] : files_) {
    const auto found = verdicts.find(verdict);
    count += found == verdicts.end() ? 0 : found->second;
  }
  return count;
}

int RecordTally::finish(bool says_skipped) const {
  const int passed = count_of(Verdict::passed), failed = count_of(Verdict::failed);
  const int lenient = count_of(Verdict::lenient), skipped = count_of(Verdict::skipped);
  if (lenient > 0) std::cout << lenient << " lenient: accepted, though not compared\n";
  std::cout << passed << " passed, " << failed << " failed";
  if (skipped > 0 || says_skipped) std::cout << ", " << skipped << " skipped";
  std::cout << '\n';
  return failed == 0 && passed > 0 ? 0 : 1;
}

}  // namespace weft::conformance
