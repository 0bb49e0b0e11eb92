#include "framework/text/records/parse_record.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "framework/io/json_bounds.h"
#include "framework/io/json_fault.h"
#include "framework/text/records/record_values.h"
#include "registry/value/json_limits.h"

namespace weft {
namespace {

// The parser's words on text that is no JSON, of which nothing is kept. Texts that it would take
// are too deep for us.
std::string fault_of(std::string_view text) {
  try {
    [[maybe_unused]] const nlohmann::json nothing = nlohmann::json::parse(
        text, [](int, nlohmann::json::parse_event_t, nlohmann::json&) { return false; });
  } catch (const nlohmann::json::exception& error) {
    return "no valid JSON: " + json_fault(error.what(), true);
  }
  return "JSON that is nested more than 512 deep";
}

// A comma, a brace or a bracket comes before nearly every value.
std::uint64_t values_of(std::string_view text) {
  return static_cast<std::uint64_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return c == ',' || c == '[' || c == '{'; }));
}

}  // namespace

Node parse_record(std::string_view text, ReadBudget& budget) {
  if (const char* beyond = beyond_json_bounds(text)) fail_record(beyond);
  budget.release_to(0);
  budget.charge(values_of(text) * sizeof(Node), "the values of a record");
  std::optional<std::string> repeated;
  std::optional<Node> value = parse_json(text, repeated);
  if (repeated) fail_record("the key \"" + *repeated + "\" is there twice");
  if (!value) fail_record(fault_of(text));
  return std::move(*value);
}

}  // namespace weft
