#include "framework/text/span_groups_codec.h"

#include <unordered_map>
#include <utility>
#include <vector>

#include "framework/io/byte_cursor.h"
#include "framework/io/msgpack_reader.h"
#include "framework/io/msgpack_writer.h"
#include "framework/text/printable.h"
#include "framework/unicode/unicode.h"
#include "registry/base/seeded_hash.h"

namespace weft {
namespace {

// Names go along with every sentence that a document is cut into.
constexpr std::size_t kLongestName = 4096;
constexpr std::size_t kLongestAttrs = std::size_t{1} << 20;
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
// spaCy's layout is Python's struct ">QQQllll": id, kb_id, label, then the tokens and the
// characters of start and end.
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
  if (text.size() > kLongestName) cursor.fail("a name of a span group of more than 4096 bytes");
  if (find_invalid_utf8(text)) cursor.fail("a name of a span group that is not valid UTF-8");
  return std::string(text);
}

// Bytes that a group takes under one key.
std::uint64_t size_of(const SpanGroup& group) {
  return sizeof(SpanGroups::value_type) + group.name.size() + group.attrs.size() +
         group.spans.size() * sizeof(Span);
}

// The groups of a document by key, in the order in which the keys came first.
class GroupsByKey {
 public:
  explicit GroupsByKey(ReadBudget& budget) : budget_(budget) {}

  // False where the key is there already; its group is replaced then.
  bool set(std::string key, SpanGroup group) {
    budget_.charge(2 * key.size() + kPlace + size_of(group), "its span groups");
    const auto [place, added] = places_.try_emplace(key, groups_.size());
    if (added) {
      groups_.emplace_back(std::move(key), std::move(group));
    } else {
      groups_[place->second].second = std::move(group);
    }
    return added;
  }

  SpanGroups take() { return std::move(groups_); }

 private:
  static constexpr std::uint64_t kPlace = 256;  // in the map, and while the list grows

  ReadBudget& budget_;
  SpanGroups groups_;
  std::unordered_map<std::string, std::size_t, SeededHash> places_;
};

SpanGroup unpack_group(std::string_view bytes, const std::string& name, ReadBudget& budget,
                       const Doc& doc) {
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
      if (group.attrs.size() > kLongestAttrs) {
        cursor.fail("attributes of a span group of more than 1 MiB");
      }
    } else if (key == "spans") {
      for (std::uint32_t count = reader.read_array(); count > 0; --count) {
        budget.charge(2 * sizeof(Span), "its span groups");  // the list doubles as it grows
        group.spans.push_back(unpack_span(reader.read_bin(), doc, cursor));
      }
      have_spans = true;
    } else {
      reader.skip_value();
    }
  }
  cursor.require_end();
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

void unpack_span_groups(std::string_view bytes, const std::string& name, ReadBudget& budget,
                        Doc& doc) {
  if (bytes.empty()) return;
  GroupsByKey groups(budget);
  MemoryCursor cursor(bytes, name);
  MsgpackReader reader(cursor);
  if (reader.peek() == MsgpackType::array) {  // the older layout: the key is the group's name
    for (std::uint32_t count = reader.read_array(); count > 0; --count) {
      SpanGroup group = unpack_group(reader.read_bin(), name, budget, doc);
      std::string key = group.name;
      groups.set(std::move(key), std::move(group));
    }
    cursor.require_end();
    return doc.set_span_groups(groups.take());
  }
  for (std::uint32_t pairs = reader.read_map(); pairs > 0; --pairs) {
    const SpanGroup group = unpack_group(reader.read_bin(), name, budget, doc);
    for (std::uint32_t keys = reader.read_array(); keys > 0; --keys) {
      std::string key = checked_text(reader.read_str(), cursor);
      if (!groups.set(key, group)) {
        cursor.fail("the span group \"" + printable_brief(key) + "\" is there twice");
      }
    }
  }
  cursor.require_end();
  doc.set_span_groups(groups.take());
}

std::string pack_span_groups(const Doc& doc) {
  MsgpackWriter writer;
  if (doc.span_groups().empty()) {
    writer.array(0);
    return writer.take();
  }
  // Groups are compared by their packed bytes; the order is that in which their keys came first.
  std::unordered_map<std::string, std::size_t, SeededHash> places;  // of the packed groups
  std::vector<std::pair<const std::string*, std::vector<std::string_view>>> values;
  for (const auto& [key, group] : doc.span_groups()) {
    const auto [place, added] = places.try_emplace(pack_group(group, doc), values.size());
    if (added) values.push_back({&place->first, {}});
    values[place->second].second.push_back(key);
  }
  writer.map(static_cast<std::uint32_t>(values.size()));
  for (const auto& [value, keys] : values) {
    writer.bin(*value);
    writer.array(static_cast<std::uint32_t>(keys.size()));
    for (const std::string_view key : keys) writer.str(key);
  }
  return writer.take();
}

}  // namespace weft
