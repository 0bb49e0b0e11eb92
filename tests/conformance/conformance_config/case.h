// One record of the conformance suite, and what came out of running it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "registry/base/problem.h"
#include "registry/overrides/overrides.h"
#include "registry/value/config.h"

namespace weft::conformance {

using Json = nlohmann::ordered_json;

class Case {
 public:
  // `line` is one JSON object; `functions` the path of functions.json.
  Case(const std::string& line, std::string functions)
      : record_(Json::parse(line)), functions_(std::move(functions)) {}

  const Json& record() const { return record_; }
  const std::string& functions() const { return functions_; }
  std::string id() const { return record_.at("id"); }
  std::string area() const { return record_.at("area"); }
  std::string op() const { return record_.at("op"); }

  bool has(const char* field) const { return record_.contains(field); }
  std::string text(const char* field) const { return record_.value(field, std::string()); }
  bool flag(const char* field, bool otherwise) const { return record_.value(field, otherwise); }
  bool tagged(std::string_view tag) const;

 private:
  Json record_;
  std::string functions_;
};

// Only the parts that the operation produces are set. With an error among the problems the rest
// does not count.
struct Outcome {
  std::optional<Node> tree;
  std::optional<std::string> text;
  std::optional<Overrides> overrides;
  Problems problems;
  // Nothing is wrong but results of functions that do not suit the parameters they are passed to.
  bool refused_results = false;
  // The record names functions that are not registered here.
  bool skipped = false;
};

// The tree that a record's JSON stands for: $float and $int decoded, $tuple as a list.
Node to_node(const Json& json);

}  // namespace weft::conformance
