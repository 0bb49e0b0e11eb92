#include "framework/parser/arc_gold.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "framework/parser/arc_labels.h"
#include "registry/base/error.h"

namespace weft {

using transition::ArcGold;
using transition::ArcMove;
using transition::ArcState;

namespace {

// The one predicted token that the reference's token is aligned with; -1: none, or several.
std::int32_t one_predicted(const Alignment& alignment, int reference) {
  const auto tokens = alignment.to_predicted(reference);
  return tokens.size() == 1 ? tokens[0] : -1;
}

// Sentence starts of predicted tokens; all unknown where the reference has none, or where a token
// lies in two sentences.
// The first predicted token of each sentence of the reference is a start; other tokens are known
// not to be one.
std::vector<std::int8_t> aligned_starts(const Example& example) {
  const auto size = static_cast<std::size_t>(example.predicted().size());
  std::vector<std::int8_t> unknown(size, -1);
  if (!example.reference().has_sents()) return unknown;
  std::vector<std::int8_t> starts(size, 0);
  std::vector<int> sentence_of(size, -1);
  int sentence = 0;
  for (const auto& [begin, end] : example.reference().sents()) {
    bool has_start = false;
    for (int token = begin; token < end; ++token) {
      for (const int predicted : example.alignment().to_predicted(token)) {
        const auto at = static_cast<std::size_t>(predicted);
        if (sentence_of[at] >= 0 && sentence_of[at] != sentence) return unknown;
        sentence_of[at] = sentence;
        if (!has_start) starts[at] = 1;
        has_start = true;
      }
    }
    ++sentence;
  }
  return starts;
}

// The classes' labels of one move.
std::set<std::string, std::less<>> labels_of(const ArcTable& table, ArcMove move) {
  std::set<std::string, std::less<>> labels;
  for (const MoveClass& one : table.classes()) {
    if (one.move == static_cast<std::size_t>(move)) labels.insert(one.label);
  }
  return labels;
}

// Children of token i are kids[kids_begin[i]] up to kids[kids_begin[i + 1]], ascending: counted
// first, then filled in. Costs ask for them in every state, so they are not searched for there.
// Lists the children of every token whose head is known.
void link_children(ArcGold& gold) {
  const std::size_t size = gold.head.size();
  gold.kids_begin.assign(size + 1, 0);
  const auto each_arc = [&](const auto& visit) {
    for (std::size_t i = 0; i < size; ++i) {
      const auto token = static_cast<std::int32_t>(i);
      if (gold.is_real(token)) visit(static_cast<std::size_t>(gold.head[i]), token);
    }
  };
  each_arc([&](std::size_t head, std::int32_t) { ++gold.kids_begin[head + 1]; });
  for (std::size_t i = 0; i < size; ++i) gold.kids_begin[i + 1] += gold.kids_begin[i];
  gold.kids.resize(static_cast<std::size_t>(gold.kids_begin[size]));
  std::vector<std::int32_t> end(gold.kids_begin.begin(), gold.kids_begin.end() - 1);
  each_arc([&](std::size_t head, std::int32_t token) {
    gold.kids[static_cast<std::size_t>(end[head]++)] = token;
  });
}

// For each token the first one from it on that is marked as a sentence start before parsing; the
// length of the document if none is.
std::vector<std::int32_t> next_marks(const Doc& doc) {
  const auto size = static_cast<std::size_t>(doc.size());
  std::vector<std::int32_t> next(size);
  std::int32_t mark = doc.size();
  const auto starts = doc.sent_starts();
  for (std::size_t i = size; i-- > 0;) {
    if (!starts.empty() && starts[i] == 1) mark = static_cast<std::int32_t>(i);
    next[i] = mark;
  }
  return next;
}

bool has_label(const Doc& reference, int start, int end) {
  for (int i = start; i < end; ++i) {
    if (reference.value(Attr::dep, i) != 0) return true;
  }
  return false;
}

// Whether the tokens of the reference with numbers from that of the first token of one state's
// buffer to that of the next one's have labels. A state without buffer counts as token -1, as
// Python's slices read it: the last one, which the slice leaves out.
bool piece_has_gold(const Doc& reference, const ArcState& from, std::int32_t to) {
  const std::int32_t begin = from.buffer(0);
  if (begin < 0) return false;
  const std::int32_t end = to < 0 ? reference.size() - 1 : std::min(to, reference.size());
  return has_label(reference, begin, end);
}

}  // namespace

// Arc-eager transitions build trees without crossing arcs alone. A crossing arc is lifted to the
// head of its head and its label notes that, so that it is lowered again after parsing: Nivre and
// Nilsson (2005), "Pseudo-projective dependency parsing".
DependencyTree learnt_tree(const Example& example) {
  try {
    return projectivized(labelled_tree(example.reference()));
  } catch (const Error& error) {
    throw Error(error.kind(), example.place().before(error.message()));
  }
}

AlignedParse aligned_parse(const Example& example) {
  const DependencyTree tree = learnt_tree(example);
  const Alignment& alignment = example.alignment();
  AlignedParse parse;
  for (int i = 0; i < example.predicted().size(); ++i) {
    const auto tokens = alignment.to_reference(i);
    std::int32_t head = -1;
    std::optional<std::string> label;
    if (tokens.size() == 1) {
      const auto token = static_cast<std::size_t>(tokens[0]);
      // Where tokenizations differ, an arc is learnt only if both of its ends are one token on both
      // sides.
      head = one_predicted(alignment, tree.heads[token]);
      label = tree.labels[token];
    }
    parse.heads.push_back(head);
    parse.labels.push_back(std::move(label));
  }
  parse.starts = aligned_starts(example);
  return parse;
}

ArcGold arc_gold(const Example& example, const AlignedParse& parse, const ArcTable& table) {
  const auto left = labels_of(table, ArcMove::left), right = labels_of(table, ArcMove::right);
  const auto roots = labels_of(table, ArcMove::sentence);
  ArcGold gold;
  for (std::size_t i = 0; i < parse.heads.size(); ++i) {
    const auto token = static_cast<std::int32_t>(i);
    const std::int32_t head = parse.heads[i];
    // The direction of an arc decides which move makes it, and each move has labels of its own: a
    // label may be known to the one and not to the other.
    const auto& known = head > token ? left : head < token ? right : roots;
    const std::string other = head == token ? kRootLabel : kOtherLabel;
    gold.known.push_back(head < 0 ? 0 : 1);
    gold.head.push_back(std::max(head, 0));
    const std::string label = parse.labels[i].value_or(other);
    gold.label.push_back(string_id(known.contains(label) ? label : other));
  }
  gold.starts = parse.starts;
  gold.next_mark = next_marks(example.predicted());
  link_children(gold);
  return gold;
}

bool has_dependency_gold(const Example& example) {
  return has_label(example.reference(), 0, example.reference().size());
}

std::vector<ArcState> arc_training_states(const Example& example, const ArcState& start,
                                          const ArcOracle& oracle, int max_moves) {
  if (start.is_final() || !has_dependency_gold(example)) return {};
  if (max_moves <= 0 || start.length() < max_moves) return {start};
  ArcState last;
  const std::vector<ArcState> cuts = cut_along_oracle(start, oracle, max_moves, &last);
  std::vector<ArcState> states;
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    const std::int32_t end = (i + 1 < cuts.size() ? cuts[i + 1] : last).buffer(0);
    if (piece_has_gold(example.reference(), cuts[i], end)) states.push_back(cuts[i]);
  }
  return states;
}

}  // namespace weft
