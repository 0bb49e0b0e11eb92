// Records of the token matcher.
#include "framework/matching/matcher.h"

#include <stdexcept>

#include "registry/value/json.h"
#include "tests/conformance/conformance_matcher/replay.h"

namespace weft::conformance {
namespace {

Greedy greedy_of(const Json& rule) {
  if (!rule.contains("greedy") || rule.at("greedy").is_null()) return Greedy::all;
  const auto name = rule.at("greedy").get<std::string>();
  if (name == "FIRST") return Greedy::first;
  if (name == "LONGEST") return Greedy::longest;
  throw std::runtime_error("no filter is called " + name);
}

FindOptions options_of(const Json& record) {
  FindOptions options;
  options.allow_missing = record.value("allow_missing", false);
  options.with_alignments = record.value("with_alignments", false);
  if (record.contains("span")) {
    options.tokens = {record.at("span").at(0).get<int>(), record.at("span").at(1).get<int>()};
  }
  return options;
}

}  // namespace

Json replay_matcher(const Json& record, const Setting& setting) {
  Matcher matcher(record.value("validate", true));
  for (const Json& rule : record.at("patterns")) {
    matcher.add(rule.at("key"), *parse_json(rule.at("patterns").dump()), greedy_of(rule));
  }
  Json matches = Json::array();
  const FindOptions options = options_of(record);
  for (const TokenMatch& match : matcher.find(document_of(record, setting), options)) {
    Json entry = {matcher.keys()[match.key], match.start, match.end};
    if (options.with_alignments) entry.push_back(match.alignment);
    matches.push_back(std::move(entry));
  }
  return {{"matches", std::move(matches)}};
}

}  // namespace weft::conformance
