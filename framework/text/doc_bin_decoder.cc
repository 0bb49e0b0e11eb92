#include "framework/text/doc_bin_decoder.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "framework/io/msgpack_reader.h"
#include "framework/text/category_codec.h"
#include "framework/text/parse_tree.h"
#include "framework/text/span_groups_codec.h"
#include "registry/base/error.h"
#include "registry/base/seeded_hash.h"

namespace weft {

DocBinReader::Decoder::Decoder(Contents& contents, std::shared_ptr<const Vocab> vocab,
                               std::string path)
    : contents_(contents),
      vocab_(std::move(vocab)),
      path_(std::move(path)),
      held_(contents.budget.used()),
      places_(64) {}

void DocBinReader::Decoder::fail(const std::string& message) const {
  throw Error(ErrorKind::data, message, Origin::file(std::make_shared<std::string>(path_), 0, 0));
}

// A word form's attributes are computed once for the file and shared by its tokens. The hash has a
// seed of the process: the maker of a file cannot choose ids that all meet in one place.
std::uint32_t DocBinReader::Decoder::index_of(StringId orth) {
  const std::size_t mask = places_.size() - 1;
  std::size_t place = seeded_hash(orth) & mask;
  while (places_[place].orth != orth) {
    if (places_[place].orth == 0) return add_word(orth);
    place = (place + 1) & mask;
  }
  return places_[place].index;
}

TokenWord DocBinReader::Decoder::word_of(StringId orth) const {
  if (orth == 0) fail("a token with an empty text");
  const auto text = contents_.strings->find(orth);
  if (!text) fail("no text is known for the word " + std::to_string(orth));
  TokenWord word = token_word(*text, vocab_->lexeme(*text, orth));
  word.padded = orth > kSymbolCount;  // a reserved name is none of the table's
  return word;
}

// The table doubles when it is half full, so a search passes few places on average.
std::uint32_t DocBinReader::Decoder::add_word(StringId orth) {
  words_.push_back(word_of(orth));
  const bool full = 2 * words_.size() > places_.size();
  if (full) places_.assign(2 * places_.size(), {});
  const auto put = [&](std::uint32_t index) {
    const std::size_t mask = places_.size() - 1;
    std::size_t place = seeded_hash(words_[index].orth) & mask;
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

// Rows and columns of the file, the document's own columns and what they are made from.
void DocBinReader::Decoder::charge_tokens(std::size_t length) {
  constexpr std::uint64_t kToken = 128;  // bytes, and for each column:
  constexpr std::uint64_t kValue = 2 * sizeof(StringId);
  contents_.budget.charge(length * (kToken + kValue * contents_.attrs.size()), "its tokens");
}

// The words of a document are shared, so that its text may be far longer than all of them.
void DocBinReader::Decoder::charge_text(std::span<const TokenWord> words,
                                        std::span<const std::uint32_t> tokens) {
  constexpr std::uint64_t kSmall = std::uint64_t{1} << 20;  // not worth counting
  // A writer of the document as a line holds the text and the words once more, and of characters
  // that are escaped six bytes each.
  constexpr std::uint64_t kTextCopies = 12;
  if (tokens.size() * (contents_.longest_string + 1) <= kSmall) return;
  std::uint64_t bytes = 0;
  for (const std::uint32_t token : tokens) bytes += words[token].size;
  contents_.budget.charge(bytes * kTextCopies, "its text");
}

// Columns without a value are told from the others here, once, so that they are never copied: most
// files have several, and an empty column stands for zeros.
void DocBinReader::Decoder::next_rows(std::size_t length) {
  first_ += length_;
  length_ = length;
  present_.assign(contents_.attrs.size(), false);
  if (!contents_.rows) return read_rows();
  const std::uint64_t with_values = contents_.rows->columns_with_values(first_, length);
  for (std::size_t column = 0; column < present_.size(); ++column) {
    present_[column] = (with_values >> column & 1) != 0;
  }
}

void DocBinReader::Decoder::read_rows() {
  const std::size_t width = contents_.attrs.size();
  rows_ = contents_.tokens.cursor->take(length_ * width * sizeof(StringId)).data();
  // One pass over the rows for 16 columns: all values of a column are OR-ed, in registers.
  constexpr std::size_t kAtOnce = 16;  // columns
  for (std::size_t first = 0; first < width; first += kAtOnce) {
    const std::size_t count = std::min(kAtOnce, width - first);
    std::array<StringId, kAtOnce> any = {};
    const char* row = rows_ + first * sizeof(StringId);
    for (std::size_t i = 0; i < length_; ++i, row += width * sizeof(StringId)) {
      for (std::size_t column = 0; column < count; ++column) {
        StringId value;
        std::memcpy(&value, row + column * sizeof value, sizeof value);
        any[column] |= value;
      }
    }
    for (std::size_t column = 0; column < count; ++column) {
      present_[first + column] = any[column] != 0;
    }
  }
}

std::optional<std::size_t> DocBinReader::Decoder::column_number(Attr attr) const {
  const auto& attrs = contents_.attrs;
  const auto found = std::find(attrs.begin(), attrs.end(), static_cast<std::uint32_t>(attr));
  if (found == attrs.end()) return std::nullopt;
  return static_cast<std::size_t>(found - attrs.begin());
}

std::vector<StringId> DocBinReader::Decoder::column(Attr attr) const {
  const auto number = column_number(attr);
  if (!number || !present_[*number]) return {};
  std::vector<StringId> values(length_);
  if (contents_.rows) {
    contents_.rows->copy_column(*number, first_, values);
    return values;
  }
  const char* next = rows_ + *number * sizeof(StringId);
  for (StringId& value : values) {
    std::memcpy(&value, next, sizeof value);
    next += contents_.attrs.size() * sizeof(StringId);
  }
  return values;
}

// In memory the rows are stored as numbers of distinct words, each with its norm and lemma.
TokenWord DocBinReader::Decoder::word_of_row(std::uint32_t number) const {
  TokenWord word = word_of(contents_.rows->word_value(number, *column_number(Attr::orth)));
  const auto norms = column_number(Attr::norm);
  const StringId norm = norms ? contents_.rows->word_value(number, *norms) : 0;
  if (norm == 0) return word;
  word.own_norm = norm != word.norm;
  word.norm = norm;
  return word;
}

std::shared_ptr<const TokenTable> DocBinReader::Decoder::table_of_rows(std::string_view spaces) {
  row_words_.resize(contents_.rows->word_count());
  const auto numbers = contents_.rows->words().subspan(first_, length_);
  for (const std::uint32_t number : numbers) {
    if (row_words_[number].orth == 0) row_words_[number] = word_of_row(number);
  }
  charge_text(row_words_, numbers);
  return table_of_words(row_words_, numbers, {}, spaces);
}

std::shared_ptr<const TokenTable> DocBinReader::Decoder::table_of_columns(std::string_view spaces) {
  if (words_.size() >= kWords) forget_words();
  const std::vector<StringId> orths = column(Attr::orth);
  if (orths.size() != length_) fail("a token with an empty text");
  tokens_.resize(length_);
  for (std::size_t i = 0; i < length_; ++i) {
    if (orths[i] == 0) fail("a token with an empty text");
    tokens_[i] = index_of(orths[i]);
  }
  charge_text(words_, tokens_);
  return table_of_words(words_, tokens_, column(Attr::norm), spaces);
}

std::shared_ptr<const TokenTable> DocBinReader::Decoder::read_tokens(std::size_t length,
                                                                     bool unknown_spaces) {
  next_rows(length);
  std::string_view spaces = contents_.spaces.cursor->take(length);
  if (unknown_spaces) spaces = {};
  auto table = contents_.rows ? table_of_rows(spaces) : table_of_columns(spaces);
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
  StringId last = 0;
  for (const StringId id : ids) {
    if (id == 0 || id == last) continue;
    last = id;
    if (!known_names_.insert(id).second) continue;
    const auto text = contents_.strings->find(id);
    if (!text) fail("no text is known for the label " + std::to_string(id));
    vocab_->strings().add(*text);
  }
}

// Labels go to the vocab for good, as there are few of them. Lemmas and features may be as many as
// words: the document keeps the file's strings for those instead.
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

// Heads are signed 32-bit numbers in unsigned 64 bits. A file with a parse has no sentence marks of
// its own in spaCy's eyes: they follow from the roots.
void DocBinReader::Decoder::read_sents(Doc& doc) {
  std::vector<std::int32_t> heads;
  for (const StringId value : column(Attr::head)) {
    heads.push_back(static_cast<std::int32_t>(static_cast<std::uint32_t>(value)));
  }
  doc.set_heads(heads);
  const std::span<const StringId> deps = doc.column(Attr::dep);
  if (column_number(Attr::head) && !deps.empty()) {
    heads.resize(length_, 0);
    doc.set_sent_starts(sent_starts_of_heads(heads, deps));
    return;
  }
  if (!column_number(Attr::sent_start)) return;
  const std::vector<StringId> values = column(Attr::sent_start);
  std::vector<std::int8_t> starts(length_, 0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto number = static_cast<std::int64_t>(values[i]);
    starts[i] = static_cast<std::int8_t>((number > 0) - (number < 0));
  }
  doc.set_sent_starts(std::move(starts));
}

// Marks are checked here, so that code behind this may rely on entities that begin before they go
// on. A begin without a type is a blocked token and opens nothing.
void DocBinReader::Decoder::read_ents(Doc& doc) {
  std::vector<StringId> types = column(Attr::ent_type);
  learn_names(types);
  const std::vector<StringId> values = column(Attr::ent_iob);
  if (values.empty()) {
    doc.set_column(Attr::ent_type, std::move(types));
    return;
  }
  std::vector<Iob> iobs(values.size());
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
    iobs[i] = iob;
  }
  doc.set_ent_columns(std::move(iobs), std::move(types));
}

void DocBinReader::Decoder::read_extras(Doc& doc) {
  MsgpackReader cats(*contents_.cats.cursor);
  read_cats(cats, contents_.budget, doc);
  if (!contents_.span_groups.cursor) return;
  MsgpackReader groups(*contents_.span_groups.cursor);
  unpack_span_groups(groups.read_bin(), path_, contents_.budget, doc);
  for (const auto& [key, group] : doc.span_groups()) {
    for (const Span& span : group.spans) {
      learn_names({&span.label, 1});
      own_strings_ = own_strings_ || span.id != 0 || span.kb_id != 0;
    }
  }
}

// User data is the writer's own, in msgpack with types that only Python knows; it is passed on as
// it is, once it is known to be one whole map.
void DocBinReader::Decoder::read_user_data(Doc& doc, std::size_t number) {
  if (number >= contents_.user_data.size) return;
  MsgpackReader reader(*contents_.user_data.cursor);
  if (reader.peek() == MsgpackType::nil) return reader.read_nil();
  const std::string_view bytes = reader.read_bin();
  contents_.budget.charge(bytes.size(), "its user data");
  std::string packed(bytes);
  MemoryCursor cursor(packed, path_);
  MsgpackReader inner(cursor);
  if (inner.peek() != MsgpackType::map) fail("user data that is no map");
  inner.skip_value();
  if (!cursor.at_end()) fail("bytes behind the user data");
  doc.set_user_data(std::move(packed));
}

// The order of reading is that of the cursors, each of which stands in its own array of the file:
// every document takes its part of each of them, also of those that it does not need.
Doc DocBinReader::Decoder::decode(std::size_t number) {
  own_strings_ = false;
  contents_.budget.release_to(held_);
  const bool unknown_spaces = read_flags();
  const auto length = static_cast<std::size_t>(contents_.lengths[number]);
  charge_tokens(length);
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
