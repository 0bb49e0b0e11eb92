#include "framework/parser/entity_annotation.h"

#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "framework/parser/entity_facts.h"
#include "framework/text/token_table.h"

namespace weft {
namespace {

// An entity is learnt from only if tokens of the pipeline begin and end where it does.
void check_tokens(const PlacedDoc& placed, const Span& ent, const Doc& tokenized,
                  const DataSink& tell) {
  const TokenTable& tokens = *placed.doc.tokens();
  const auto start = tokens.char_start(ent.start);
  const auto end = tokens.char_end(ent.end - 1);
  if (tokenized.char_span(start, end).first >= 0) return;
  tell_with(tell, problem_in(DataFault::misaligned, placed, ent),
            "the pipeline's tokens have other edges: the entity is not learnt from",
            "annotate whole tokens, or change the tokenizer");
}

void check_sentences(const PlacedDoc& placed, const Span& ent, const DataSink& tell) {
  const auto starts = placed.doc.sent_starts();
  for (int i = ent.start + 1; i < ent.end && !starts.empty(); ++i) {
    if (starts[static_cast<std::size_t>(i)] != 1) continue;
    return tell_with(
        tell, problem_in(DataFault::crosses_sentence, placed, ent),
        "a sentence starts inside the entity",
        fmt::format("end it before \"{}\", or correct the sentences", placed.doc.word(i)));
  }
}

void check_edges(const PlacedDoc& placed, const Span& ent, const DataSink& tell) {
  const Doc& doc = placed.doc;
  for (const auto& [fault, flag, what] :
       {std::tuple{DataFault::white_space, Attr::is_space, "white space"},
        std::tuple{DataFault::punctuation, Attr::is_punct, "punctuation"}}) {
    // The span without white space (or punctuation) at its edges is the proposal for the repair.
    int start = ent.start;
    int end = ent.end;
    while (start < end && doc.has_flag(start, flag)) ++start;
    while (start < end && doc.has_flag(end - 1, flag)) --end;
    if (start == ent.start && end == ent.end) continue;
    return tell_with(
        tell, problem_in(fault, placed, ent),
        start == end ? fmt::format("the entity is nothing but {}", what)
                     : fmt::format("the entity begins or ends with {}", what),
        start == end ? "leave it out" : fmt::format("take \"{}\"", doc.span_text(start, end)));
  }
}

class EntityAnnotation final : public AnnotationKind {
 public:
  std::vector<std::string> labels_in(const Doc& doc) const override {
    std::vector<std::string> labels;
    if (!doc.has_ents()) return labels;
    for (const Span& ent : doc.ents()) labels.emplace_back(doc.string(ent.label));
    return labels;
  }
  Names names() const override { return {"entities", "labels"}; }
  std::string text_of(const Doc& doc) const override {
    std::string all;
    for (const Span& ent : doc.ents()) {
      all += fmt::format("{} {} {}\n", ent.start, ent.end, doc.string(ent.label));
    }
    return all;
  }
  std::unique_ptr<AnnotationFacts> facts() const override {
    return std::make_unique<EntityFacts>(*this);
  }
  void check_presence(const PlacedDoc& placed, const DataSink& tell) const override {
    if (placed.doc.has_ents()) return;
    tell_with(tell, problem_in(DataFault::not_annotated, placed),
              "no token says whether it is part of an entity",
              "give it an empty list of entities if it has none; else annotate it");
  }
  void check(const PlacedDoc& placed, const Doc* tokenized, const DataSink& tell) const override {
    for (const Span& ent : placed.doc.ents()) {
      if (tokenized != nullptr) check_tokens(placed, ent, *tokenized, tell);
      check_sentences(placed, ent, tell);
      check_edges(placed, ent, tell);
    }
  }
};

}  // namespace

const AnnotationKind& entity_annotation() {
  static const EntityAnnotation& kind = *new EntityAnnotation{};
  return kind;
}

}  // namespace weft
