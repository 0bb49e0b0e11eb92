#include "framework/pipeline/rehearsing.h"

namespace weft {

TutorPass::Scope::Scope(Context& ctx, const TutorPass& tutor)
    : ctx_(ctx), gradients_(ctx.pass().gradients()), slots_(ctx.pass().slots()) {
  ctx_.pass().train(0.0, unused_, ctx_.pass().masks());
  ctx_.pass().set_slots(&tutor.slots_);
}

TutorPass::Scope::~Scope() {
  ctx_.pass().train(0.0, gradients_, ctx_.pass().masks());
  ctx_.pass().set_slots(slots_);
}

}  // namespace weft
