#include "framework/matching/token_test.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace weft {
namespace {

std::string name_of(const TokenTest& test) {
  std::string name = fmt::format("{} {} {}", test.mask, test.flags, test.never);
  for (const TokenTest::Equal& equal : test.equals) {
    name += fmt::format(" {}={}", static_cast<std::uint32_t>(equal.attr), equal.value);
  }
  for (const std::uint32_t predicate : test.predicates) name += fmt::format(" {}", predicate);
  return name;
}

}  // namespace

std::uint32_t TestTable::add(TokenTest test) {
  std::sort(test.equals.begin(), test.equals.end());
  std::sort(test.predicates.begin(), test.predicates.end());
  const auto number = static_cast<std::uint32_t>(tests_.size());
  const auto [place, added] = tests_by_name_.try_emplace(name_of(test), number);
  if (added) tests_.push_back(std::move(test));
  return place->second;
}

std::uint32_t TestTable::add(Predicate predicate, const std::string& name) {
  const auto number = static_cast<std::uint32_t>(predicates_.size());
  const auto [place, added] = predicates_by_name_.try_emplace(name, number);
  if (added) predicates_.push_back(std::move(predicate));
  return place->second;
}

std::int64_t TestTable::find(const std::string& name) const {
  const auto found = predicates_by_name_.find(name);
  return found == predicates_by_name_.end() ? -1 : std::int64_t{found->second};
}

}  // namespace weft
