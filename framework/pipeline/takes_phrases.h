// For components that turn texts into documents when they are given patterns.
#pragma once

#include <functional>
#include <string_view>

#include "framework/text/doc.h"
#include "registry/base/export.h"

namespace weft {

class Language;

// A text as a document: with `annotated` through the components that stand before, else its tokens
// alone.
using MakePhrase = std::function<Doc(std::string_view text, bool annotated)>;

// A component that wants one derives from this too. The pipeline gives it when the component is
// added, and anew when it becomes part of another pipeline; never while documents are annotated.
class WEFT_API TakesPhrases {
 public:
  virtual ~TakesPhrases() = default;
  virtual void set_make_phrase(MakePhrase make) = 0;
};

// For the component that stands at `place` of the pipeline, which outlives the result.
WEFT_API MakePhrase phrases_of(const Language& nlp, std::size_t place);

}  // namespace weft
