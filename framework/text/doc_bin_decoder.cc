#include "framework/text/doc_bin_decoder.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "framework/io/msgpack_reader.h"
#include "framework/text/category_codec.h"
#include "framework/text/parse_tree.h"
#include "framework/text/span_groups_codec.h"
#include "registry/error.h"

namespace weft {

DocBinReader::Decoder::Decoder(Contents& contents, std::shared_ptr<const Vocab> vocab,
                               std::string path)
    : contents_(contents), vocab_(std::move(vocab)), path_(std::move(path)), places_(64) {}

void DocBinReader::Decoder::fail(const std::string& message) const {
  throw Error(ErrorKind::data, message, Origin::file(std::make_shared<std::string>(path_), 0, 0));
}

std::uint32_t DocBinReader::Decoder::index_of(StringId orth) {
  const std::size_t mask = places_.size() - 1;
  std::size_t place = orth & mask;
  while (places_[place].orth != orth) {
    if (places_[place].orth == 0) return add_word(orth);
    place = (place + 1) & mask;
  }
  return places_[place].index;
}

std::uint32_t DocBinReader::Decoder::add_word(StringId orth) {
  const auto text = contents_.strings->find(orth);
  if (!text) fail("no text is known for the word " + std::to_string(orth));
  words_.push_back(token_word(*text, vocab_->lexeme(*text, orth)));
  const bool full = 2 * words_.size() > places_.size();
  if (full) places_.assign(2 * places_.size(), {});
  const auto put = [&](std::uint32_t index) {
    const std::size_t mask = places_.size() - 1;
    std::size_t place = words_[index].orth & mask;
    while (places_[place].orth != 0) place = (place + 1) & mask;
    places_[place] = {words_[index].orth, index};
  };
  const auto last = static_cast<std::uint32_t>(words_.size() - 1);
  for (std::uint32_t i = full ? 0 : last; i <= last; ++i) put(i);
  return last;
}

void DocBinReader::Decoder::forget_words() {
  words_.clear();
  std::fill(places_.begin(), places_.end(), Place());
}

void DocBinReader::Decoder::read_rows(std::size_t length) {
  const std::size_t width = contents_.attrs.size();
  length_ = length;
  any_.assign(width, 0);
  rows_ = contents_.tokens.cursor->take(length * width * sizeof(StringId)).data();
  constexpr std::size_t kAtOnce = 16;  // columns
  for (std::size_t first = 0; first < width; first += kAtOnce) {
    const std::size_t count = std::min(kAtOnce, width - first);
    std::array<StringId, kAtOnce> any = {};
    const char* row = rows_ + first * sizeof(StringId);
    for (std::size_t i = 0; i < length; ++i, row += width * sizeof(StringId)) {
      for (std::size_t column = 0; column < count; ++column) {
        StringId value;
        std::memcpy(&value, row + column * sizeof value, sizeof value);
        any[column] |= value;
      }
    }
    std::copy_n(any.begin(), count, any_.begin() + static_cast<std::ptrdiff_t>(first));
  }
}

bool DocBinReader::Decoder::has_column(Attr attr) const {
  const auto& attrs = contents_.attrs;
  return std::find(attrs.begin(), attrs.end(), static_cast<std::uint32_t>(attr)) != attrs.end();
}

std::vector<StringId> DocBinReader::Decoder::column(Attr attr) const {
  const auto& attrs = contents_.attrs;
  const auto found = std::find(attrs.begin(), attrs.end(), static_cast<std::uint32_t>(attr));
  if (found == attrs.end()) return {};
  const auto number = static_cast<std::size_t>(found - attrs.begin());
  if (any_[number] == 0) return {};
  std::vector<StringId> values(length_);
  const char* next = rows_ + number * sizeof(StringId);
  for (StringId& value : values) {
    std::memcpy(&value, next, sizeof value);
    next += attrs.size() * sizeof(StringId);
  }
  return values;
}

std::shared_ptr<const TokenTable> DocBinReader::Decoder::read_tokens(std::size_t length,
                                                                     bool unknown_spaces) {
  read_rows(length);
  if (words_.size() >= kWords) forget_words();
  const std::vector<StringId> orths = column(Attr::orth);
  if (orths.size() != length) fail("a token with an empty text");
  tokens_.resize(length);
  for (std::size_t i = 0; i < length; ++i) {
    if (orths[i] == 0) fail("a token with an empty text");
    tokens_[i] = index_of(orths[i]);
  }
  const std::string_view spaces = contents_.spaces.cursor->take(length);
  auto table = table_of_words(words_, tokens_, column(Attr::norm),
                              unknown_spaces ? std::string_view() : spaces);
  own_strings_ = own_strings_ || table->has_own_norms();
  return table;
}

bool DocBinReader::Decoder::read_flags() {
  if (!contents_.flags.cursor) return false;
  MsgpackReader reader(*contents_.flags.cursor);
  bool unknown_spaces = false;
  for (std::uint32_t pairs = reader.read_map(); pairs > 0; --pairs) {
    const std::string key(reader.read_str_or_bin());
    if (key == "has_unknown_spaces") {
      unknown_spaces = reader.read_bool();
    } else {
      reader.skip_value();
    }
  }
  return unknown_spaces;
}

// Labels outlive the document: components collect them.
void DocBinReader::Decoder::learn_names(std::span<const StringId> ids) {
  for (const StringId id : ids) {
    if (id == 0 || !known_names_.insert(id).second) continue;
    const auto text = contents_.strings->find(id);
    if (!text) fail("no text is known for the label " + std::to_string(id));
    vocab_->strings().add(*text);
  }
}

void DocBinReader::Decoder::read_columns(Doc& doc) {
  for (const Attr attr : {Attr::tag, Attr::dep, Attr::pos}) {
    std::vector<StringId> ids = column(attr);
    learn_names(ids);
    doc.set_column(attr, std::move(ids));
  }
  for (const Attr attr : {Attr::lemma, Attr::morph, Attr::ent_kb_id, Attr::ent_id}) {
    std::vector<StringId> ids = column(attr);
    own_strings_ = own_strings_ || !ids.empty();
    doc.set_column(attr, std::move(ids));
  }
}

void DocBinReader::Decoder::read_sents(Doc& doc) {
  std::vector<std::int32_t> heads;
  for (const StringId value : column(Attr::head)) {
    heads.push_back(static_cast<std::int32_t>(static_cast<std::uint32_t>(value)));
  }
  doc.set_heads(heads);
  const std::span<const StringId> deps = doc.column(Attr::dep);
  if (has_column(Attr::head) && !deps.empty()) {
    heads.resize(length_, 0);
    doc.set_sent_starts(sent_starts_of_heads(heads, deps));
    return;
  }
  if (!has_column(Attr::sent_start)) return;
  std::vector<StringId> values = column(Attr::sent_start);
  values.resize(length_, 0);
  std::vector<std::int8_t> starts;
  for (const StringId value : values) {
    const auto number = static_cast<std::int64_t>(value);
    starts.push_back(static_cast<std::int8_t>((number > 0) - (number < 0)));
  }
  doc.set_sent_starts(std::move(starts));
}

void DocBinReader::Decoder::read_ents(Doc& doc) {
  std::vector<StringId> types = column(Attr::ent_type);
  learn_names(types);
  const std::vector<StringId> values = column(Attr::ent_iob);
  if (values.empty()) {
    doc.set_column(Attr::ent_type, std::move(types));
    return;
  }
  std::vector<Iob> iobs;
  bool open = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] > static_cast<StringId>(Iob::begin)) {
      fail("token " + std::to_string(i) + " has the entity mark " + std::to_string(values[i]) +
           "; 0 to 3 have a meaning");
    }
    const auto iob = static_cast<Iob>(values[i]);
    if (iob == Iob::in && !open) {
      fail("token " + std::to_string(i) + " is inside an entity that no token begins");
    }
    open = iob == Iob::in || (iob == Iob::begin && !types.empty() && types[i] != 0);
    iobs.push_back(iob);
  }
  doc.set_ent_columns(std::move(iobs), std::move(types));
}

void DocBinReader::Decoder::read_extras(Doc& doc) {
  MsgpackReader cats(*contents_.cats.cursor);
  read_cats(cats, doc);
  if (!contents_.span_groups.cursor) return;
  MsgpackReader groups(*contents_.span_groups.cursor);
  unpack_span_groups(groups.read_bin(), path_, doc);
  for (const auto& [key, group] : doc.span_groups()) {
    for (const Span& span : group.spans) {
      learn_names({&span.label, 1});
      own_strings_ = own_strings_ || span.id != 0 || span.kb_id != 0;
    }
  }
}

void DocBinReader::Decoder::read_user_data(Doc& doc, std::size_t number) {
  if (number >= contents_.user_data.size) return;
  MsgpackReader reader(*contents_.user_data.cursor);
  if (reader.peek() == MsgpackType::nil) return reader.read_nil();
  std::string packed(reader.read_bin());
  MemoryCursor cursor(packed, path_);
  MsgpackReader inner(cursor);
  if (inner.peek() != MsgpackType::map) fail("user data that is no map");
  inner.skip_value();
  if (!cursor.at_end()) fail("bytes behind the user data");
  doc.set_user_data(std::move(packed));
}

Doc DocBinReader::Decoder::decode(std::size_t number) {
  own_strings_ = false;
  const bool unknown_spaces = read_flags();
  const auto length = static_cast<std::size_t>(contents_.lengths[number]);
  Doc doc(vocab_, read_tokens(length, unknown_spaces));
  doc.set_unknown_spaces(unknown_spaces);
  read_columns(doc);
  read_sents(doc);
  read_ents(doc);
  read_extras(doc);
  read_user_data(doc, number);
  if (own_strings_) doc.set_strings(contents_.strings);
  return doc;
}

}  // namespace weft
