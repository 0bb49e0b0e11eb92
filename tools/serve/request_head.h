// The lines before the body of an HTTP request, as they came. The library drops lines that it does
// not understand and decodes others, so that a proxy before the server may have read them
// otherwise: the body would then end elsewhere, and hide a second request.
// Source: RFC 9112, sections 2.2, 5 and 6.
#pragma once

#include <string_view>

namespace weft::tools {

// Nobody can differ on where the body ends: every line ends in CRLF and is a header whose name has
// letters, digits and marks but no percent sign, none is folded or has control characters, and
// there is at most one length in digits or one coding that is "chunked". POST needs one of them.
// `head` goes up to the empty line.
bool has_clear_end(std::string_view head);

}  // namespace weft::tools
