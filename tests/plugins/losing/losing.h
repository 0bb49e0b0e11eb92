// Lets one rank of a run be lost in a phase of training that the environment names:
//
//   WEFT_LOSE_PHASE   init, backward, reduce, gather, evaluate, save or end
//   WEFT_LOSE_RANK    its number
//   WEFT_LOSE_SIGNAL  what it gets: the number of SIGKILL or SIGSTOP
//   WEFT_LOSE_MARK    a file that is made then; where it is there nothing happens any more
#pragma once

#include <string_view>

namespace losing {

// Steps before which no phase but init counts.
inline constexpr int kSteps = 7;

void set_rank(int rank);
void reduced();  // the gradients of one more step have gone to their owners

// Called where the phase is met.
void met(std::string_view phase);

}  // namespace losing
