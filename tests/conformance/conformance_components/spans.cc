#include "tests/conformance/conformance_components/spans.h"

#include <cstring>

#include "framework/io/byte_cursor.h"
#include "framework/io/msgpack_reader.h"

namespace weft::conformance {
namespace {

Json spans_of(const SpanGroup& group, const Doc& doc) {
  Json spans = Json::array();
  for (const Span& span : group.spans) {
    spans.push_back({span.start, span.end, doc.string(span.label)});
  }
  return spans;
}

// The array of f32 that a group keeps under "scores": its numbers and its shape; null: none.
struct StoredScores {
  Json numbers, shape;
};

StoredScores scores_of(const SpanGroup& group) {
  StoredScores stored;
  if (group.attrs.empty()) return stored;
  MemoryCursor cursor(group.attrs, "scores");
  MsgpackReader in(cursor);
  in.read_map();
  in.read_str_or_bin();
  for (std::uint32_t pairs = in.read_map(); pairs > 0; --pairs) {
    const std::string key(in.read_str_or_bin());
    if (key == "data") {
      const std::string_view bytes = in.read_bin();
      std::vector<float> numbers(bytes.size() / sizeof(float));
      if (!numbers.empty()) std::memcpy(numbers.data(), bytes.data(), bytes.size());
      stored.numbers = numbers;
    } else if (key == "shape") {
      stored.shape = Json::array();
      for (std::uint32_t axes = in.read_array(); axes > 0; --axes) {
        stored.shape.push_back(in.read_integer());
      }
    } else {
      in.skip_value();
    }
  }
  return stored;
}

}  // namespace

void set_spans(Doc& doc, const std::string& key, const Json& spans) {
  SpanGroup group{key, {}, {}};
  for (const Json& span : spans) {
    const StringId label = doc.vocab()->strings().add(span.at(2).get<std::string>());
    group.spans.push_back({span.at(0), span.at(1), label});
  }
  doc.set_span_group(key, std::move(group));
}

void set_reference_spans(Doc& doc, const Json& reference) {
  if (reference.contains("spans")) {
    for (const char* key : {"found", "sc", "pre"}) set_spans(doc, key, reference.at("spans"));
  }
  if (reference.contains("ents")) set_spans(doc, "one", reference.at("ents"));
}

void set_candidates(Doc& doc, const Json& line) {
  if (line.contains("cand")) set_spans(doc, "cand", line.at("cand"));
}

Json json_of(const std::vector<TokenRange>& spans) {
  Json list = Json::array();
  for (const TokenRange& span : spans) list.push_back({span.start, span.end});
  return list;
}

void check_group(const std::string& record, const SpanGroup& group, const Doc& doc,
                 const Json& wanted, double limit, Checks& checks) {
  checks.equal(record, group.name + " spans", spans_of(group, doc), wanted.at("spans"));
  const StoredScores stored = scores_of(group);
  checks.equal(record, group.name + " scores_shape", stored.shape,
               wanted.value("scores_shape", Json()));
  checks.near(record, group.name + " scores", stored.numbers, wanted.value("scores", Json()),
              limit);
}

}  // namespace weft::conformance
