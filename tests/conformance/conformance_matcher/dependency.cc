// Records of the dependency matcher.
#include "framework/matching/dependency_matcher.h"
#include "registry/value/json.h"
#include "tests/conformance/conformance_matcher/replay.h"

namespace weft::conformance {

Json replay_dependency(const Json& record, const Setting& setting) {
  DependencyMatcher matcher;
  for (const Json& rule : record.at("patterns")) {
    matcher.add(rule.at("key"), *parse_json(rule.at("patterns").dump()));
  }
  Json matches = Json::array();
  for (const TreeMatch& match : matcher.find(document_of(record, setting))) {
    matches.push_back({matcher.keys()[match.key], match.tokens});
  }
  return {{"matches", std::move(matches)}};
}

}  // namespace weft::conformance
