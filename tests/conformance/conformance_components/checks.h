// Comparisons of the runner: every one is counted, and one that fails prints a line with file,
// record, field, and both values.
#pragma once

#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>

#include "tests/conformance/counting/record_tally.h"

namespace weft::conformance {

using Json = nlohmann::ordered_json;

class Checks {
 public:
  // The file that the next checks are of; false, and a failure, where there is none.
  bool open(const std::filesystem::path& file);
  // A failure where the file gave fewer checks.
  void expect_at_least(int count);

  void passed();
  void failed(const std::string& record, const std::string& message);
  // `record`: a line's number or id.
  void equal(const std::string& record, const std::string& field, const Json& got,
             const Json& wanted);
  // Of the same form, each number off by at most `limit`.
  void near(const std::string& record, const std::string& field, const Json& got,
            const Json& wanted, double limit);

  // Prints the counts; the exit code.
  int finish() const { return tally_.finish(); }

 private:
  void check(bool good, const std::string& record, const std::string& field, const Json& got,
             const Json& wanted);

  RecordTally tally_;
  std::filesystem::path file_;
  int count_ = 0;  // of the file
};

}  // namespace weft::conformance
