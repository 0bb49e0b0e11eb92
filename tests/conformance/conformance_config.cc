// Runs the config records: conformance_config CASES.jsonl FUNCTIONS.json [--area NAME]
//
// Prints a line per failing record and last `N passed, N failed[, N skipped]`; exits 0 only if none
// failed. What is compared with what: tests/conformance/data/config/README.md.
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>

#include "tests/conformance/conformance_config/judge.h"
#include "tests/conformance/conformance_config/operations.h"

namespace {

using weft::conformance::Case;
using weft::conformance::Outcome;

struct Tally {
  int passed = 0;
  int failed = 0;
  int skipped = 0;
};

void run(const Case& record, Tally& tally) {
  const auto operation = weft::conformance::find_operation(record);
  if (!operation) {
    ++tally.skipped;
    return;
  }
  const Outcome outcome = weft::conformance::perform(operation, record);
  if (outcome.skipped) {
    ++tally.skipped;
  } else if (const auto fault = weft::conformance::judge(record, outcome)) {
    ++tally.failed;
    std::cout << record.id() << ": " << *fault << '\n';
  } else {
    ++tally.passed;
  }
}

int run_all(const std::string& cases, const std::string& functions, const std::string& area) {
  std::ifstream lines(cases);
  if (!lines) {
    std::cerr << "cannot read " << cases << '\n';
    return 2;
  }
  Tally tally;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    const Case record(line, functions);
    if (area.empty() || record.area() == area) run(record, tally);
  }
  std::cout << tally.passed << " passed, " << tally.failed << " failed";
  if (tally.skipped > 0) std::cout << ", " << tally.skipped << " skipped";
  std::cout << '\n';
  return tally.failed == 0 && tally.passed > 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const bool with_area = argc == 5 && std::strcmp(argv[3], "--area") == 0;
  if (argc != 3 && !with_area) {
    std::cerr << "usage: conformance_config CASES.jsonl FUNCTIONS.json [--area NAME]\n";
    return 2;
  }
  try {
    return run_all(argv[1], argv[2], with_area ? argv[4] : "");
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
}
