// Compares a saved pipeline's predictions with recorded ones:
//
//   conformance_pipeline PIPELINE EXPECTED.jsonl
//
// Prints a line for each record that differs and last `N passed, N failed`; exits 0 only if none
// failed and there was one. Entities and tokens are compared exactly, traces to 1e-4. The format
// of the records: tests/conformance/data/README.md.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include "components/builtin.h"
#include "framework/pipeline/build_pipeline.h"
#include "registry/functions/catalogue.h"
#include "tests/conformance/conformance_pipeline/record.h"
#include "tests/conformance/conformance_pipeline/trace_check.h"
#include "tests/conformance/counting/record_tally.h"

namespace {

using weft::conformance::Record;
using weft::conformance::Verdict;

std::optional<std::string> check(const weft::Language& nlp, const Record& record) {
  weft::Doc doc = record.input(nlp);
  if (record.text) {
    bool same = doc.size() == static_cast<int>(record.words.size());
    for (int i = 0; same && i < doc.size(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      same = doc.word(i) == record.words[at] &&
             (record.spaces.empty() || doc.space(i) == record.spaces[at]);
    }
    if (!same) return "other tokens";
  }
  weft::Doc* const docs[] = {&doc};
  nlp.annotate(docs);
  if (Record::entities(doc) != record.ents) return "other entities";
  if (record.trace) return check_trace(nlp, record);
  return std::nullopt;
}

int run_all(const char* pipeline, const char* expected) {
  weft::Catalogue catalogue;
  weft::add_builtin(catalogue);
  const auto nlp = weft::load_pipeline(pipeline, catalogue);
  std::ifstream lines(expected);
  if (!lines) throw std::runtime_error(std::string("cannot read ") + expected);
  const std::filesystem::path file = expected;
  weft::conformance::RecordTally tally;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.empty()) continue;
    const auto fault = check(*nlp, Record::parse(line));
    if (fault) std::cout << expected << ':' << number << ": " << *fault << '\n';
    tally.add(file.filename().string(), fault ? Verdict::failed : Verdict::passed);
  }
  tally.compare_with_list(file.parent_path());
  return tally.finish();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: conformance_pipeline PIPELINE EXPECTED.jsonl\n";
    return 2;
  }
  try {
    return run_all(argv[1], argv[2]);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
}
