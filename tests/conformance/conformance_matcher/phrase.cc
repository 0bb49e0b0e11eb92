// Records of the phrase matcher.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "framework/matching/phrase_matcher.h"
#include "tests/conformance/conformance_matcher/replay.h"

namespace weft::conformance {
namespace {

Doc phrase_of(const Json& words, const Setting& setting) {
  return document_of({{"words", words}}, setting);
}

}  // namespace

Json replay_phrase(const Json& record, const Setting& setting) {
  const Json& attr = record.at("attr");
  PhraseMatcher matcher(attr.is_null() ? std::string("ORTH") : attr.get<std::string>());
  const Doc doc = document_of(record, setting);
  for (const Json& rule : record.at("rules")) {
    const auto key = rule.at("key").get<std::string>();
    if (rule.contains("from_tokens")) {
      const Json& tokens = rule.at("from_tokens");
      matcher.add(key, doc, {tokens.at(0).get<int>(), tokens.at(1).get<int>()});
      continue;
    }
    for (const Json& words : rule.at("phrases")) matcher.add(key, phrase_of(words, setting));
  }
  std::optional<std::pair<int, int>> span;
  if (record.contains("span")) span.emplace(record.at("span").at(0), record.at("span").at(1));
  Json matches = Json::array();
  for (const PhraseMatch& match : matcher.find(doc, span)) {
    matches.push_back({matcher.keys()[match.key], match.start, match.end});
  }
  return {{"matches", std::move(matches)}};
}

// Keys of the same tokens come in any order.
bool is_right_phrase(const Json& record, const Json& got) {
  const auto grouped = [](const Json& matches) {
    Json groups = Json::array();
    for (const Json& match : matches) {
      const Json place = {match.at(1), match.at(2)};
      if (groups.empty() || groups.back().at(0) != place) groups.push_back({place, Json::array()});
      Json& keys = groups.back().at(1);
      keys.push_back(match.at(0));
      std::sort(keys.begin(), keys.end());
    }
    return groups;
  };
  return grouped(got.at("matches")) == grouped(record.at("expect").at("matches"));
}

}  // namespace weft::conformance
