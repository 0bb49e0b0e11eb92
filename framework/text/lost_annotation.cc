#include "framework/text/lost_annotation.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace weft {
namespace {

// Formats that have a place for a kind of annotation, beside .spacy.
struct Formats {
  bool conll = false;
  bool conllu = false;
  bool jsonl = false;
};

struct Row {
  DocAnnotation kind;
  std::string_view name;
  Formats formats;
  bool (*stands_in)(const Doc& doc);
};

template <Attr attr>
bool has_column(const Doc& doc) {
  return !doc.column(attr).empty();
}

// A converter puts "-" for the tag of words that have none.
bool has_tags(const Doc& doc) {
  const StringId none = string_id("-");
  const auto tags = doc.column(Attr::tag);
  return std::any_of(tags.begin(), tags.end(), [&](StringId tag) { return tag != none; });
}

constexpr Formats kTokenLines{.conll = true, .conllu = true};
constexpr Formats kTrees{.conllu = true};
constexpr Formats kRecords{.jsonl = true};

// In the order of the kinds.
constexpr std::array kRows = {
    Row{DocAnnotation::sentences, "sentences", kTokenLines,
        [](const Doc& doc) { return doc.sents().size() > 1; }},
    Row{DocAnnotation::tags, "tags", kTokenLines, has_tags},
    Row{DocAnnotation::pos, "parts of speech", kTrees, has_column<Attr::pos>},
    Row{DocAnnotation::morphology, "morphology", kTrees, has_column<Attr::morph>},
    Row{DocAnnotation::lemmas, "lemmas", kTrees, has_column<Attr::lemma>},
    Row{DocAnnotation::heads, "heads", kTrees, [](const Doc& doc) { return !doc.heads().empty(); }},
    Row{DocAnnotation::spans, "spans in groups", kRecords,
        [](const Doc& doc) { return !doc.span_groups().empty(); }},
    Row{DocAnnotation::categories, "categories", kRecords,
        [](const Doc& doc) { return !doc.cats().empty(); }},
};

bool has_place(const Formats& formats, std::string_view format) {
  if (format == ".jsonl") return formats.jsonl;
  if (format == ".conllu") return formats.conllu;
  return (format != ".conll" && format != ".iob") || formats.conll;
}

const Row& row_of(DocAnnotation kind) {
  return kRows.at(static_cast<std::size_t>(kind));
}

}  // namespace

std::string_view name_of(DocAnnotation kind) {
  return row_of(kind).name;
}

LostAnnotation::LostAnnotation(std::string_view format) {
  for (const Row& row : kRows) {
    if (!has_place(row.formats, format)) missing_.push_back(row.kind);
  }
}

void LostAnnotation::add(const Doc& doc) {
  std::erase_if(missing_, [&](DocAnnotation kind) {
    const bool stands = row_of(kind).stands_in(doc);
    if (stands) found_.push_back(kind);
    return stands;
  });
}

bool LostAnnotation::contains(DocAnnotation kind) const {
  return std::find(found_.begin(), found_.end(), kind) != found_.end();
}

}  // namespace weft
