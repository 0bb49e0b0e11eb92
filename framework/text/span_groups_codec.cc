#include "framework/text/span_groups_codec.h"

#include "framework/io/byte_cursor.h"
#include "framework/io/msgpack_reader.h"
#include "framework/io/msgpack_writer.h"
#include "framework/text/unicode.h"

namespace weft {
namespace {

constexpr std::size_t kSpanBytes = 40;  // big-endian: three u64, four i32

std::uint64_t big_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (const char c : bytes) value = value << 8 | static_cast<unsigned char>(c);
  return value;
}

void append_big_endian(std::string& bytes, std::uint64_t value, int count) {
  for (int shift = 8 * (count - 1); shift >= 0; shift -= 8) {
    bytes += static_cast<char>(value >> shift & 0xFF);
  }
}

// The characters are left to follow from the tokens.
Span unpack_span(std::string_view bytes, const Doc& doc, const ByteCursor& cursor) {
  if (bytes.size() != kSpanBytes) {
    cursor.fail("a span of " + std::to_string(bytes.size()) + " bytes instead of 40");
  }
  Span span;
  span.id = big_endian(bytes.substr(0, 8));
  span.kb_id = big_endian(bytes.substr(8, 8));
  span.label = big_endian(bytes.substr(16, 8));
  span.start = static_cast<std::int32_t>(big_endian(bytes.substr(24, 4)));
  span.end = static_cast<std::int32_t>(big_endian(bytes.substr(28, 4)));
  if (span.start < 0 || span.start > span.end || span.end > doc.size()) {
    cursor.fail("a span from token " + std::to_string(span.start) + " to " +
                std::to_string(span.end) + " in a document of " + std::to_string(doc.size()));
  }
  return span;
}

std::string checked_text(std::string_view text, const ByteCursor& cursor) {
  if (find_invalid_utf8(text)) cursor.fail("a name of a span group that is not valid UTF-8");
  return std::string(text);
}

SpanGroup unpack_group(std::string_view bytes, const std::string& name, const Doc& doc) {
  MemoryCursor cursor(bytes, name);
  MsgpackReader reader(cursor);
  SpanGroup group;
  bool have_spans = false;
  for (std::uint32_t pairs = reader.read_map(); pairs > 0; --pairs) {
    const std::string key(reader.read_str_or_bin());
    if (key == "name") {
      group.name = checked_text(reader.read_str(), cursor);
    } else if (key == "attrs") {
      group.attrs = reader.copy_value();
    } else if (key == "spans") {
      for (std::uint32_t count = reader.read_array(); count > 0; --count) {
        group.spans.push_back(unpack_span(reader.read_bin(), doc, cursor));
      }
      have_spans = true;
    } else {
      reader.skip_value();
    }
  }
  if (!have_spans) cursor.fail("a span group without spans");
  return group;
}

std::string pack_group(const SpanGroup& group, const Doc& doc) {
  MsgpackWriter writer;
  writer.map(3);
  writer.str("name");
  writer.str(group.name);
  writer.str("attrs");
  if (group.attrs.empty()) {
    writer.map(0);
  } else {
    writer.packed(group.attrs);
  }
  writer.str("spans");
  writer.array(static_cast<std::uint32_t>(group.spans.size()));
  for (const Span& span : group.spans) {
    std::string bytes;
    for (const StringId id : {span.id, span.kb_id, span.label}) append_big_endian(bytes, id, 8);
    const auto [start_char, end_char] = doc.span_chars(span.start, span.end);
    for (const std::size_t place : {static_cast<std::size_t>(span.start),
                                    static_cast<std::size_t>(span.end), start_char, end_char}) {
      append_big_endian(bytes, place, 4);
    }
    writer.bin(bytes);
  }
  return writer.take();
}

}  // namespace

void unpack_span_groups(std::string_view bytes, const std::string& name, Doc& doc) {
  if (bytes.empty()) return;
  MemoryCursor cursor(bytes, name);
  MsgpackReader reader(cursor);
  if (reader.peek() == MsgpackType::array) {  // the older layout: the key is the group's name
    for (std::uint32_t count = reader.read_array(); count > 0; --count) {
      SpanGroup group = unpack_group(reader.read_bin(), name, doc);
      std::string key = group.name;
      doc.set_span_group(std::move(key), std::move(group));
    }
    return;
  }
  for (std::uint32_t pairs = reader.read_map(); pairs > 0; --pairs) {
    const SpanGroup group = unpack_group(reader.read_bin(), name, doc);
    for (std::uint32_t keys = reader.read_array(); keys > 0; --keys) {
      doc.set_span_group(checked_text(reader.read_str(), cursor), group);
    }
  }
}

std::string pack_span_groups(const Doc& doc) {
  MsgpackWriter writer;
  if (doc.span_groups().empty()) {
    writer.array(0);
    return writer.take();
  }
  std::vector<std::pair<std::string, std::vector<std::string_view>>> values;
  for (const auto& [key, group] : doc.span_groups()) {
    std::string value = pack_group(group, doc);
    auto same = values.begin();
    while (same != values.end() && same->first != value) ++same;
    if (same == values.end()) same = values.insert(same, {std::move(value), {}});
    same->second.push_back(key);
  }
  writer.map(static_cast<std::uint32_t>(values.size()));
  for (const auto& [value, keys] : values) {
    writer.bin(value);
    writer.array(static_cast<std::uint32_t>(keys.size()));
    for (const std::string_view key : keys) writer.str(key);
  }
  return writer.take();
}

}  // namespace weft
