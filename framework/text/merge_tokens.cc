#include "framework/text/merge_tokens.h"

#include <algorithm>
#include <string>
#include <utility>

#include "framework/text/copy_annotation.h"
#include "framework/text/moved_spans.h"
#include "framework/text/parse_tree.h"
#include "framework/text/steps_to_roots.h"
#include "framework/unicode/unicode.h"
#include "registry/base/error.h"

namespace weft {
namespace {

int head_of(const Doc& doc, int token) {
  return doc.heads().empty() ? token : token + doc.heads()[static_cast<std::size_t>(token)];
}

// Whether each token is the head of another one.
std::vector<bool> heads_others(const Doc& doc) {
  std::vector<bool> heads(static_cast<std::size_t>(doc.size()));
  for (int i = 0; i < doc.size(); ++i) {
    const int head = head_of(doc, i);
    if (head != i) heads[static_cast<std::size_t>(head)] = true;
  }
  return heads;
}

std::vector<int> heads_of(const Doc& doc) {
  std::vector<int> heads;
  heads.reserve(static_cast<std::size_t>(doc.size()));
  for (int i = 0; i < doc.size(); ++i) heads.push_back(head_of(doc, i));
  return heads;
}

// Of a document, looked at once for all its spans.
struct Heads {
  explicit Heads(const Doc& doc)
      : is_head(heads_others(doc)), steps(steps_to_roots(heads_of(doc))) {}
  std::vector<bool> is_head;
  std::vector<int> steps;
};

// As in spaCy, a space or a mark without tokens that hang on it is as far away as can be.
int distance_of(const Doc& doc, int token, const Heads& heads) {
  const bool is_mark = doc.is_space(token) || doc.has_flag(token, Attr::is_punct);
  if (is_mark && !heads.is_head[static_cast<std::size_t>(token)]) return doc.size() - 1;
  return heads.steps[static_cast<std::size_t>(token)];
}

int root_between(const Doc& doc, int start, int end, const Heads& heads) {
  int root = -1, fewest = 0;
  for (int i = start; i < end; ++i) {
    const int head = head_of(doc, i);
    if (head == i) return i;
    if (head >= start && head < end) continue;
    const int steps = distance_of(doc, i, heads);
    if (root >= 0 && steps >= fewest) continue;
    root = i;
    fewest = steps;
  }
  return root < 0 ? start : root;
}

// Tokens [start, end) that become one, or one that stays.
struct Piece {
  int start = 0, end = 0, root = 0;
  StringId ent_type = 0;  // 0: that of the root
  bool merged = false;
};

// The new tokens in order: the spans, and each token between them as it is. Sorted spans that begin
// before the last one ended would share a token, which is refused.
std::vector<Piece> pieces_of(const Doc& doc, std::vector<Span> spans) {
  std::sort(spans.begin(), spans.end(),
            [](const Span& a, const Span& b) { return a.start < b.start; });
  const Heads heads(doc);
  std::vector<Piece> pieces;
  int next = 0;
  const auto keep_until = [&](int end) {
    for (; next < end; ++next) pieces.push_back({next, next + 1, next});
  };
  for (const Span& span : spans) {
    if (span.start < next || span.end > doc.size() || span.start >= span.end) {
      throw Error(ErrorKind::data, "tokens cannot be merged into two tokens at once");
    }
    keep_until(span.start);
    const int root = root_between(doc, span.start, span.end, heads);
    pieces.push_back({span.start, span.end, root, span.label, true});
    next = span.end;
  }
  keep_until(doc.size());
  return pieces;
}

std::shared_ptr<const TokenTable> table_of(const Doc& doc, const std::vector<Piece>& pieces) {
  TokenTableBuilder builder;
  const auto norms = doc.attr_ids(Attr::norm);
  for (const Piece& piece : pieces) {
    const std::string_view word = doc.span_text(piece.start, piece.end);
    const Lexeme lexeme = doc.vocab()->lexeme(word);
    const StringId norm = piece.merged ? lexeme.norm : norms[static_cast<std::size_t>(piece.start)];
    builder.append(word, lexeme, doc.space(piece.end - 1), norm);
  }
  return builder.finish();
}

// Without the white space around it, of any kind.
std::string_view stripped(std::string_view text) {
  for (std::size_t end = 0; !text.empty(); end = 0) {
    next_code_point(text, end);
    if (!is_space(text.substr(0, end))) break;
    text.remove_prefix(end);
  }
  for (std::size_t start = text.size(); !text.empty(); start = text.size()) {
    previous_code_point(text, start);
    if (!is_space(text.substr(start))) break;
    text = text.substr(0, start);
  }
  return text;
}

std::string joined_lemma(const Doc& doc, const Piece& piece) {
  std::string lemma;
  for (int i = piece.start; i < piece.end; ++i) {
    lemma += doc.string(doc.value(Attr::lemma, i));
    if (doc.space(i)) lemma += ' ';
  }
  return std::string(stripped(lemma));
}

// An entity goes on behind the merged token only where it did before its first one.
Iob merged_mark(const Doc& doc, const Piece& piece) {
  const Iob mark = doc.ent_iob(piece.root);
  if (mark != Iob::in && mark != Iob::begin) return mark;
  const StringId type = doc.ent_type(piece.root);
  const bool goes_on = doc.ent_iob(piece.start) == Iob::in && piece.start > 0 &&
                       doc.ent_type(piece.start) == type && doc.ent_type(piece.start - 1) == type;
  return goes_on ? Iob::in : Iob::begin;
}

void set_ents(const Doc& doc, const std::vector<Piece>& pieces, Doc& merged) {
  if (doc.ent_iobs().empty()) return;
  std::vector<Iob> iobs;
  std::vector<StringId> types;
  for (const Piece& piece : pieces) {
    iobs.push_back(piece.merged ? merged_mark(doc, piece) : doc.ent_iob(piece.start));
    types.push_back(piece.ent_type != 0 ? piece.ent_type : doc.ent_type(piece.root));
  }
  if (!iobs.empty() && iobs[0] == Iob::in) iobs[0] = Iob::begin;
  merged.set_ent_columns(std::move(iobs), std::move(types));
  merged.repair_ents();
}

// The head of a merged token is that of its root. Every old token has a new place, so a head inside
// of another merged span becomes that whole token.
void set_heads(const Doc& doc, const std::vector<Piece>& pieces, Doc& merged) {
  if (doc.heads().empty()) return;
  std::vector<int> place(static_cast<std::size_t>(doc.size()));
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    std::fill(place.begin() + pieces[i].start, place.begin() + pieces[i].end, static_cast<int>(i));
  }
  std::vector<std::int32_t> heads;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const int head = head_of(doc, pieces[i].root);
    heads.push_back(place[static_cast<std::size_t>(head)] - static_cast<int>(i));
  }
  merged.set_heads(std::move(heads));
  if (!merged.column(Attr::dep).empty()) {
    merged.set_sent_starts(sent_starts_of_heads(merged.heads(), merged.column(Attr::dep)));
  }
}

void set_columns(const Doc& doc, const std::vector<Piece>& pieces, Doc& merged) {
  std::vector<std::int8_t> starts;
  starts.reserve(pieces.size());
  for (const Piece& piece : pieces) {
    starts.push_back(doc.sent_starts()[static_cast<std::size_t>(piece.start)]);
  }
  merged.set_sent_starts(std::move(starts));
  for (const Attr attr : kAnnotationColumns) {
    if (attr == Attr::ent_type || doc.column(attr).empty()) continue;
    // Ids of entities stay those of the first token; the rest is the root's.
    const bool is_id = attr == Attr::ent_kb_id || attr == Attr::ent_id;
    std::vector<StringId> ids;
    for (const Piece& piece : pieces) {
      const bool lemma = attr == Attr::lemma && piece.merged;
      ids.push_back(lemma ? doc.vocab()->strings().add(joined_lemma(doc, piece))
                          : doc.value(attr, is_id ? piece.start : piece.root));
    }
    merged.set_column(attr, std::move(ids));
  }
}

}  // namespace

int span_root(const Doc& doc, int start, int end) {
  return root_between(doc, start, end, Heads(doc));
}

// Builds the document anew and replaces the old one at the end: an error on the way leaves it as it
// was.
void merge_tokens(Doc& doc, std::vector<Span> spans) {
  if (spans.empty()) return;
  const std::vector<Piece> pieces = pieces_of(doc, std::move(spans));
  Doc merged(doc.vocab(), table_of(doc, pieces));
  set_columns(doc, pieces, merged);
  set_heads(doc, pieces, merged);
  set_ents(doc, pieces, merged);
  move_document_annotation(doc, merged);
  doc = std::move(merged);
}

void merge_labelled(Doc& doc, StringId label) {
  std::vector<Span> runs;
  for (int i = 0; i < doc.size(); ++i) {
    if (doc.value(Attr::dep, i) != label) continue;
    if (runs.empty() || runs.back().end <= i) runs.push_back({i, i + 1});
    runs.back().end = std::min(i + 2, doc.size());
  }
  merge_tokens(doc, std::move(runs));
}

}  // namespace weft
