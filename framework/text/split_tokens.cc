#include "framework/text/split_tokens.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/text/copy_annotation.h"
#include "framework/text/doc_strings.h"
#include "framework/text/moved_spans.h"
#include "framework/unicode/unicode.h"

namespace weft {
namespace {

struct Piece {
  std::string_view text;
  int token = 0;      // that it is of
  bool first = true;  // of the token
  bool whole = true;  // the token was not cut
};

std::vector<Piece> cut(const Doc& doc, std::size_t min_length, std::size_t length) {
  std::vector<Piece> pieces;
  for (int i = 0; i < doc.size(); ++i) {
    std::string_view word = doc.word(i);
    if (count_code_points(word) < min_length) {
      pieces.push_back({word, i});
      continue;
    }
    for (bool first = true; !word.empty(); first = false) {
      const std::size_t end = byte_offset(word, length);
      pieces.push_back({word.substr(0, end), i, first, false});
      word.remove_prefix(end);
    }
  }
  return pieces;
}

std::shared_ptr<const TokenTable> table_of(const Doc& doc, const std::vector<Piece>& pieces) {
  TokenTableBuilder builder;
  const auto norms = doc.attr_ids(Attr::norm);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const Piece& piece = pieces[i];
    const Lexeme lexeme = doc.vocab()->lexeme(piece.text);
    const bool last = i + 1 == pieces.size() || pieces[i + 1].first;
    builder.append(piece.text, lexeme, last && doc.space(piece.token),
                   piece.whole ? norms[static_cast<std::size_t>(piece.token)] : lexeme.norm);
  }
  return builder.finish();
}

std::vector<std::int32_t> heads_of(const Doc& doc, const std::vector<Piece>& pieces) {
  std::vector<int> place(static_cast<std::size_t>(doc.size()));  // of a token's first piece
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i].first) place[static_cast<std::size_t>(pieces[i].token)] = static_cast<int>(i);
  }
  std::vector<std::int32_t> heads(pieces.size(), 0);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (!pieces[i].whole) continue;
    const int head = pieces[i].token + doc.heads()[static_cast<std::size_t>(pieces[i].token)];
    heads[i] = place[static_cast<std::size_t>(head)] - static_cast<int>(i);
  }
  return heads;
}

Iob mark_of(const Doc& doc, const Piece& piece) {
  const Iob mark = doc.ent_iob(piece.token);
  return mark == Iob::begin && !piece.first && doc.ent_type(piece.token) != 0 ? Iob::in : mark;
}

// Whether a sentence starts within a token that starts one: no, unless the document has no
// sentences yet. There it stays open, or the pieces of the first token would count as such
// annotation.
std::int8_t inside_of_token(const Doc& doc) {
  const auto starts = doc.sent_starts();
  const bool open = std::all_of(starts.begin() + std::min<std::ptrdiff_t>(1, std::ssize(starts)),
                                starts.end(), [](std::int8_t start) { return start == 0; });
  return open ? 0 : -1;
}

void set_columns(const Doc& doc, const std::vector<Piece>& pieces, Doc& parts) {
  DocStrings strings;
  for (const Attr attr : kAnnotationColumns) {
    if (doc.column(attr).empty()) continue;
    std::vector<StringId> ids;
    ids.reserve(pieces.size());
    for (const Piece& piece : pieces) {
      const StringId value = doc.value(attr, piece.token);
      const bool lemma = attr == Attr::lemma && value != 0 && !piece.whole;
      ids.push_back(lemma ? strings.add(piece.text) : value);
    }
    parts.set_column(attr, std::move(ids));
  }
  std::vector<std::int8_t> starts;
  const std::int8_t inside = inside_of_token(doc);
  for (const Piece& piece : pieces) {
    const std::int8_t start = doc.sent_starts()[static_cast<std::size_t>(piece.token)];
    starts.push_back(piece.first || start != 1 ? start : inside);
  }
  parts.set_sent_starts(std::move(starts));
  if (!doc.ent_iobs().empty()) {
    std::vector<Iob> iobs;
    iobs.reserve(pieces.size());
    for (const Piece& piece : pieces) iobs.push_back(mark_of(doc, piece));
    const auto types = parts.column(Attr::ent_type);
    parts.set_ent_columns(std::move(iobs), {types.begin(), types.end()});
  }
  strings.give_to(parts);
}

}  // namespace

void split_tokens(Doc& doc, std::size_t min_length, std::size_t piece) {
  if (min_length == 0 || piece == 0) return;
  const std::vector<Piece> pieces = cut(doc, min_length, piece);
  if (std::all_of(pieces.begin(), pieces.end(), [](const Piece& p) { return p.whole; })) return;
  Doc parts(doc.vocab(), table_of(doc, pieces));
  move_document_annotation(doc, parts);
  set_columns(doc, pieces, parts);
  if (!doc.heads().empty()) parts.set_heads(heads_of(doc, pieces));
  doc = std::move(parts);
}

}  // namespace weft
