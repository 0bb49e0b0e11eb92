// Whether an outcome is what a record expects.
#pragma once

#include <string>

#include "tests/conformance/conformance_config/case.h"
#include "tests/conformance/counting/record_tally.h"

namespace weft::conformance {

struct Judgement {
  Verdict verdict;
  std::string fault;  // with expected and got; "" unless it failed
};

// `better` is as good as `expected`. Accepted without being compared: a record that is `lenient`,
// which takes any error, and where nothing better is known any result; an unsafe name that was
// refused; results of functions that were.
Judgement judge(const Case& record, const Outcome& outcome);

}  // namespace weft::conformance
