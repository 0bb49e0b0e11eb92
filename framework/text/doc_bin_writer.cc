#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "framework/io/atomic_file.h"
#include "framework/text/category_codec.h"
#include "framework/text/doc_bin.h"
#include "framework/text/doc_bin_contents.h"
#include "framework/text/span_groups_codec.h"
#include "registry/base/error.h"

namespace weft {
namespace {

constexpr std::string_view kNoUserData = "\x80";  // an empty map

// The order in which spaCy writes columns.
std::vector<Attr> in_order(std::vector<Attr> attrs) {
  std::erase_if(attrs, [](Attr attr) { return attr == Attr::orth || attr == Attr::spacy; });
  std::sort(attrs.begin(), attrs.end());
  attrs.erase(std::unique(attrs.begin(), attrs.end()), attrs.end());
  attrs.insert(attrs.begin(), Attr::orth);
  return attrs;
}

std::string flags_of_doc(const Doc& doc) {
  MsgpackWriter writer;
  writer.map(1);
  writer.str("has_unknown_spaces");
  writer.boolean(doc.has_unknown_spaces());
  return writer.take();
}

std::string packed_bin(std::string_view bytes) {
  MsgpackWriter writer;
  writer.bin(bytes);
  return writer.take();
}

// A text that repeats itself packs so well that the file would look like a forged one, which
// readers refuse.
void check_readable(std::string_view lengths, std::uint64_t bytes) {
  std::uint64_t all = 0;
  for (std::size_t at = 0; at < lengths.size(); at += sizeof(std::int32_t)) {
    std::int32_t length = 0;
    std::memcpy(&length, lengths.data() + at, sizeof length);
    const auto tokens = static_cast<std::uint64_t>(length);
    if (tokens > DocBinLimits::most_of_doc(bytes)) {
      throw Error(ErrorKind::data,
                  fmt::format("a document of {} tokens packs into {} bytes, and readers take at "
                              "most {} tokens for a document in a file of that size; cut it up",
                              tokens, bytes, DocBinLimits::most_of_doc(bytes)));
    }
    all += tokens;
  }
  if (all <= DocBinLimits::most_of_all(bytes)) return;
  throw Error(ErrorKind::data,
              fmt::format("{} tokens pack into {} bytes, and readers take at most {} in a file of "
                          "that size; write several files",
                          all, bytes, DocBinLimits::most_of_all(bytes)));
}

}  // namespace

DocBinWriter::DocBinWriter(std::vector<Attr> attrs) : attrs_(in_order(std::move(attrs))) {}

FullDocBin::FullDocBin()
    : Error(ErrorKind::data,
            "the tokens of one .spacy file take at most 4 GiB; several files in a folder can be "
            "used as one corpus") {}

bool DocBinWriter::fits(const Doc& doc) const {
  // The format has the tokens of all documents as one binary value, whose size has 32 bits.
  const std::uint64_t added = static_cast<std::uint64_t>(doc.size()) * attrs_.size() * 8;
  return tokens_.size() + added <= std::numeric_limits<std::uint32_t>::max();
}

void DocBinWriter::add_string(const Doc& doc, StringId id) {
  if (!known_.insert(id).second) return;
  strings_.emplace_back(doc.string(id));
}

void DocBinWriter::add_strings(const Doc& doc) {
  // Reading needs the text of every identifier. Most words were seen before, which the set tells
  // without making a string.
  const std::span<const StringId> norms = doc.attr_ids(Attr::norm);
  const std::span<const StringId> orths = doc.attr_ids(Attr::orth);
  for (int i = 0; i < doc.size(); ++i) {
    if (known_.insert(orths[i]).second) strings_.emplace_back(doc.word(i));
    if (known_.insert(norms[i]).second) strings_.push_back(doc.norm(i));
  }
  for (const Attr attr : {Attr::tag, Attr::lemma, Attr::morph, Attr::dep, Attr::ent_type,
                          Attr::ent_kb_id, Attr::ent_id}) {
    for (const StringId id : doc.column(attr)) add_string(doc, id);
  }
  for (const auto& [key, group] : doc.span_groups()) {
    for (const Span& span : group.spans) {
      add_string(doc, span.label);
      // Identifiers of spans may be numbers that stand for no text.
      for (const StringId id : {span.kb_id, span.id}) {
        if (doc.find_string(id)) add_string(doc, id);
      }
    }
  }
}

void DocBinWriter::add_cats(const Doc& doc) {
  MsgpackWriter writer;
  write_cats(doc, writer);
  cats_.append(writer.bytes());
}

void DocBinWriter::add_span_groups(const Doc& doc) {
  span_groups_.append(packed_bin(pack_span_groups(doc)));
}

void DocBinWriter::add(const Doc& doc) {
  if (!fits(doc)) throw FullDocBin();
  // The empty string is in every file that spaCy writes, whether it is used or not.
  if (docs_ == 0) known_.insert(0), strings_.emplace_back();
  add_strings(doc);
  // The file has a row for each token, the document a column for each attribute.
  std::vector<StringId> rows(static_cast<std::size_t>(doc.size()) * attrs_.size());
  for (std::size_t column = 0; column < attrs_.size(); ++column) {
    const std::vector<StringId> values = doc.attr_values(attrs_[column]);
    for (std::size_t i = 0; i < values.size(); ++i) rows[i * attrs_.size() + column] = values[i];
  }
  tokens_.append({reinterpret_cast<const char*>(rows.data()), rows.size() * sizeof(StringId)});
  const std::span<const std::uint8_t> spaces = doc.tokens()->spaces();
  spaces_.append({reinterpret_cast<const char*>(spaces.data()), spaces.size()});
  const auto length = static_cast<std::int32_t>(doc.size());
  lengths_.append(reinterpret_cast<const char*>(&length), sizeof length);
  add_cats(doc);
  flags_.append(flags_of_doc(doc));
  add_span_groups(doc);
  any_user_data_ = any_user_data_ || !doc.user_data().empty();
  user_data_.append(packed_bin(doc.user_data().empty() ? kNoUserData : doc.user_data()));
  ++docs_;
}

std::string DocBinWriter::to_bytes() {
  DeflateStream stream;
  MsgpackWriter head;
  // Sections were deflated as the documents came; only what stands between them is made here, so
  // that the tokens are never in memory as a whole.
  const auto flush = [&] { stream.add(head.take()); };
  const auto add_bin = [&](const char* key, DeflateSection& section) {
    head.str(key);
    head.bin_size(section.size());
    flush();
    stream.add(section);
  };
  const auto add_list = [&](const char* key, DeflateSection& section) {
    head.str(key);
    head.array(static_cast<std::uint32_t>(docs_));
    flush();
    stream.add(section);
  };
  // As in spaCy's files: the same documents give the same bytes, in any order of their words.
  std::sort(strings_.begin(), strings_.end());
  head.map(any_user_data_ ? 10 : 9);
  head.str("version");
  head.str("0.1");
  head.str("attrs");
  head.array(static_cast<std::uint32_t>(attrs_.size()));
  for (const Attr attr : attrs_) head.integer(static_cast<std::int64_t>(attr));
  add_bin("tokens", tokens_);
  add_bin("spaces", spaces_);
  head.str("lengths");
  head.bin(lengths_);
  head.str("strings");
  head.array(static_cast<std::uint32_t>(strings_.size()));
  for (const std::string& text : strings_) head.str(text);
  flush();
  add_list("cats", cats_);
  add_list("flags", flags_);
  add_list("span_groups", span_groups_);
  if (any_user_data_) add_list("user_data", user_data_);
  std::string bytes = stream.finish();
  check_readable(lengths_, bytes.size());
  DocBinWriter empty(attrs_);
  *this = std::move(empty);
  return bytes;
}

void DocBinWriter::write(const std::string& path) {
  write_file(path, to_bytes());
}

}  // namespace weft
