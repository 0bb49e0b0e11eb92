// A kind of annotation that components learn, entities for one: which labels documents have of it,
// and which faults. A label of one kind says nothing about another kind's.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "framework/pipeline/annotation_facts.h"
#include "framework/pipeline/data_problem.h"
#include "registry/base/export.h"

namespace weft {

// Const functions may be called by several threads at once.
class WEFT_API AnnotationKind {
 public:
  virtual ~AnnotationKind() = default;
  AnnotationKind() = default;
  AnnotationKind(const AnnotationKind&) = delete;
  AnnotationKind& operator=(const AnnotationKind&) = delete;

  // The labels of a document's annotation in the order of the text, one for each thing that has
  // one; empty where the document is not annotated.
  virtual std::vector<std::string> labels_in(const Doc& doc) const = 0;

  // The labels that a document's annotation names only to say that the document lacks them.
  virtual std::vector<std::string> absent_labels_in(const Doc&) const { return {}; }

  // Things of a document's annotation that have no label that could be counted.
  virtual std::int64_t unlabelled_in(const Doc&) const { return 0; }

  // How many labels the training data needs at least: with fewer there is nothing to learn.
  virtual std::size_t least_labels() const { return 0; }

  // For messages and summaries: the plural of the things, "entities", and the key of the table that
  // says how many have each label.
  struct Names {
    std::string_view things;
    std::string_view labels;
  };
  virtual Names names() const = 0;

  // Calls `take` for each token that has an annotation of its own, with its number and that
  // annotation, where one that differs from what the same word has elsewhere may be a mistake.
  using FormSink = std::function<void(int token, const std::string& label)>;
  virtual void for_each_form(const Doc&, const FormSink&) const {}

  // A document's annotation as text, the same for the same annotation.
  virtual std::string text_of(const Doc& doc) const = 0;

  // Faults of a document that has tokens, as `debug data` looks for them; the corpus of a problem
  // is left to the caller. First that nothing is annotated, then of what is. `tokenized`: the text
  // as the pipeline cuts it, null where the document's tokens are the pipeline's.
  virtual void check_presence(const PlacedDoc& placed, const DataSink& tell) const = 0;
  virtual void check(const PlacedDoc& placed, const Doc* tokenized, const DataSink& tell) const = 0;

  // To gather facts about a corpus; null: there are none beyond its labels. The kind outlives them.
  virtual std::unique_ptr<AnnotationFacts> facts() const { return nullptr; }
};

}  // namespace weft
