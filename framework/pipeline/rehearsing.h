// Rehearsal: a component that learns something new is kept near the answers that it gave before,
// which a copy of it, the tutor, gives to the same documents.
// Sources: Robins (1995), "Catastrophic forgetting, rehearsal and pseudorehearsal"; spaCy 3.8,
// Language.rehearse; docs/training.md, "Rehearsal".
#pragma once

#include "framework/nn/gradients.h"
#include "framework/ops/context.h"
#include "framework/pipeline/batch.h"
#include "registry/base/export.h"

namespace weft {

class Component;
class Slots;

// The tutor's side of a shard. While `Scope` lives, the context runs the tutor: with what its own
// earlier components published, without dropout and without gradients that anybody keeps.
class WEFT_API TutorPass {
 public:
  TutorPass(const Component& component, Slots& slots, double weight)
      : component_(component), slots_(slots), weight_(weight) {}

  const Component& component() const { return component_; }
  // The factor of the gradient.
  float weight() const { return static_cast<float>(weight_); }

  class WEFT_API Scope {
   public:
    Scope(Context& ctx, const TutorPass& tutor);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Context& ctx_;
    Gradients& gradients_;
    Slots* slots_;
    Gradients unused_;
  };

 private:
  const Component& component_;
  Slots& slots_;
  double weight_;
};

// A component that can rehearse says so by this base.
class WEFT_API Rehearsing {
 public:
  virtual ~Rehearsing() = default;
  // In the place of Component::update. The tutor is of the same type and knows the first classes of
  // this component, perhaps all: those that came later are left alone.
  virtual void rehearse(ShardUpdate& shard, const TutorPass& tutor) const = 0;
};

}  // namespace weft
