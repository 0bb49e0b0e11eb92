// Annotation that a format of documents has no place for.
#pragma once

#include <string_view>
#include <vector>

#include "framework/text/doc.h"
#include "registry/base/export.h"

namespace weft {

enum class DocAnnotation { sentences, tags, pos, morphology, lemmas, heads, spans, categories };
// For people: "spans in groups".
WEFT_API std::string_view name_of(DocAnnotation kind);

// Collects kinds of annotation that stand in documents and are lost in files of a format (".jsonl",
// ".conll"; an unknown one keeps all). `.spacy` keeps all.
class WEFT_API LostAnnotation {
 public:
  explicit LostAnnotation(std::string_view format);
  void add(const Doc& doc);
  // As they were found.
  const std::vector<DocAnnotation>& found() const { return found_; }
  bool contains(DocAnnotation kind) const;

 private:
  std::vector<DocAnnotation> missing_;  // have no place in the format, and were not found yet
  std::vector<DocAnnotation> found_;
};

}  // namespace weft
