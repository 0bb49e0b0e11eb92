// How far scores are from those of a tutor. Source: spaCy 3.8, Tagger.rehearse,
// TextCategorizer.rehearse; docs/training.md, "Rehearsal".
#pragma once

#include "framework/tensor/view.h"
#include "registry/base/export.h"

namespace weft {

// `found` (rows, classes) and `wanted` (rows, at most as many classes), f32. Writes
// (found - wanted) / `divisor` into `d`, 0 for classes that `wanted` lacks; gives the sum of its
// squares.
WEFT_API double rehearsal_difference(ConstView found, ConstView wanted, double divisor, View d);

// The same for probabilities that sum up to 1 over all classes: where `wanted` lacks some, those of
// `found` are taken as shares among the classes that both know.
WEFT_API double rehearsal_loss(ConstView found, ConstView wanted, double divisor, View d);

}  // namespace weft
