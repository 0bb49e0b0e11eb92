#include "framework/text/records/shapes.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "framework/text/records/mistyped_keys.h"
#include "framework/text/records/record_values.h"
#include "registry/base/letter_case.h"
#include "registry/base/suggest.h"
#include "registry/value/json.h"

namespace weft {
namespace {

using ShapePtr = std::unique_ptr<const RecordShape>;

// Special shapes before those that nearly everything fits.
std::array<ShapePtr, 8> all_shapes() {
  return {spacy_tuple_shape(), weft_shape(),         label_studio_shape(), label_studio_min_shape(),
          prodigy_shape(),     hugging_face_shape(), doccano_shape(),      plain_shape()};
}

// A known key that it may stand for, whatever its letter case; "" for none.
std::string likely_text_key(const std::string& key) {
  static const std::vector<std::string>& known =
      *new std::vector<std::string>{"text", "words", "tokens", "data"};
  const std::string word = lower_case(key);
  const bool is_one = std::find(known.begin(), known.end(), word) != known.end();
  if (!is_one) return suggestion(word, known);
  return word == key ? "" : word;
}

[[noreturn]] void refuse(const Node& record) {
  if (!record.is_object()) {
    fail_record("a record that is neither a JSON object nor [text, {\"entities\": …}]");
  }
  if (const Node* text = record.as_object().find("text"); text != nullptr && !text->is_string()) {
    fail_record(fmt::format("\"text\" is {}, not a text", to_standard_json(*text).substr(0, 40)));
  }
  std::string near;
  for (const auto& [key, value] : record.as_object()) {
    if (near.empty()) near = likely_text_key(key);
  }
  fail_record(
      fmt::format("a record with neither \"text\" nor \"words\"{}{}; docs/data.md shows "
                  "the shapes that are read",
                  keys_of(record), near.empty() ? "" : " (did you mean " + near + "?)"));
}

}  // namespace

std::span<const ShapePtr> record_shapes() {
  static const std::array<ShapePtr, 8>& shapes = *new std::array<ShapePtr, 8>(all_shapes());
  return shapes;
}

const RecordShape& shape_of(const Node& record) {
  for (const ShapePtr& shape : record_shapes()) {
    if (shape->recognises(record)) return *shape;
  }
  refuse(record);
}

AnnotatedRecord read_text_of(const Node& record) {
  AnnotatedRecord found;
  shape_of(record).read_text(record, found);
  return found;
}

AnnotatedRecord read_record(const Node& record, const RecordOptions& options) {
  const RecordShape& shape = shape_of(record);
  AnnotatedRecord found;
  shape.read_text(record, found);
  shape.read_annotation(record, options, found);
  refuse_mistyped_keys(record, shape, found);
  return found;
}

}  // namespace weft
