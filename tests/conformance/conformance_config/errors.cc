#include "tests/conformance/conformance_config/errors.h"

#include <algorithm>

namespace weft::conformance {
namespace {

// The whole path, or one that says more precisely where the error stands.
bool same_path(const std::string& expected, const Problem& problem) {
  if (problem.path == expected || problem.path.ends_with("." + expected)) return true;
  // A circle has no first member: any of them will do.
  return problem.kind == ProblemKind::cycle && problem.variable.find(expected) != std::string::npos;
}

// A value that the reference refuses and that is converted here with a warning. It is only an error
// of its own where the section has others, as the caller sees to.
bool is_conversion(const Problem& problem) {
  return problem.severity == Severity::warning && problem.reason == Reason::type;
}

bool matches(const Json& expected, const Problem& problem) {
  if (problem.severity != Severity::error && !is_conversion(problem)) return false;
  if (expected.contains("path") && !same_path(expected["path"], problem)) return false;
  if (expected.contains("reason") && expected["reason"] != name_of(problem.reason)) return false;
  if (expected.contains("variable") && expected["variable"] != problem.variable) return false;
  if (expected.contains("line") && expected["line"] != problem.place.line) return false;
  if (!expected.contains("kind") || expected["kind"] == name_of(problem.kind)) return true;
  // A kind that does not exist has no functions either.
  if (expected["kind"] == "unknown_function") return problem.kind == ProblemKind::unknown_registry;
  return expected["kind"] == "crash";  // the reference failed; any planned error is right
}

bool is_reported(const Json& expected, const Problems& problems) {
  return std::any_of(problems.begin(), problems.end(),
                     [&](const Problem& problem) { return matches(expected, problem); });
}

}  // namespace

std::optional<std::string> missing_error(const Json& expected, const Problems& problems) {
  if (!has_errors(problems)) return "expected the error " + expected.dump();
  Json base = expected;
  for (const char* part : {"errors", "lines"}) base.erase(part);
  std::vector<Json> wanted;
  for (const Json& error : expected.value("errors", Json::array())) {
    wanted.push_back({{"kind", expected["kind"]}, {"path", error["path"]}});
    if (error.contains("reason")) wanted.back()["reason"] = error["reason"];
  }
  for (const Json& line : expected.value("lines", Json::array())) {
    wanted.push_back({{"kind", expected["kind"]}, {"line", line}});
  }
  if (wanted.empty()) wanted.push_back(base);
  for (const Json& error : wanted) {
    if (!is_reported(error, problems)) return "expected the error " + error.dump();
  }
  return std::nullopt;
}

std::string shown(const Problems& problems) {
  std::string text;
  for (const Problem& problem : problems) {
    if (!text.empty()) text += " | ";
    text += std::string(name_of(problem.kind)) + " " + problem.str();
  }
  return text.empty() ? "no error" : text;
}

}  // namespace weft::conformance
