#include "tests/conformance/conformance_config/judge.h"

#include <algorithm>

#include "registry/reading/cfg_reader.h"
#include "tests/conformance/conformance_config/compare.h"
#include "tests/conformance/conformance_config/errors.h"

namespace weft::conformance {
namespace {

Numbers numbers_of(const Case& record) {
  return record.op() == "resolve" ? Numbers::converted : Numbers::exact;
}

bool has_warning(const std::string& kind, const Problems& problems) {
  return std::any_of(problems.begin(), problems.end(), [&](const Problem& problem) {
    return problem.severity == Severity::warning && name_of(problem.kind) == kind;
  });
}

// Where filling brings sections together their order is a choice of design: the texts are compared
// by what they mean, line for line elsewhere.
bool text_agrees(const Case& record, const std::string& expected, const std::string& got) {
  if (same_text(expected, got) || record.op() != "spacy_fill") return same_text(expected, got);
  Problems problems;
  const Config wanted = read_cfg(expected, "expected", problems, {.interpolate = false});
  const Config written = read_cfg(got, "got", problems, {.interpolate = false});
  return !has_errors(problems) &&
         !difference(Node(wanted.root()), Node(written.root()), Numbers::exact);
}

std::optional<std::string> compare_results(const Case& record, const Json& expected,
                                           const Outcome& outcome) {
  if (expected.contains("tree")) {
    if (!outcome.tree) return "expected a tree, got none";
    if (auto found = difference(to_node(expected["tree"]), *outcome.tree, numbers_of(record))) {
      return found;
    }
  }
  if (expected.contains("text") &&
      !text_agrees(record, expected["text"], outcome.text.value_or(""))) {
    return "expected the text " + expected["text"].dump() + ", got " +
           Json(outcome.text.value_or("")).dump();
  }
  if (expected.contains("overrides")) {
    const Node overrides = to_node(expected["overrides"]);
    if (auto found = difference(overrides.as_object(), outcome.overrides.value_or(Overrides()))) {
      return found;
    }
  }
  if (expected.contains("warning") && !has_warning(expected["warning"], outcome.problems)) {
    return "expected the warning " + expected["warning"].dump() + ", got " +
           shown(outcome.problems);
  }
  return std::nullopt;
}

std::optional<std::string> compare(const Case& record, const Json& expected,
                                   const Outcome& outcome) {
  if (expected.contains("error")) {
    auto fault = missing_error(expected["error"], outcome.problems);
    if (fault) *fault += ", got " + shown(outcome.problems);
    return fault;
  }
  if (outcome.refused_results) return std::nullopt;
  if (has_errors(outcome.problems)) return "expected a result, got " + shown(outcome.problems);
  return compare_results(record, expected, outcome);
}

bool refused_unsafe_name(const Case& record, const Outcome& outcome) {
  return record.tagged("unsafe") &&
         std::any_of(outcome.problems.begin(), outcome.problems.end(), [](const Problem& problem) {
           return problem.kind == ProblemKind::unserialisable;
         });
}

}  // namespace

Judgement judge(const Case& record, const Outcome& outcome) {
  const Json& all = record.record();
  const bool lenient = record.flag("lenient", false);
  const bool as_expected = !compare(record, all["expected"], outcome) ||
                           (all.contains("better") && !compare(record, all["better"], outcome));
  if (as_expected)
    return {lenient || outcome.refused_results ? Verdict::lenient : Verdict::passed, ""};
  if (refused_unsafe_name(record, outcome)) return {Verdict::lenient, ""};
  const bool takes_any = has_errors(outcome.problems) || !all.contains("better");
  if (lenient && takes_any) return {Verdict::lenient, ""};
  return {Verdict::failed, *compare(record, all["expected"], outcome)};
}

}  // namespace weft::conformance
