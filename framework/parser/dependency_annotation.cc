#include "framework/parser/dependency_annotation.h"

#include <utility>

#include <fmt/format.h>

#include "framework/parser/dependency_facts.h"
#include "framework/text/projective.h"
#include "registry/base/error.h"

namespace weft {

namespace {

bool is_labelled(const Doc& doc) {
  for (int i = 0; i < doc.size(); ++i) {
    if (doc.value(Attr::dep, i) != 0) return true;
  }
  return false;
}

class DependencyAnnotation final : public AnnotationKind {
 public:
  std::vector<std::string> labels_in(const Doc& doc) const override {
    std::vector<std::string> labels;
    for (int i = 0; i < doc.size(); ++i) {
      const StringId label = doc.value(Attr::dep, i);
      if (label != 0) labels.emplace_back(doc.string(label));
    }
    return labels;
  }
  Names names() const override { return {"dependencies", "dependency_labels"}; }
  std::string text_of(const Doc& doc) const override {
    const DependencyTree tree = dependency_tree(doc);
    std::string all;
    for (std::size_t i = 0; i < tree.heads.size(); ++i) {
      all += fmt::format("{} {} {}\n", i, tree.heads[i], tree.labels[i]);
    }
    return all;
  }
  std::unique_ptr<AnnotationFacts> facts() const override {
    return std::make_unique<DependencyFacts>();
  }
  void check_presence(const PlacedDoc& placed, const DataSink& tell) const override {
    if (is_labelled(placed.doc)) return;
    DataProblem problem = problem_in(DataFault::not_annotated, placed);
    problem.message = "no token has a head with a label";
    problem.repair = "annotate its dependencies, or leave the document out";
    tell(std::move(problem));
  }
  void check(const PlacedDoc& placed, const Doc*, const DataSink& tell) const override {
    const DependencyTree tree = labelled_tree(placed.doc);
    bool crosses = false;
    try {
      // Throws where heads form a cycle: there is no tree then whose arcs could cross.
      crosses = has_crossing_arcs(tree.heads);
    } catch (const Error& error) {
      DataProblem problem = problem_in(DataFault::cycle, placed);
      problem.message = error.what();
      problem.repair = "give one of these tokens another head; a root is its own head";
      tell(std::move(problem));
    }
    if (crosses) tell_of_crossing(placed, tree, tell);
  }

 private:
  static void tell_of_crossing(const PlacedDoc& placed, const DependencyTree& tree,
                               const DataSink& tell) {
    DataProblem problem = problem_in(DataFault::crossing_arcs, placed);
    problem.repair = "nothing, if the tree is meant so (docs/parsing.md, 1)";
    try {
      const DependencyTree lifted = projectivized(tree);
      int count = 0;
      for (std::size_t i = 0; i < tree.heads.size(); ++i) {
        count += lifted.heads[i] != tree.heads[i] ? 1 : 0;
      }
      problem.message = fmt::format(
          "arcs cross: {} of {} tokens are learnt with the head of their head and a "
          "label of two parts",
          count, tree.heads.size());
    } catch (const Error& error) {
      problem.message = error.what();
      problem.repair = "correct its heads, or leave the document out";
    }
    tell(std::move(problem));
  }
};

}  // namespace

const AnnotationKind& dependency_annotation() {
  static const DependencyAnnotation& kind = *new DependencyAnnotation{};
  return kind;
}

}  // namespace weft
