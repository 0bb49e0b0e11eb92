// Whom a reader tells of what it does not hand on as it stands in the file.
#pragma once

#include <functional>

#include "framework/text/char_ents.h"
#include "framework/text/records/annotated_record.h"

namespace weft {

// Told of each record that its annotator rejected or ignored, and that is left out for that.
using LeftOutSink = std::function<void(Verdict)>;

struct CorpusTells {
  MisalignedSink misaligned = {};  // both may be empty
  LeftOutSink left_out = {};
};

}  // namespace weft
