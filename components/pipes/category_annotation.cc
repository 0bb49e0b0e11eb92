#include "components/pipes/category_annotation.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "components/pipes/category_facts.h"
#include "components/pipes/category_truth.h"

namespace weft {

namespace {

class CategoryAnnotation final : public AnnotationKind {
 public:
  explicit CategoryAnnotation(bool exclusive) : exclusive_(exclusive) {}

  std::vector<std::string> labels_in(const Doc& doc) const override {
    return labels_that(doc, true);
  }
  std::vector<std::string> absent_labels_in(const Doc& doc) const override {
    return labels_that(doc, false);
  }
  // Of labels that exclude each other one is to be chosen.
  std::size_t least_labels() const override { return exclusive_ ? 2 : 0; }
  Names names() const override { return {"categories", "category_labels"}; }
  std::string text_of(const Doc& doc) const override {
    std::vector<std::string> cats;
    for (const TextCategory& cat : doc.cats()) {
      cats.push_back(fmt::format("{} {}\n", number_of(cat.value), cat.label));
    }
    std::sort(cats.begin(), cats.end());
    return fmt::format("{}", fmt::join(cats, ""));
  }

  std::unique_ptr<AnnotationFacts> facts() const override {
    if (exclusive_) return nullptr;  // each document is checked by itself
    return std::make_unique<CategoryFacts>();
  }

  void check_presence(const PlacedDoc& placed, const DataSink& tell) const override {
    if (!placed.doc.cats().empty()) return;
    DataProblem problem = problem_in(DataFault::not_annotated, placed);
    problem.message = "the document has no category";
    problem.repair = exclusive_
                         ? "name its label, or leave it out: all labels count as wrong for it"
                         : "name its labels with 1, and those that it lacks with 0";
    tell(std::move(problem));
  }

  void check(const PlacedDoc& placed, const Doc*, const DataSink& tell) const override {
    for (const TextCategory& cat : placed.doc.cats()) check_value(placed, cat, tell);
    const std::vector<std::string> set = labels_in(placed.doc);
    if (!exclusive_ || placed.doc.cats().empty() || set.size() == 1) return;
    DataProblem problem = problem_in(DataFault::contradiction, placed);
    if (set.empty()) {
      problem.fault = DataFault::not_annotated;
      problem.message = "no category is 1, although the labels exclude each other";
      problem.repair = "set one of them, or take textcat_multilabel";
    } else {
      problem.label = set[1];
      problem.message =
          fmt::format("{} categories are set, although the labels exclude each other", set.size());
      problem.repair = "keep one of them, or take textcat_multilabel";
    }
    tell(std::move(problem));
  }

 private:
  // The labels that the document has, or those that it lacks.
  static std::vector<std::string> labels_that(const Doc& doc, bool it_has) {
    std::vector<std::string> labels;
    for (const TextCategory& cat : doc.cats()) {
      if ((number_of(cat.value) > 0.0) == it_has) labels.push_back(cat.label);
    }
    return labels;
  }

  static void check_value(const PlacedDoc& placed, const TextCategory& cat, const DataSink& tell) {
    const double value = number_of(cat.value);
    if (value == 0.0 || value == 1.0) return;
    DataProblem problem = problem_in(DataFault::contradiction, placed);
    problem.label = cat.label;
    problem.message = fmt::format("the category is {}, which is neither 0 nor 1", value);
    problem.repair = "write 1 if the document has the label, else 0";
    tell(std::move(problem));
  }

  bool exclusive_;
};

}  // namespace

const AnnotationKind& category_annotation(bool exclusive) {
  static const CategoryAnnotation& one = *new CategoryAnnotation(true);
  static const CategoryAnnotation& several = *new CategoryAnnotation(false);
  return exclusive ? one : several;
}

}  // namespace weft
