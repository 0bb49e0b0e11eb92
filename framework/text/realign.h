// Examples whose predicted documents may get other tokens.
#pragma once

#include <memory>

#include "framework/text/example.h"
#include "registry/base/export.h"

namespace weft {

// Aligns the example anew if its predicted document no longer has `tokens`, as components leave it
// that merge or split. The example stays where it is. Throws as Example's constructor.
WEFT_API void realign(Example& example, const std::shared_ptr<const TokenTable>& tokens);

}  // namespace weft
