#include "framework/training/changed_words.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "framework/pipeline/language.h"
#include "framework/text/parse_tree.h"
#include "registry/base/error.h"

namespace weft {
namespace {

constexpr Attr kColumns[] = {Attr::lemma, Attr::pos,       Attr::tag,   Attr::dep,
                             Attr::morph, Attr::ent_kb_id, Attr::ent_id};

std::shared_ptr<const TokenTable> table_of(const Doc& doc, const std::vector<std::string>& words,
                                           const std::vector<bool>& spaces) {
  TokenTableBuilder builder;
  for (std::size_t i = 0; i < words.size(); ++i) {
    builder.append(words[i], doc.vocab()->lexeme(words[i]), spaces[i]);
  }
  return builder.finish();
}

// The keys that do not depend on the number of tokens.
void copy_document_annotation(const Doc& from, Doc& to) {
  to.set_strings(from.strings());
  to.set_unknown_spaces(from.has_unknown_spaces());
  to.set_cats(from.cats());
  to.set_user_data(from.user_data());
}

// A copy of a column of tokens with one value more; an empty column stays empty.
template <class T>
std::vector<T> inserted(std::span<const T> column, int position, T value) {
  std::vector<T> longer(column.begin(), column.end());
  if (!longer.empty()) longer.insert(longer.begin() + position, value);
  return longer;
}

bool is_within_entity(const Doc& doc, int position) {
  if (position < 1 || position >= doc.size()) return false;
  const Iob before = doc.ent_iob(position - 1);
  return (before == Iob::begin || before == Iob::in) && doc.ent_iob(position) == Iob::in &&
         doc.ent_type(position - 1) == doc.ent_type(position);
}

// The value of an inserted token of white space in a column that is annotated.
StringId value_of_space(const Doc& doc, Attr attr, std::string_view word) {
  StringStore& strings = doc.vocab()->strings();
  if (attr == Attr::tag) return strings.add("_SP");
  if (attr == Attr::pos) return strings.add("SPACE");
  if (attr == Attr::lemma) return strings.add(word);
  if (attr == Attr::dep) return strings.add("dep");
  return 0;
}

bool is_parsed(const Doc& doc) {
  const auto deps = doc.column(Attr::dep);
  return !deps.empty() && std::find(deps.begin(), deps.end(), StringId{0}) == deps.end();
}

// Of the tokens and one more, which hangs on the one before it, or at the start on the next.
std::vector<std::int32_t> heads_with_space(const Doc& doc, int position) {
  std::vector<std::int32_t> heads;
  for (int i = 0; i < doc.size(); ++i) {
    const int step = doc.heads().empty() ? 0 : doc.heads()[static_cast<std::size_t>(i)];
    heads.push_back(i + step);
  }
  heads.insert(heads.begin() + position, std::max(position - 1, 0));
  for (std::size_t i = 0; i < heads.size(); ++i) {
    if (heads[i] >= position) ++heads[i];
    heads[i] -= static_cast<std::int32_t>(i);
  }
  return heads;
}

}  // namespace

Doc with_words(const Doc& doc, const std::vector<std::string>& words) {
  if (words.size() != static_cast<std::size_t>(doc.size())) {
    throw Error(ErrorKind::data, fmt::format("{} words for {} tokens", words.size(), doc.size()));
  }
  std::vector<bool> spaces;
  spaces.reserve(words.size());
  for (int i = 0; i < doc.size(); ++i) spaces.push_back(doc.space(i));
  Doc changed(doc.vocab(), table_of(doc, words, spaces));
  copy_document_annotation(doc, changed);
  changed.set_sent_starts({doc.sent_starts().begin(), doc.sent_starts().end()});
  const std::span<const StringId> types = doc.column(Attr::ent_type);
  if (!doc.ent_iobs().empty()) {
    changed.set_ent_columns({doc.ent_iobs().begin(), doc.ent_iobs().end()},
                            {types.begin(), types.end()});
  }
  for (const Attr attr : kColumns) {
    const std::span<const StringId> column = doc.column(attr);
    changed.set_column(attr, {column.begin(), column.end()});
  }
  changed.set_heads({doc.heads().begin(), doc.heads().end()});
  changed.set_span_groups(doc.span_groups());
  return changed;
}

Doc with_inserted(const Doc& doc, std::string_view word, int position) {
  std::vector<std::string> words;
  std::vector<bool> spaces;
  for (int i = 0; i < doc.size(); ++i) {
    words.emplace_back(doc.word(i));
    spaces.push_back(doc.space(i));
  }
  words.insert(words.begin() + position, std::string(word));
  spaces.insert(spaces.begin() + position, false);
  Doc changed(doc.vocab(), table_of(doc, words, spaces));
  copy_document_annotation(doc, changed);
  if (doc.has_sents()) {
    changed.set_sent_starts(inserted(doc.sent_starts(), position, std::int8_t{-1}));
  }
  const bool within = is_within_entity(doc, position);
  const StringId type = within ? doc.ent_type(position) : 0;
  if (!doc.ent_iobs().empty()) {
    changed.set_ent_columns(inserted(doc.ent_iobs(), position, within ? Iob::in : Iob::out),
                            inserted(doc.column(Attr::ent_type), position, type));
  }
  const bool parsed = is_parsed(doc);
  for (const Attr attr : kColumns) {
    if (attr == Attr::dep && !parsed) continue;
    changed.set_column(attr, inserted(doc.column(attr), position, value_of_space(doc, attr, word)));
  }
  if (parsed) {
    changed.set_heads(heads_with_space(doc, position));
    changed.set_sent_starts(sent_starts_of_heads(changed.heads(), changed.column(Attr::dep)));
  }
  return changed;
}

ExamplePtr example_of(const Language& nlp, Doc reference, std::string_view text) {
  Doc predicted = nlp.make_doc(text.empty() ? reference.text() : text);
  return std::make_shared<Example>(std::move(predicted), std::move(reference));
}

}  // namespace weft
