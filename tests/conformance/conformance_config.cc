// Runs the config records: conformance_config CASES.jsonl FUNCTIONS.json [--area NAME]
//
// Prints a line per failing record, how many were accepted without being compared, and last `N
// passed, N failed[, N skipped]`; exits 0 only if none failed. The rules of comparison:
// tests/conformance/data/config/README.md.
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include "tests/conformance/conformance_config/judge.h"
#include "tests/conformance/conformance_config/operations.h"
#include "tests/conformance/counting/record_tally.h"

namespace {

using weft::conformance::Case;
using weft::conformance::Outcome;
using weft::conformance::RecordTally;
using weft::conformance::Verdict;

Verdict run(const Case& record) {
  const auto operation = weft::conformance::find_operation(record);
  if (!operation) return Verdict::skipped;
  const Outcome outcome = weft::conformance::perform(operation, record);
  if (outcome.skipped) return Verdict::skipped;
  const auto judgement = weft::conformance::judge(record, outcome);
  if (!judgement.fault.empty()) std::cout << record.id() << ": " << judgement.fault << '\n';
  return judgement.verdict;
}

int run_all(const std::string& cases, const std::string& functions, const std::string& area) {
  const std::filesystem::path file = cases;
  std::ifstream lines(file);
  if (!lines) {
    std::cerr << "cannot read " << cases << '\n';
    return 2;
  }
  RecordTally tally;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    const Case record(line, functions);
    if (area.empty() || record.area() == area) tally.add(file.filename().string(), run(record));
  }
  if (area.empty()) tally.compare_with_list(file.parent_path());
  return tally.finish();
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
