#include "framework/pipeline/annotation_message.h"

#include <cstdint>
#include <cstring>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "framework/comm/comm_error.h"
#include "framework/text/copy_annotation.h"
#include "framework/text/doc_strings.h"

namespace weft {
namespace {

template <class T>
void write_array(MessageWriter& message, std::span<const T> values) {
  message.put<std::uint64_t>(values.size());
  message.put_bytes(values.data(), values.size_bytes());
}

template <class T>
std::vector<T> read_array(MessageReader& message, std::size_t most) {
  const auto count = message.get<std::uint64_t>();
  if (count > most) throw PeerLost("a rank sent annotation that does not fit its document");
  const std::string_view bytes = message.get_bytes(count * sizeof(T));
  std::vector<T> values(count);
  if (count > 0) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

// ---- texts of ids

std::set<StringId> ids_of(const Doc& doc) {
  std::set<StringId> ids;
  for (const Attr attr : kAnnotationColumns) {
    const auto column = doc.column(attr);
    ids.insert(column.begin(), column.end());
  }
  for (const auto& [_, group] : doc.span_groups()) {
    for (const Span& span : group.spans) ids.insert({span.label, span.kb_id, span.id});
  }
  return ids;
}

void write_texts(MessageWriter& message, const Doc& doc) {
  std::vector<std::string_view> texts;
  for (const StringId id : ids_of(doc)) {
    const auto text = doc.find_string(id);
    if (id > kSymbolCount && text) texts.push_back(*text);
  }
  message.put<std::uint64_t>(texts.size());
  for (const std::string_view text : texts) message.put_text(text);
}

void read_texts(MessageReader& message, Doc& doc) {
  DocStrings strings;
  for (auto count = message.get<std::uint64_t>(); count > 0; --count) {
    strings.add(message.get_text());
  }
  strings.give_to(doc);
}

// ---- categories

void write_cats(MessageWriter& message, const Doc& doc) {
  message.put<std::uint64_t>(doc.cats().size());
  for (const TextCategory& cat : doc.cats()) {
    message.put_text(cat.label);
    message.put(static_cast<std::uint8_t>(cat.value.index()));
    std::visit([&](auto value) { message.put(value); }, cat.value);
  }
}

CategoryValue read_value(MessageReader& message) {
  switch (message.get<std::uint8_t>()) {
    case 0:
      return message.get<double>();
    case 1:
      return message.get<std::int64_t>();
    default:
      return message.get<std::uint8_t>() != 0;
  }
}

void read_cats(MessageReader& message, Doc& doc) {
  std::vector<TextCategory> cats;
  for (auto count = message.get<std::uint64_t>(); count > 0; --count) {
    std::string label = message.get_text();
    cats.push_back({std::move(label), read_value(message)});
  }
  doc.set_cats(std::move(cats));
}

// ---- span groups

void write_span_groups(MessageWriter& message, const Doc& doc) {
  message.put<std::uint64_t>(doc.span_groups().size());
  for (const auto& [key, group] : doc.span_groups()) {
    message.put_text(key);
    message.put_text(group.name);
    message.put_text(group.attrs);
    message.put<std::uint64_t>(group.spans.size());
    for (const Span& span : group.spans) message.put(span);
  }
}

void read_span_groups(MessageReader& message, Doc& doc) {
  SpanGroups groups;
  for (auto count = message.get<std::uint64_t>(); count > 0; --count) {
    auto& [key, group] = groups.emplace_back();
    key = message.get_text();
    group.name = message.get_text();
    group.attrs = message.get_text();
    for (auto spans = message.get<std::uint64_t>(); spans > 0; --spans) {
      group.spans.push_back(message.get<Span>());
    }
  }
  doc.set_span_groups(std::move(groups));
}

}  // namespace

void write_annotation(MessageWriter& message, const Doc& doc) {
  write_texts(message, doc);
  write_array(message, doc.sent_starts());
  write_array(message, doc.ent_iobs());
  for (const Attr attr : kAnnotationColumns) write_array(message, doc.column(attr));
  write_array(message, doc.heads());
  write_cats(message, doc);
  write_span_groups(message, doc);
  message.put_text(doc.user_data());
}

void read_annotation(MessageReader& message, Doc& doc) {
  const auto size = static_cast<std::size_t>(doc.size());
  read_texts(message, doc);
  doc.set_sent_starts(read_array<std::int8_t>(message, size));
  std::vector<Iob> iobs = read_array<Iob>(message, size);
  for (const Attr attr : kAnnotationColumns) {
    std::vector<StringId> ids = read_array<StringId>(message, size);
    // Entities are set as a whole.
    if (attr == Attr::ent_type && !iobs.empty()) {
      doc.set_ent_columns(std::exchange(iobs, {}), std::move(ids));
    } else {
      doc.set_column(attr, std::move(ids));
    }
  }
  doc.set_heads(read_array<std::int32_t>(message, size));
  read_cats(message, doc);
  read_span_groups(message, doc);
  doc.set_user_data(message.get_text());
}

}  // namespace weft
