#include "tools/annotator.h"

#include <functional>
#include <set>
#include <utility>

#include "framework/pipeline/prediction_groups.h"
#include "framework/text/ent_confidence.h"
#include "registry/base/error.h"
#include "registry/value/json.h"
#include "tools/documents.h"

namespace weft::tools {
namespace {

// A batch of fewer documents ends here. Not functions of the threads, on which no result depends.
constexpr std::size_t kTokensPerBatch = std::size_t{1} << 16;
constexpr std::size_t kFieldBytesPerBatch = std::size_t{16} << 20;

// The fields of a record that a line of the output has no fields of its own for, as `"id": 7,
// "meta": {}`. It has "spans" of its own where groups of spans are predicted.
std::string fields_of(const Node* record, bool with_spans) {
  static const auto& own =
      *new std::set<std::string, std::less<>>{"text", "tokens", "spaces", "ents", "cats"};
  std::string fields;
  if (record == nullptr || !record->is_object()) return fields;
  for (const auto& [key, value] : record->as_object()) {
    if (own.contains(key) || (key == "spans" && !with_spans)) continue;
    if (!fields.empty()) fields += ", ";
    fields += to_json_string(key, JsonText::utf8) + ": " + to_standard_json(value, JsonText::utf8);
  }
  return fields;
}

}  // namespace

void Annotator::take_record(const Node* record) {
  next_.fields = fields_of(record, true);
  next_.without_spans = fields_of(record, false);
}

void Annotator::take(const Doc& doc) {
  tokens_ += prediction_weight(static_cast<std::size_t>(doc.size()), nlp_.predicted_values());
  field_bytes_ += next_.fields.size();
  taken_.emplace_back(unannotated(doc));
  if (bad_rows_.leaves_out()) plain_.push_back(*taken_.back());
  fields_.push_back(std::exchange(next_, {}));
  if (taken_.size() >= batch_size_ || tokens_ >= kTokensPerBatch ||
      field_bytes_ >= kFieldBytesPerBatch) {
    flush();
  }
}

void Annotator::flush() {
  annotate_empty();
  for (std::size_t begin = 0; begin < taken_.size();) {
    const std::size_t end = annotate_some(begin);
    for (; begin < end; ++begin) write(begin);
  }
  alone_ = false;
  taken_.clear();
  plain_.clear();
  fields_.clear();
  tokens_ = field_bytes_ = 0;
}

void Annotator::write(std::size_t i) {
  std::optional<Doc> doc = std::exchange(taken_[i], {});
  if (!doc) return;
  if (least_ > 0) drop_ents_below(*doc, least_);
  writer_.add_with(*doc, doc->span_groups().empty() ? fields_[i].fields : fields_[i].without_spans);
  ++count_;
}

void Annotator::annotate_empty() {
  std::vector<std::size_t> places;
  std::vector<Doc*> batch;
  for (std::size_t i = 0; i < taken_.size(); ++i) {
    if (!taken_[i]->empty()) continue;
    places.push_back(i);
    batch.push_back(&*taken_[i]);
  }
  try {
    nlp_.annotate(batch, pool_);
    return;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::data || !bad_rows_.leaves_out()) throw;
  }
  for (std::size_t i : places) {
    taken_[i] = plain_[i];
    annotate_alone(taken_[i]);
  }
}

std::size_t Annotator::annotate_some(std::size_t begin) {
  const auto is_done = [this](std::size_t i) { return !taken_[i] || taken_[i]->empty(); };
  if (alone_) {
    if (!is_done(begin)) annotate_alone(taken_[begin]);
    return begin + 1;
  }
  std::vector<Doc*> batch;
  std::vector<std::size_t> places;
  for (std::size_t i = begin; i < taken_.size(); ++i) {
    if (is_done(i)) continue;
    batch.push_back(&*taken_[i]);
    places.push_back(i);
  }
  if (batch.empty()) return taken_.size();
  try {
    const std::size_t annotated = nlp_.annotate_some(batch, pool_);
    return annotated < places.size() ? places[annotated] : taken_.size();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::data || !bad_rows_.leaves_out()) throw;
  }
  for (std::size_t i : places) taken_[i] = plain_[i];
  alone_ = true;
  return begin;
}

void Annotator::annotate_alone(std::optional<Doc>& doc) {
  Doc* const alone[] = {&*doc};
  try {
    nlp_.annotate(alone, pool_);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::data) throw;
    bad_rows_.leave_out_document(error);
    doc.reset();
  }
}

}  // namespace weft::tools
