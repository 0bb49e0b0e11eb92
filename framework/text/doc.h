// A document: its tokens and what is said about them.
//
//   auto vocab = std::make_shared<weft::Vocab>("en");
//   weft::Doc doc = weft::Doc::from_words(vocab, {"New", "York", "!"}, {true, false, false});
//   doc.set_ents({{0, 2, vocab->strings().add("GPE")}});
//
// Source of the meanings: spaCy 3.8, docs/tokenizer.md and docs/spacy-formats.md.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "framework/text/span.h"
#include "framework/text/string_store.h"
#include "framework/text/token_table.h"
#include "framework/text/vocab.h"
#include "registry/base/export.h"

namespace weft {

// A token's place in an entity. `begin` with no type means blocked: never part of an entity.
enum class Iob : std::uint8_t { missing = 0, in = 1, out = 2, begin = 3 };

// The marks that `set_ents` gives to tokens that no span covers.
enum class EntsDefault { outside, missing, blocked, unmodified };

// A text category's value keeps the type it was given with.
using CategoryValue = std::variant<double, std::int64_t, bool>;
struct TextCategory {
  std::string label;
  CategoryValue value;
  bool operator==(const TextCategory&) const = default;
};

// Copies share the tokens. Const functions may be called by several threads at once.
class WEFT_API Doc {
 public:
  // No tokens.
  explicit Doc(std::shared_ptr<const Vocab> vocab);
  // The first token starts a sentence, as after tokenization.
  Doc(std::shared_ptr<const Vocab> vocab, std::shared_ptr<const TokenTable> tokens);
  // From words and whether a space follows each. Without `spaces` the spacing is unknown and every
  // word gets one. Throws Error(data) for an empty or invalid word, or when the counts differ.
  static Doc from_words(std::shared_ptr<const Vocab> vocab, std::span<const std::string> words,
                        std::span<const bool> spaces = {});
  static Doc from_words(std::shared_ptr<const Vocab> vocab,
                        std::initializer_list<std::string_view> words,
                        std::initializer_list<bool> spaces = {});

  // ---- tokens
  int size() const { return static_cast<int>(tokens_->size()); }
  bool empty() const { return size() == 0; }
  const std::shared_ptr<const Vocab>& vocab() const { return vocab_; }
  const std::shared_ptr<const TokenTable>& tokens() const { return tokens_; }
  std::string_view text() const { return tokens_->text(); }
  std::string_view word(int i) const { return tokens_->word(place(i)); }
  bool space(int i) const { return tokens_->space(place(i)); }
  bool is_space(int i) const { return has_flag(i, Attr::is_space); }
  bool has_flag(int i, Attr flag) const { return (tokens_->flags(place(i)) & flag_bit(flag)) != 0; }
  // The columns that feature extraction reads: orth, norm, prefix, suffix, shape; size() ids each.
  std::span<const StringId> attr_ids(Attr attr) const { return tokens_->ids(attr); }
  // Any attribute as numbers, also those that are not stored: flags are 0 or 1, heads and sentence
  // starts two's complement. Takes time for `lower` and `length`.
  std::vector<StringId> attr_values(Attr attr) const;
  // The text of a token's norm, its own one included.
  std::string norm(int i) const;
  // The spacing was not given: `text` has a space behind every word.
  bool has_unknown_spaces() const { return unknown_spaces_; }
  void set_unknown_spaces(bool unknown) { unknown_spaces_ = unknown; }

  // The text of tokens [start, end) without a space behind the last; a view into text().
  std::string_view span_text(int start, int end) const;
  // The characters of tokens [start, end) as offsets into text(), in code points; for an empty span
  // the start of token `start`, or the end of the text.
  std::pair<std::size_t, std::size_t> span_chars(int start, int end) const;
  // The tokens that cover exactly these characters, as (start, end), or (-1, -1).
  std::pair<int, int> char_span(std::size_t start_char, std::size_t end_char) const;

  // ---- strings
  // The text of an id that occurs in this document. Throws Error(data) where it is unknown.
  std::string_view string(StringId id) const;
  std::optional<std::string_view> find_string(StringId id) const;
  // Strings that only this document (or its file) needs and that the vocab shall not keep for ever:
  // lemmas, own norms, ids of entities. Looked at before those of the vocab.
  void set_strings(std::shared_ptr<const StringTable> strings) { strings_ = std::move(strings); }
  const std::shared_ptr<const StringTable>& strings() const { return strings_; }

  // ---- sentences
  // Per token: 1 starts a sentence, -1 does not, 0 unknown.
  std::span<const std::int8_t> sent_starts() const { return sent_starts_; }
  // Throws Error(data) unless there is one value per token.
  void set_sent_starts(std::vector<std::int8_t> starts);
  // Some token after the first says whether it starts a sentence (or there is at most one token).
  bool has_sents() const;
  // Sentences as (start, end): cut before every token with 1.
  std::vector<std::pair<int, int>> sents() const;

  // ---- entities
  // Empty where nothing was ever annotated.
  std::span<const Iob> ent_iobs() const { return ent_iobs_; }
  Iob ent_iob(int i) const { return ent_iobs_.empty() ? Iob::missing : ent_iobs_[place(i)]; }
  StringId ent_type(int i) const { return value(Attr::ent_type, i); }
  // Some token is not missing, or there is no token.
  bool has_ents() const;
  // Entities in order. Throws Error(data) where a token is inside and no entity is open.
  std::vector<Span> ents() const;
  // Replaces the annotation of the covered tokens, and of all others as `otherwise` says. Spans
  // without label are left out. Throws Error(data) where two spans share a token or one is out of
  // range.
  void set_ents(std::span<const Span> ents, EntsDefault otherwise = EntsDefault::outside,
                std::span<const Span> blocked = {}, std::span<const Span> missing = {},
                std::span<const Span> outside = {});
  void set_ents(std::initializer_list<Span> ents, EntsDefault otherwise = EntsDefault::outside) {
    set_ents(std::span<const Span>(ents.begin(), ents.size()), otherwise);
  }
  // The columns as they are; `repair_ents` is left to the caller.
  void set_ent_columns(std::vector<Iob> iobs, std::vector<StringId> types);
  // Repairs entities as spaCy does after every annotation: one that goes on after nothing or with
  // another type begins instead. The first token is not looked at.
  void repair_ents();

  // ---- further columns: lemma, pos, tag, dep, morph, ent_type, ent_kb_id, ent_id
  // Empty where not set.
  std::span<const StringId> column(Attr attr) const;
  StringId value(Attr attr, int i) const;
  // One id per token; an empty vector takes the column away.
  void set_column(Attr attr, std::vector<StringId> ids);
  // Relative: head minus token. Empty where not set.
  std::span<const std::int32_t> heads() const { return heads_; }
  // Throws Error(data) where a head lies outside.
  void set_heads(std::vector<std::int32_t> relative);

  // ---- of the whole document
  const SpanGroups& span_groups() const { return span_groups_; }
  const SpanGroup* span_group(std::string_view key) const;
  // Throws Error(data) for a span that does not lie in the document, as the next one does.
  void set_span_group(std::string key, SpanGroup group);
  // All at once, in the place of those that are there. No key may come twice.
  void set_span_groups(SpanGroups groups);
  const std::vector<TextCategory>& cats() const { return cats_; }
  // Replaces the value of a label that is there.
  void set_cat(std::string label, CategoryValue value);
  // All at once, in the place of those that are there; takes the last value of a label that comes
  // several times, at its first place.
  void set_cats(std::vector<TextCategory> cats);
  // A msgpack map of the user's own, kept as it was read; empty = none.
  const std::string& user_data() const { return user_data_; }
  void set_user_data(std::string packed) { user_data_ = std::move(packed); }

  // Tokens [start, end) with their annotation. Tokens of an entity that an edge cuts are missing;
  // arcs that it cuts go where part_of_tree says, with the label "dep"; span groups keep the spans
  // that lie inside; categories and user data stay behind.
  Doc slice(int start, int end) const;
  // The same tokens with the norms of their words and no annotation: what a model is given for
  // training on given words.
  Doc words_only() const;

 private:
  static constexpr std::size_t place(int i) { return static_cast<std::size_t>(i); }
  std::vector<StringId>& own_column(Attr attr);
  void unset_cut_ents(bool cut_at_end);
  void mark(const Span& span, Iob first, Iob rest, std::vector<bool>& seen);

  std::shared_ptr<const Vocab> vocab_;
  std::shared_ptr<const TokenTable> tokens_;
  std::shared_ptr<const StringTable> strings_;
  std::vector<std::int8_t> sent_starts_;
  std::vector<Iob> ent_iobs_;
  std::vector<std::pair<Attr, std::vector<StringId>>> columns_;
  std::vector<std::int32_t> heads_;
  SpanGroups span_groups_;
  std::vector<TextCategory> cats_;
  std::string user_data_;
  bool unknown_spaces_ = false;
};

}  // namespace weft
