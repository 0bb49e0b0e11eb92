#include "framework/tagging/token_annotation.h"

#include <iterator>

#include <fmt/format.h>

#include "framework/tagging/lemma_facts.h"
#include "framework/tagging/morph_labels.h"
#include "framework/text/morph_features.h"
#include "registry/base/error.h"

namespace weft {
namespace {

DataProblem not_annotated(const PlacedDoc& placed, std::string_view things) {
  DataProblem problem = problem_in(DataFault::not_annotated, placed);
  problem.message = fmt::format("no token says anything of its {}", things);
  problem.repair = "annotate it; nothing is learnt from it as it is";
  return problem;
}

// One text for each token that has one.
class TokenAnnotation : public AnnotationKind {
 public:
  using TextOf = std::string(const Doc& doc, int token);
  TokenAnnotation(Names names, TextOf* text_of) : names_(names), text_of_(text_of) {}

  Names names() const override { return names_; }
  std::vector<std::string> labels_in(const Doc& doc) const override {
    std::vector<std::string> labels;
    for (int i = 0; i < doc.size(); ++i) {
      if (std::string text = text_of_(doc, i); !text.empty()) labels.push_back(std::move(text));
    }
    return labels;
  }
  std::string text_of(const Doc& doc) const override {
    std::string all;
    for (int i = 0; i < doc.size(); ++i) all += text_of_(doc, i) + "\n";
    return all;
  }
  void for_each_form(const Doc& doc, const FormSink& take) const override {
    for (int i = 0; i < doc.size(); ++i) {
      if (const std::string text = text_of_(doc, i); !text.empty()) take(i, text);
    }
  }
  void check_presence(const PlacedDoc& placed, const DataSink& tell) const override {
    for (int i = 0; i < placed.doc.size(); ++i) {
      if (!text_of_(placed.doc, i).empty()) return;
    }
    tell(not_annotated(placed, names_.things));
  }
  void check(const PlacedDoc&, const Doc*, const DataSink&) const override {}

 private:
  Names names_;
  TextOf* text_of_;
};

class LemmaAnnotation final : public TokenAnnotation {
 public:
  using TokenAnnotation::TokenAnnotation;
  std::vector<std::string> labels_in(const Doc&) const override { return {}; }
  std::int64_t unlabelled_in(const Doc& doc) const override {
    return std::ssize(TokenAnnotation::labels_in(doc));
  }
  std::unique_ptr<AnnotationFacts> facts() const override { return std::make_unique<LemmaFacts>(); }
};

class SentenceAnnotation final : public AnnotationKind {
 public:
  Names names() const override { return {"sentences", "sentence_labels"}; }
  std::vector<std::string> labels_in(const Doc& doc) const override {
    if (!doc.has_sents()) return {};
    return std::vector<std::string>(doc.sents().size(), "S");
  }
  std::string text_of(const Doc& doc) const override {
    std::string all;
    for (const std::int8_t start : doc.sent_starts()) all += start == 1 ? 'S' : 'I';
    return all;
  }
  void check_presence(const PlacedDoc& placed, const DataSink& tell) const override {
    if (placed.doc.has_sents()) return;
    DataProblem problem = not_annotated(placed, "sentences");
    problem.repair = "annotate it; it is learnt from as one sentence";
    tell(std::move(problem));
  }
  void check(const PlacedDoc&, const Doc*, const DataSink&) const override {}
};

std::string text_of_column(const Doc& doc, Attr attr, int token) {
  return std::string(doc.string(doc.value(attr, token)));
}

// Features that do not parse are shown as they are: finding them is the reader's part.
std::string morph_of_token(const Doc& doc, int token) {
  const StringId pos = doc.value(Attr::pos, token);
  if (pos == 0 && !has_morph(doc, token)) return {};
  try {
    return morph_label(doc.string(pos), morph_of(doc, token));
  } catch (const Error&) {
    return text_of_column(doc, Attr::morph, token);
  }
}

}  // namespace

const AnnotationKind& tag_annotation() {
  static const TokenAnnotation& kind = *new TokenAnnotation(
      {"tags", "tag_labels"},
      [](const Doc& doc, int token) { return text_of_column(doc, Attr::tag, token); });
  return kind;
}

const AnnotationKind& morph_annotation() {
  static const TokenAnnotation& kind =
      *new TokenAnnotation({"analyses", "analysis_labels"}, morph_of_token);
  return kind;
}

const AnnotationKind& lemma_annotation() {
  static const LemmaAnnotation& kind = *new LemmaAnnotation(
      {"lemmas", "lemma_labels"},
      [](const Doc& doc, int token) { return text_of_column(doc, Attr::lemma, token); });
  return kind;
}

const AnnotationKind& sentence_annotation() {
  static const SentenceAnnotation& kind = *new SentenceAnnotation{};
  return kind;
}

}  // namespace weft
