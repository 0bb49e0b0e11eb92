// Facts about the entities of a corpus.
#pragma once

#include <cstdint>

#include "framework/pipeline/annotation_facts.h"
#include "framework/pipeline/annotation_kind.h"
#include "framework/pipeline/label_presence.h"

namespace weft {

class EntityFacts final : public AnnotationFacts {
 public:
  // `kind` outlives this.
  explicit EntityFacts(const AnnotationKind& kind) : kind_(kind) {}

  void add(const Doc& doc, const std::vector<std::string>& labels) override;
  Object summary(const Beside& beside) const override;
  void finish(const Beside& beside, const DataSink& tell) const override;

 private:
  const AnnotationKind& kind_;
  LabelPresence presence_;
  std::int64_t unknown_ = 0;  // tokens of which nobody says whether they are part of an entity
};

}  // namespace weft
