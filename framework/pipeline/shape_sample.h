// The documents that a network sees when it is initialized.
#pragma once

#include <span>
#include <vector>

#include "framework/pipeline/component.h"
#include "registry/base/export.h"

namespace weft {

enum class ExampleSide { predicted, reference };

// The first documents of a sample that hold 100 tokens together, and two at least where there are
// as many; they belong to the sample. Layers infer the lengths of their rows from them: more rows
// tell nothing more, and each layer's output of all of them stays in memory until the end.
WEFT_API std::vector<const Doc*> shape_sample(std::span<const ExamplePtr> sample, ExampleSide side);

}  // namespace weft
