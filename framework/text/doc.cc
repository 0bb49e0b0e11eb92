#include "framework/text/doc.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>
#include <memory>
#include <string>

#include "framework/text/parse_tree.h"
#include "registry/base/error.h"
#include "registry/base/seeded_hash.h"

namespace weft {
namespace {

std::string count_of(std::size_t count, std::string_view what) {
  return std::to_string(count) + " " + std::string(what);
}

template <typename Word>
std::shared_ptr<const TokenTable> table_of(const Vocab& vocab, std::span<const Word> words,
                                           std::span<const bool> spaces) {
  if (!spaces.empty() && spaces.size() != words.size()) {
    throw Error(ErrorKind::data, count_of(words.size(), "words") + " but " +
                                     count_of(spaces.size(), "values for the spaces behind them"));
  }
  TokenTableBuilder builder;
  for (std::size_t i = 0; i < words.size(); ++i) {
    builder.append(words[i], vocab.lexeme(words[i]), spaces.empty() || spaces[i]);
  }
  return builder.finish();
}

void refuse_outside(const SpanGroup& group, int size) {
  for (const Span& span : group.spans) {
    if (span.start >= 0 && span.start <= span.end && span.end <= size) continue;
    throw Error(ErrorKind::data, "the span " + std::to_string(span.start) + " to " +
                                     std::to_string(span.end) + " of the group \"" + group.name +
                                     "\" does not lie in a document of " +
                                     count_of(static_cast<std::size_t>(size), "tokens"));
  }
}

// Where labels stand in a list: open addressing in twice as many slots. A text classifier gives
// each document all its labels, and nodes of a map would take a third of its time.
class LabelPlaces {
 public:
  explicit LabelPlaces(std::size_t labels) : slots_(std::bit_ceil(2 * labels + 1), kFree) {}

  // The place of an equal label that was taken in before; else `place`, whose label is now.
  std::size_t take(const std::vector<TextCategory>& cats, std::size_t place) {
    const std::string& label = cats[place].label;
    std::size_t slot = SeededHash()(label);
    while (true) {
      std::size_t& known = slots_[slot & (slots_.size() - 1)];
      if (known == kFree) return known = place;
      if (cats[known].label == label) return known;
      ++slot;
    }
  }

 private:
  static constexpr std::size_t kFree = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> slots_;
};

// An arc that was cut has the label "dep", and sentences follow from the roots then (spaCy's
// Span.as_doc).
void set_tree(Doc& part, PartOfTree tree) {
  part.set_heads(std::move(tree.heads));
  if (tree.cut.empty()) return;
  const std::span<const StringId> own = part.column(Attr::dep);
  std::vector<StringId> deps(own.begin(), own.end());
  deps.resize(static_cast<std::size_t>(part.size()), 0);
  for (const int token : tree.cut) {
    deps[static_cast<std::size_t>(token)] = part.vocab()->strings().add("dep");
  }
  part.set_sent_starts(sent_starts_of_heads(part.heads(), deps));
  part.set_column(Attr::dep, std::move(deps));
}

}  // namespace

Doc::Doc(std::shared_ptr<const Vocab> vocab)
    : vocab_(std::move(vocab)), tokens_(std::make_shared<TokenTable>()) {}

Doc::Doc(std::shared_ptr<const Vocab> vocab, std::shared_ptr<const TokenTable> tokens)
    : vocab_(std::move(vocab)), tokens_(std::move(tokens)), sent_starts_(tokens_->size(), 0) {
  if (!sent_starts_.empty()) sent_starts_[0] = 1;
}

Doc Doc::from_words(std::shared_ptr<const Vocab> vocab, std::span<const std::string> words,
                    std::span<const bool> spaces) {
  auto tokens = table_of(*vocab, words, spaces);
  Doc doc(std::move(vocab), std::move(tokens));
  doc.unknown_spaces_ = spaces.empty() && !words.empty();
  return doc;
}

Doc Doc::from_words(std::shared_ptr<const Vocab> vocab,
                    std::initializer_list<std::string_view> words,
                    std::initializer_list<bool> spaces) {
  auto tokens = table_of(*vocab, std::span(words.begin(), words.size()),
                         std::span(spaces.begin(), spaces.size()));
  Doc doc(std::move(vocab), std::move(tokens));
  doc.unknown_spaces_ = spaces.size() == 0 && words.size() != 0;
  return doc;
}

// Norms that follow from the word are not stored: they are made again, and compared by their id.
std::string Doc::norm(int i) const {
  const StringId id = attr_ids(Attr::norm)[i];
  if (const auto known = find_string(id)) return std::string(*known);
  std::string plain = vocab_->norm_of(word(i));
  if (string_id(plain) == id) return plain;
  throw Error(ErrorKind::data, "the norm of \"" + std::string(word(i)) + "\" has an unknown text");
}

std::string_view Doc::span_text(int start, int end) const {
  if (start >= end) return {};
  const std::size_t first = tokens_->byte_start(start);
  const std::size_t last = tokens_->byte_start(end - 1) + word(end - 1).size();
  return text().substr(first, last - first);
}

std::pair<std::size_t, std::size_t> Doc::span_chars(int start, int end) const {
  const std::size_t first = start < size() ? tokens_->char_start(start) : tokens_->char_size();
  return {first, start < end ? tokens_->char_end(end - 1) : first};
}

std::pair<int, int> Doc::char_span(std::size_t start_char, std::size_t end_char) const {
  const int first = tokens_->token_starting_at(start_char);
  const int last = tokens_->token_ending_at(end_char);
  if (first < 0 || last < first) return {-1, -1};
  return {first, last + 1};
}

std::optional<std::string_view> Doc::find_string(StringId id) const {
  if (strings_) {
    if (const auto text = strings_->find(id)) return text;
  }
  return vocab_->strings().find(id);
}

std::string_view Doc::string(StringId id) const {
  if (const auto text = find_string(id)) return *text;
  throw Error(ErrorKind::data, "no text is known for the string id " + std::to_string(id));
}

void Doc::set_sent_starts(std::vector<std::int8_t> starts) {
  if (starts.size() != tokens_->size()) {
    throw Error(ErrorKind::data, count_of(starts.size(), "sentence starts") + " for " +
                                     count_of(tokens_->size(), "tokens"));
  }
  sent_starts_ = std::move(starts);
}

bool Doc::has_sents() const {
  if (size() <= 1) return true;
  return std::any_of(sent_starts_.begin() + 1, sent_starts_.end(),
                     [](std::int8_t start) { return start != 0; });
}

std::vector<std::pair<int, int>> Doc::sents() const {
  std::vector<std::pair<int, int>> sentences;
  int start = 0;
  for (int i = 1; i <= size(); ++i) {
    if (i < size() && sent_starts_[i] != 1) continue;
    sentences.emplace_back(start, i);
    start = i;
  }
  return sentences;
}

std::span<const StringId> Doc::column(Attr attr) const {
  for (const auto& [name, ids] : columns_) {
    if (name == attr) return ids;
  }
  return {};
}

StringId Doc::value(Attr attr, int i) const {
  const std::span<const StringId> ids = column(attr);
  return ids.empty() ? 0 : ids[i];
}

void Doc::set_column(Attr attr, std::vector<StringId> ids) {
  if (!ids.empty() && ids.size() != tokens_->size()) {
    throw Error(ErrorKind::data,
                count_of(ids.size(), "values") + " for " + count_of(tokens_->size(), "tokens"));
  }
  std::erase_if(columns_, [&](const auto& entry) { return entry.first == attr; });
  if (!ids.empty()) columns_.emplace_back(attr, std::move(ids));
}

std::vector<StringId>& Doc::own_column(Attr attr) {
  for (auto& [name, ids] : columns_) {
    if (name == attr) return ids;
  }
  return columns_.emplace_back(attr, std::vector<StringId>(tokens_->size(), 0)).second;
}

void Doc::set_heads(std::vector<std::int32_t> relative) {
  for (std::size_t i = 0; i < relative.size(); ++i) {
    const std::int64_t head = static_cast<std::int64_t>(i) + relative[i];
    if (relative.size() != tokens_->size() || head < 0 || head >= size()) {
      throw Error(ErrorKind::data, "the head of token " + std::to_string(i) + " is token " +
                                       std::to_string(head) + " of " + std::to_string(size()));
    }
  }
  heads_ = std::move(relative);
}

const SpanGroup* Doc::span_group(std::string_view key) const {
  for (const auto& [name, group] : span_groups_) {
    if (name == key) return &group;
  }
  return nullptr;
}

void Doc::set_span_group(std::string key, SpanGroup group) {
  refuse_outside(group, size());
  for (auto& [name, present] : span_groups_) {
    if (name != key) continue;
    present = std::move(group);
    return;
  }
  span_groups_.emplace_back(std::move(key), std::move(group));
}

void Doc::set_span_groups(SpanGroups groups) {
  for (const auto& [key, group] : groups) refuse_outside(group, size());
  span_groups_ = std::move(groups);
}

void Doc::set_cat(std::string label, CategoryValue value) {
  for (TextCategory& cat : cats_) {
    if (cat.label != label) continue;
    cat.value = value;
    return;
  }
  cats_.push_back({std::move(label), value});
}

void Doc::set_cats(std::vector<TextCategory> cats) {
  LabelPlaces places(cats.size());
  std::size_t kept = 0;
  for (std::size_t i = 0; i < cats.size(); ++i) {
    if (i != kept) cats[kept] = std::move(cats[i]);
    const std::size_t place = places.take(cats, kept);
    if (place == kept) {
      ++kept;
    } else {
      cats[place].value = cats[kept].value;
    }
  }
  cats.erase(cats.begin() + static_cast<std::ptrdiff_t>(kept), cats.end());
  cats_ = std::move(cats);
}

Doc Doc::words_only() const {
  Doc doc(vocab_, tokens_->has_own_norms() ? tokens_->with_plain_norms(*vocab_) : tokens_);
  doc.unknown_spaces_ = unknown_spaces_;
  return doc;
}

// Half an entity is none: tokens whose entity begins before the part, or goes on behind it, count
// as not annotated.
void Doc::unset_cut_ents(bool cut_at_end) {
  const int size = static_cast<int>(ent_iobs_.size());
  const auto unset = [&](int i) {
    ent_iobs_[i] = Iob::missing;
    if (!column(Attr::ent_type).empty()) own_column(Attr::ent_type)[i] = 0;
  };
  if (cut_at_end && size > 0) {
    int first = size - 1;
    while (first > 0 && ent_iobs_[first] == Iob::in) --first;
    for (int i = first; i < size; ++i) unset(i);
  }
  for (int i = 0; i < size && ent_iobs_[i] == Iob::in; ++i) unset(i);
}

Doc Doc::slice(int start, int end) const {
  Doc part(vocab_, tokens_->slice(start, end));
  const auto cut = [&](const auto& from) {
    using Column = std::decay_t<decltype(from)>;
    return from.empty() ? Column() : Column(from.begin() + start, from.begin() + end);
  };
  part.strings_ = strings_;
  part.unknown_spaces_ = unknown_spaces_;
  part.sent_starts_ = cut(sent_starts_);
  part.ent_iobs_ = cut(ent_iobs_);
  for (const auto& [attr, ids] : columns_) part.columns_.emplace_back(attr, cut(ids));
  part.unset_cut_ents(end < static_cast<int>(ent_iobs_.size()) && ent_iobs_[end] == Iob::in);
  if (!heads_.empty()) set_tree(part, part_of_tree(heads_, column(Attr::dep), start, end));
  for (const auto& [key, group] : span_groups_) {
    SpanGroup inside{group.name, group.attrs, {}};
    for (Span span : group.spans) {
      if (span.start < start || span.end > end) continue;
      span.start -= start;
      span.end -= start;
      inside.spans.push_back(span);
    }
    part.span_groups_.emplace_back(key, std::move(inside));
  }
  return part;
}

}  // namespace weft
