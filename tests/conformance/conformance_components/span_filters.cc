// Records of the functions that choose among spans.
#include <string>
#include <vector>

#include "framework/text/span_filter.h"
#include "framework/text/string_store.h"
#include "tests/conformance/conformance_components/document.h"
#include "tests/conformance/conformance_components/records.h"

namespace weft::conformance {
namespace {

std::vector<Span> spans_of(const Json& json, StringTable& strings) {
  std::vector<Span> spans;
  for (const Json& span : json) {
    spans.push_back({span.at(0), span.at(1), strings.add(span.at(2).get<std::string>())});
  }
  return spans;
}

Json json_of(const std::vector<Span>& spans, const StringTable& strings) {
  Json list = Json::array();
  for (const Span& span : spans) {
    list.push_back({span.start, span.end, *strings.find(span.label)});
  }
  return list;
}

std::vector<Span> filtered(const std::string& name, const std::vector<Span>& base,
                           const std::vector<Span>& spans) {
  if (name == "filter_spans") return first_longest_spans({}, spans);
  if (name == "first_longest_spans_filter") return first_longest_spans(base, spans);
  if (name == "prioritize_new_ents_filter") return prioritise_new_spans(base, spans);
  return prioritise_base_spans(base, spans);
}

}  // namespace

void replay_span_filters(const std::filesystem::path& file, const Catalogue&, Checks& checks) {
  for_each_line(file, [&](int, const Json& record) {
    StringTable strings;
    const auto base = spans_of(record.at("entities"), strings);
    const auto spans = spans_of(record.at("spans"), strings);
    Json got = Json::object();
    for (const auto& [name, _] : record.at("expect").items()) {
      got[name] = json_of(filtered(name, base, spans), strings);
    }
    checks.equal(record.at("id"), "filters", got, record.at("expect"));
  });
}

}  // namespace weft::conformance
