// Which words read like the address of a page.
#pragma once

#include <string_view>

namespace weft {

// Correct or not: with a scheme, `www.`, a known top-level domain or the form of a host.
bool like_url(std::string_view word);

}  // namespace weft
