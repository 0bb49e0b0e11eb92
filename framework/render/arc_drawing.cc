// The words and arcs of a drawing of dependencies.
#include <algorithm>
#include <numeric>

#include "framework/render/arc_svg.h"
#include "framework/render/label_mark.h"
#include "framework/text/merge_tokens.h"
#include "framework/text/noun_chunks.h"

namespace weft {
namespace {

// Tokens that are looked at for a drawing: enough for its words, most of which are one token.
constexpr int kMostJoinedTokens = 4 * kMostDrawnWords;

// Tokens that are drawn as one word, which has the tag and the lemma of `shown`.
struct Joined {
  Span span;
  int shown = 0;
};

// Every word with the marks behind it.
std::vector<Joined> words_with_marks(const Doc& doc) {
  std::vector<Joined> joined;
  for (int i = 0; i + 1 < doc.size(); ++i) {
    if (doc.has_flag(i, Attr::is_punct) || !doc.has_flag(i + 1, Attr::is_punct)) continue;
    int end = i + 1;
    while (end < doc.size() && doc.has_flag(end, Attr::is_punct)) ++end;
    joined.push_back({{i, end}, i});
  }
  return joined;
}

std::vector<Joined> phrases(const Doc& doc) {
  std::vector<Joined> joined;
  for (const Span& chunk : noun_chunks(doc)) {
    joined.push_back({{chunk.start, chunk.end}, span_root(doc, chunk.start, chunk.end)});
  }
  return joined;
}

void keep_value(Doc& doc, Attr attr, const Doc& before, const std::vector<Joined>& joined) {
  if (before.column(attr).empty()) return;
  std::vector<StringId> values(doc.column(attr).begin(), doc.column(attr).end());
  int gone = 0;  // tokens that were joined to one before
  for (const Joined& one : joined) {
    values[static_cast<std::size_t>(one.span.start - gone)] = before.value(attr, one.shown);
    gone += one.span.end - one.span.start - 1;
  }
  doc.set_column(attr, std::move(values));
}

void join(Doc& doc, const std::vector<Joined>& joined) {
  if (joined.empty()) return;
  const Doc before = doc;
  std::vector<Span> spans;
  spans.reserve(joined.size());
  for (const Joined& one : joined) spans.push_back(one.span);
  merge_tokens(doc, std::move(spans));
  keep_value(doc, Attr::tag, before, joined);
  keep_value(doc, Attr::lemma, before, joined);
}

DrawnWord word_of(const Doc& doc, int i, const RenderOptions& options) {
  const Attr tag = options.fine_grained ? Attr::tag : Attr::pos;
  return {std::string(doc.word(i)), known_text(doc, doc.value(tag, i)),
          options.lemmas ? known_text(doc, doc.value(Attr::lemma, i)) : std::string()};
}

}  // namespace

bool has_dependencies(const Doc& doc) {
  return !doc.heads().empty() || !doc.column(Attr::dep).empty();
}

ArcDrawing arc_drawing(const Doc& doc, std::pair<int, int> tokens, const RenderOptions& options) {
  const int end = std::min(tokens.second, tokens.first + kMostJoinedTokens);
  Doc part = doc.slice(tokens.first, end);
  // Phrases first, as in spaCy: marks within and before them are part of their word.
  if (options.collapse_noun_chunks && has_dependencies(part)) join(part, phrases(part));
  if (options.collapse_punctuation) join(part, words_with_marks(part));
  ArcDrawing drawing;
  const int words = std::min(part.size(), kMostDrawnWords);
  drawing.left_out = part.size() - words + tokens.second - end;
  for (int i = 0; i < words; ++i) {
    drawing.words.push_back(word_of(part, i, options));
    // Without a label a word has no head, whatever the file says.
    const bool has_head = !part.heads().empty() && part.value(Attr::dep, i) != 0;
    const int head = i + (has_head ? part.heads()[static_cast<std::size_t>(i)] : 0);
    if (head == i || head >= words) continue;
    drawing.arcs.push_back({std::min(i, head), std::max(i, head), i < head,
                            known_text(part, part.value(Attr::dep, i))});
  }
  return drawing;
}

std::vector<int> arc_levels(const std::vector<DrawnArc>& arcs) {
  std::vector<std::size_t> order(arcs.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return arcs[a].end - arcs[a].start < arcs[b].end - arcs[b].start;
  });
  std::vector<int> levels(arcs.size());
  std::vector<int> highest;  // over the gap behind each word
  for (const std::size_t i : order) {
    if (static_cast<std::size_t>(arcs[i].end) > highest.size()) {
      highest.resize(static_cast<std::size_t>(arcs[i].end), 0);
    }
    const auto begin = highest.begin() + arcs[i].start, end = highest.begin() + arcs[i].end;
    levels[i] = *std::max_element(begin, end) + 1;
    std::fill(begin, end, levels[i]);
  }
  return levels;
}

}  // namespace weft
