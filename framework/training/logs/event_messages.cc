#include "framework/training/logs/event_messages.h"

#include <bit>

#include "framework/text/printable.h"
#include "framework/training/logs/logged_values.h"
#include "registry/value/json.h"

namespace weft {
namespace {

// Fields of an Event, a Summary and its Value.
constexpr int kWallTime = 1, kStep = 2, kVersion = 3, kSummary = 5;
constexpr int kValue = 1;
constexpr int kTag = 1, kSimpleValue = 2, kTensor = 8, kMetadata = 9;
// Of a TensorProto.
constexpr int kType = 1, kShape = 2, kContent = 4, kStrings = 8;
constexpr int kFloat = 1, kDouble = 2, kString = 7;  // its types
constexpr int kTensorData = 2;                       // the class of what plugins show

ProtoMessage metadata(std::string_view plugin, std::string_view content = {}) {
  ProtoMessage data;
  data.text(1, plugin);
  if (!content.empty()) data.text(2, content);
  return ProtoMessage().message(1, data).integer(4, kTensorData);
}

ProtoMessage shape(std::initializer_list<std::size_t> sizes) {
  ProtoMessage shape;
  for (const std::size_t size : sizes) {
    shape.message(2, ProtoMessage().integer(1, static_cast<std::int64_t>(size)));
  }
  return shape;
}

ProtoMessage hparams_value(std::string_view tag, const ProtoMessage& content) {
  const ProtoMessage tensor = ProtoMessage().integer(kType, kFloat).message(kShape, shape({0}));
  return ProtoMessage()
      .text(kTag, tag)
      .message(kTensor, tensor)
      .message(kMetadata, metadata("hparams", content.bytes()));
}

// A google.protobuf.Value.
ProtoMessage setting(const Node& node) {
  ProtoMessage value;
  if (node.is_bool()) return value.integer(4, node.as_bool() ? 1 : 0);
  if (node.is_float()) return value.number(2, node.as_float());
  if (const auto* whole = std::get_if<std::int64_t>(&node.value())) {
    return value.number(2, static_cast<double>(*whole));
  }
  return value.text(3, node.is_string() ? printable_lines(node.as_string()) : to_json(node));
}

}  // namespace

ProtoMessage scalar_value(std::string_view tag, double value) {
  return ProtoMessage().text(kTag, tag).single(kSimpleValue, value);
}

ProtoMessage text_value(std::string_view tag, std::string_view markdown) {
  const ProtoMessage tensor =
      ProtoMessage().integer(kType, kString).message(kShape, shape({1})).text(kStrings, markdown);
  return ProtoMessage()
      .text(kTag, tag)
      .message(kTensor, tensor)
      .message(kMetadata, metadata("text"));
}

ProtoMessage histogram_value(std::string_view tag, std::span<const HistogramBucket> buckets) {
  std::string content;
  for (const HistogramBucket& bucket : buckets) {
    for (const double number : {bucket.left, bucket.right, bucket.count}) {
      append_bytes(content, std::bit_cast<std::uint64_t>(number), 8);
    }
  }
  const ProtoMessage tensor = ProtoMessage()
                                  .integer(kType, kDouble)
                                  .message(kShape, shape({buckets.size(), 3}))
                                  .text(kContent, content);
  return ProtoMessage()
      .text(kTag, tag)
      .message(kTensor, tensor)
      .message(kMetadata, metadata("histograms"));
}

ProtoMessage settings_value(const Object& settings, double start_seconds) {
  ProtoMessage start;
  for (const LoggedValue& leaf : leaves_of(settings)) {
    start.message(1, ProtoMessage().text(1, leaf.name()).message(2, setting(leaf.value)));
  }
  start.number(5, start_seconds);
  return hparams_value("_hparams_/session_start_info", ProtoMessage().message(3, start));
}

ProtoMessage session_end_value(SessionStatus status, double end_seconds) {
  const ProtoMessage end =
      ProtoMessage().integer(1, static_cast<std::int64_t>(status)).number(2, end_seconds);
  return hparams_value("_hparams_/session_end_info", ProtoMessage().message(4, end));
}

ProtoMessage version_event(double seconds) {
  return ProtoMessage().number(kWallTime, seconds).text(kVersion, "brain.Event:2");
}

ProtoMessage summary_event(double seconds, std::int64_t step,
                           std::span<const ProtoMessage> values) {
  ProtoMessage summary;
  for (const ProtoMessage& value : values) summary.message(kValue, value);
  return ProtoMessage().number(kWallTime, seconds).integer(kStep, step).message(kSummary, summary);
}

}  // namespace weft
