// Documents from words whose spacing has to be found first.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/text/doc.h"
#include "registry/base/export.h"

namespace weft {

// Whether a space follows each word where it stands in `text`; words are looked for one behind the
// other. A word that is not there counts as followed by one (as spaCy 3.8 guesses). Throws
// Error(data) where so many words are missing that looking for them would take 256 times the text
// and 64 MiB.
WEFT_API std::vector<bool> spaces_of(std::string_view text, std::span<const std::string> words);

// As Doc::from_words; an empty `spaces` means unknown.
WEFT_API Doc doc_of_words(std::shared_ptr<const Vocab> vocab, std::span<const std::string> words,
                          const std::vector<bool>& spaces);

}  // namespace weft
