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

// Slots of a row, by their number among those that are free (Fenwick, 1994).
class FreeSlots {
 public:
  explicit FreeSlots(int count) : sums_(static_cast<std::size_t>(count) + 1) {
    for (int i = 1; i <= count; ++i) sums_[at(i)] = i & -i;
    while (largest_ * 2 <= count) largest_ *= 2;
  }

  int find(int number) const {
    int slot = 0;
    for (int step = largest_; step > 0; step /= 2) {
      const int next = slot + step;
      if (at(next) >= sums_.size() || sums_[at(next)] > number) continue;
      slot = next;
      number -= sums_[at(next)];
    }
    return slot;
  }

  void take(int slot) {
    for (int i = slot + 1; at(i) < sums_.size(); i += i & -i) --sums_[at(i)];
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  std::vector<int> sums_;
  int largest_ = 1;  // power of two within the count
};

// Where all tokens stand in the end.
struct Layout {
  static constexpr int kNone = -1;
  struct Inserted {
    int slot = 0;
    int before = kNone, after = kNone;  // its neighbours when it was inserted
  };
  std::vector<Inserted> inserted;
  std::vector<int> slots;  // of the document's own tokens
};

// From the last insertion to the first: its slot is the one of its number among those that no later
// insertion has taken.
Layout layout_of(int tokens, std::span<const Insertion> insertions) {
  const int count = tokens + static_cast<int>(insertions.size());
  FreeSlots free(count);
  Layout layout;
  layout.inserted.resize(insertions.size());
  for (std::size_t i = insertions.size(); i-- > 0;) {
    const int position = insertions[i].position, size = tokens + static_cast<int>(i);
    Layout::Inserted& inserted = layout.inserted[i];
    inserted.slot = free.find(position);
    free.take(inserted.slot);
    if (position > 0) inserted.before = free.find(position - 1);
    if (position < size) inserted.after = free.find(position);
  }
  for (int i = 0; i < tokens; ++i) layout.slots.push_back(free.find(i));
  return layout;
}

// A column of tokens with further values at the slots of insertions, those of a token alike; an
// empty column stays empty.
template <class T, class ValueAt>
std::vector<T> spread(std::span<const T> column, const Layout& layout, ValueAt value_at) {
  if (column.empty()) return {};
  std::vector<T> longer(column.size() + layout.inserted.size());
  for (std::size_t i = 0; i < column.size(); ++i) {
    longer[static_cast<std::size_t>(layout.slots[i])] = column[i];
  }
  for (std::size_t i = 0; i < layout.inserted.size(); ++i) {
    longer[static_cast<std::size_t>(layout.inserted[i].slot)] = value_at(i);
  }
  return longer;
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

// Each insertion sees those before it, so they are gone through in their order.
void insert_entities(const Doc& doc, const Layout& layout, Doc& changed) {
  if (doc.ent_iobs().empty()) return;
  std::vector<Iob> iobs = spread(doc.ent_iobs(), layout, [](std::size_t) { return Iob::out; });
  std::vector<StringId> types =
      spread(doc.column(Attr::ent_type), layout, [](std::size_t) { return StringId{0}; });
  types.resize(iobs.size());
  for (const Layout::Inserted& inserted : layout.inserted) {
    if (inserted.before == Layout::kNone || inserted.after == Layout::kNone) continue;
    const auto before = static_cast<std::size_t>(inserted.before);
    const auto after = static_cast<std::size_t>(inserted.after);
    const bool is_entity = iobs[before] == Iob::begin || iobs[before] == Iob::in;
    if (!is_entity || iobs[after] != Iob::in || types[before] != types[after]) continue;
    iobs[static_cast<std::size_t>(inserted.slot)] = Iob::in;
    types[static_cast<std::size_t>(inserted.slot)] = types[before];
  }
  if (doc.column(Attr::ent_type).empty()) types.clear();
  changed.set_ent_columns(std::move(iobs), std::move(types));
}

// Relative to the tokens. An insertion at the start hangs on the next one.
std::vector<std::int32_t> heads_with_inserted(const Doc& doc, const Layout& layout) {
  std::vector<std::int32_t> heads(layout.slots.size() + layout.inserted.size());
  for (std::size_t i = 0; i < layout.slots.size(); ++i) {
    const std::ptrdiff_t step = doc.heads().empty() ? 0 : doc.heads()[i];
    const int head = layout.slots[i + static_cast<std::size_t>(step)];
    heads[static_cast<std::size_t>(layout.slots[i])] = head - layout.slots[i];
  }
  for (const Layout::Inserted& inserted : layout.inserted) {
    const int head = inserted.before != Layout::kNone ? inserted.before : inserted.after;
    heads[static_cast<std::size_t>(inserted.slot)] = head - inserted.slot;
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

Doc with_inserted(const Doc& doc, std::span<const Insertion> insertions) {
  const Layout layout = layout_of(doc.size(), insertions);
  std::vector<std::string> words(layout.slots.size() + insertions.size());
  std::vector<bool> spaces(words.size());
  for (int i = 0; i < doc.size(); ++i) {
    const auto slot = static_cast<std::size_t>(layout.slots[static_cast<std::size_t>(i)]);
    words[slot] = doc.word(i);
    spaces[slot] = doc.space(i);
  }
  for (std::size_t i = 0; i < insertions.size(); ++i) {
    words[static_cast<std::size_t>(layout.inserted[i].slot)] = insertions[i].word;
  }
  Doc changed(doc.vocab(), table_of(doc, words, spaces));
  copy_document_annotation(doc, changed);
  if (doc.has_sents()) {
    changed.set_sent_starts(
        spread(doc.sent_starts(), layout, [](std::size_t) { return std::int8_t{-1}; }));
  }
  insert_entities(doc, layout, changed);
  const bool parsed = is_parsed(doc);
  for (const Attr attr : kColumns) {
    if (attr == Attr::dep && !parsed) continue;
    changed.set_column(attr, spread(doc.column(attr), layout, [&](std::size_t i) {
                         return value_of_space(doc, attr, insertions[i].word);
                       }));
  }
  if (parsed) {
    changed.set_heads(heads_with_inserted(doc, layout));
    changed.set_sent_starts(sent_starts_of_heads(changed.heads(), changed.column(Attr::dep)));
  }
  return changed;
}

ExamplePtr example_of(const Language& nlp, Doc reference, std::string_view text) {
  Doc predicted = nlp.make_doc(text.empty() ? reference.text() : text);
  return std::make_shared<Example>(std::move(predicted), std::move(reference));
}

}  // namespace weft
