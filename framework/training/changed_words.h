// Documents with the annotation of another one and other words: what augmenters make.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/pipeline/component.h"
#include "framework/text/doc.h"
#include "registry/base/export.h"

namespace weft {

class Language;

// The annotation of `doc` on `words`, one for each of its tokens; spaces stay. Throws Error(data)
// for another number of words or an empty one.
WEFT_API Doc with_words(const Doc& doc, const std::vector<std::string>& words);

struct Insertion {
  std::string word;
  int position = 0;  // of the token that it goes before, once those insertions before are made
};

// `doc`, which is not empty, with further tokens, inserted one after another: `{"x", 1}` twice puts
// both before token 1, the second first. They are without a space behind them, inside an entity
// where both neighbours are inside the same one, else outside. Their tag is "_SP", their part of
// speech SPACE, where those are annotated; in a tree each hangs on the token before it, as "dep". A
// tree of which a label is missing is left out. Span groups must be empty. Takes n log n steps.
WEFT_API Doc with_inserted(const Doc& doc, std::span<const Insertion> insertions);

// An example of which the reference is `reference`, and the predicted document its text tokenized
// anew; `text` stands for that text where it is not empty.
WEFT_API ExamplePtr example_of(const Language& nlp, Doc reference, std::string_view text = {});

}  // namespace weft
