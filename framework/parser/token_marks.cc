#include "framework/parser/token_marks.h"

#include <algorithm>

namespace weft {

TokenMarks::TokenMarks(std::span<const Doc* const> docs) {
  std::size_t tokens = 0;
  for (const Doc* doc : docs) tokens += static_cast<std::size_t>(doc->size());
  iob_.assign(tokens, 0);
  type_.assign(tokens, 0);
  sent_start_.assign(tokens, 0);
  is_space_.assign(tokens, 0);
  std::size_t row = 0;
  for (const Doc* doc : docs) {
    const bool has_types = !doc->column(Attr::ent_type).empty();
    std::copy(doc->sent_starts().begin(), doc->sent_starts().end(),
              sent_start_.begin() + static_cast<std::ptrdiff_t>(row));
    for (int i = 0; i < doc->size(); ++i, ++row) {
      iob_[row] = static_cast<std::uint8_t>(doc->ent_iob(i));
      if (has_types) type_[row] = doc->ent_type(i);
      is_space_[row] = doc->is_space(i) ? 1 : 0;
    }
  }
}

std::vector<transition::State> first_states(std::span<const Doc* const> docs) {
  std::vector<transition::State> states(docs.size());
  std::int32_t row = 0;
  for (std::size_t i = 0; i < docs.size(); ++i) {
    states[i].first = row;
    states[i].length = docs[i]->size();
    row += docs[i]->size();
  }
  return states;
}

namespace {

// Entity columns while they are rewritten.
struct EntColumns {
  std::vector<Iob> iobs;
  std::vector<StringId> types;

  explicit EntColumns(const Doc& doc) : iobs(doc.size()), types(doc.size()) {
    for (int i = 0; i < doc.size(); ++i) {
      iobs[i] = doc.ent_iob(i);
      types[i] = doc.ent_type(i);
    }
  }

  void mark(int start, int end, StringId label) {
    for (int i = start; i < end; ++i) {
      iobs[i] = i == start ? Iob::begin : Iob::in;
      types[i] = label;
    }
  }
};

}  // namespace

void annotate(Doc& doc, std::span<const std::int32_t> classes,
              std::span<const transition::Action> actions) {
  EntColumns columns(doc);
  transition::State state;
  state.length = doc.size();
  for (const std::int32_t taken : classes) {
    const transition::Action& action = actions[static_cast<std::size_t>(taken)];
    if (action.move == Move::unit && action.label != 0) {
      columns.mark(state.position, state.position + 1, action.label);
    } else if (action.move == Move::last && state.is_open()) {
      columns.mark(state.open_start, state.position + 1, state.open_label);
    }
    transition::apply(state, action);
  }
  // After the recognizer has run, every token is known to be inside or outside of an entity.
  for (Iob& iob : columns.iobs) iob = iob == Iob::missing ? Iob::out : iob;
  doc.set_ent_columns(std::move(columns.iobs), std::move(columns.types));
  // An entity that was there before may have lost its first token to a new one.
  doc.repair_ents();
}

}  // namespace weft
