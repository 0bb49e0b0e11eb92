#include "tests/conformance/conformance_config/operations.h"

#include <map>

#include "registry/base/error.h"

namespace weft::conformance {
namespace {

std::map<std::string_view, Operation>& known() {
  static std::map<std::string_view, Operation> operations;
  return operations;
}

}  // namespace

Operations::Operations(std::initializer_list<std::pair<std::string_view, Operation>> operations) {
  for (const auto& operation : operations) known().insert(operation);
}

Operation find_operation(const Case& record) {
  const auto found = known().find(record.op());
  return found == known().end() ? nullptr : found->second;
}

Outcome perform(Operation operation, const Case& record) {
  try {
    return operation(record);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::plugin) throw;  // no record is to blame
    Outcome outcome;
    outcome.problems = error.problems();
    if (outcome.problems.empty()) {
      Problem problem;
      problem.message = error.what();
      outcome.problems.push_back(problem);
    }
    return outcome;
  }
}

}  // namespace weft::conformance
