// A training example: what the pipeline is given and what it should make of it.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "framework/text/alignment.h"
#include "framework/text/biluo.h"
#include "framework/text/doc.h"
#include "registry/export.h"

namespace weft {

// `predicted` is annotated by components, `reference` holds the gold annotation; their tokens may
// differ, their text may not (letter case and white space aside).
// Const functions may be called by several threads at once.
class WEFT_API Example {
 public:
  // Throws Error(data) where the two are not of the same text. Later annotation of `predicted` is
  // fine, another tokenization of it is not.
  Example(Doc predicted, Doc reference);
  // The predicted document gets the reference's words, with norms that follow from them.
  static Example from_reference(Doc reference);

  Doc& predicted() { return predicted_; }
  const Doc& predicted() const { return predicted_; }
  const Doc& reference() const { return reference_; }
  const Alignment& alignment() const { return alignment_; }

  // Length of the example for batching: the predicted tokens.
  int size() const { return predicted_.size(); }

  // Gold tags of the predicted tokens, for the NER oracle (docs/ner-model.md 3.1). All missing
  // where the reference has no entity annotation.
  std::vector<GoldTag> gold_tags() const;

  // Spans of the reference as spans of the predicted document: those whose tokens spell the same
  // text there. Without `allow_overlap` a token serves one span only, the first.
  std::vector<Span> spans_to_predicted(std::span<const Span> spans, bool allow_overlap) const;
  // The other way round.
  std::vector<Span> spans_to_reference(std::span<const Span> spans, bool allow_overlap) const;

 private:
  Doc predicted_;
  Doc reference_;
  Alignment alignment_;
};

}  // namespace weft
