// The documents that a network sees when it is initialized.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "framework/pipeline/component.h"
#include "framework/text/doc.h"
#include "registry/base/export.h"

namespace weft {

enum class ExampleSide { predicted, reference };

struct ShapeSample {
  std::vector<const Doc*> docs;  // of the sample, or of `cut`
  std::deque<Doc> cut;           // the beginnings of long ones
};

// The first documents of a sample that hold 100 tokens together, and two at least where there are
// as many; of one with more than 1,000 tokens its first 1,000. The others belong to the sample.
// Layers infer the lengths of their rows from them: more rows tell nothing more, and each layer's
// output of all of them stays in memory until the end. Where a token gets so many `values` (classes
// of a tagger) that 2^22 would be exceeded, fewer tokens do.
WEFT_API ShapeSample shape_sample(std::span<const ExamplePtr> sample, ExampleSide side,
                                  std::int64_t values = 1);

}  // namespace weft
