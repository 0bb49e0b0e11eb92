// The first bytes of a text: a mark that is no part of it, and bytes that are no UTF-8, as of text
// in UTF-16, which programs of Windows write where they say "Unicode", of packed text and of
// corpora.
#pragma once

#include <string>
#include <string_view>

#include "registry/base/export.h"

namespace weft {

// The mark that some programs put before UTF-8.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Throws Error(data), with the file and line 1, where a file's first bytes are a byte order mark of
// UTF-16 or UTF-32, or zeros stand between them as in either. The message says how to make UTF-8 of
// it.
WEFT_API void refuse_wide(std::string_view beginning, const std::string& file);

// The same for the first bytes of gzip, Zstandard and xz, in a file whose name does not say so or
// in a pipe. The message names the ending and the command that unpacks.
WEFT_API void refuse_packed(std::string_view beginning, const std::string& file);

// The same for the first bytes of a .spacy file. The message names the reader.
WEFT_API void refuse_doc_bin(std::string_view beginning, const std::string& file);

// Throws as the three.
WEFT_API void refuse_other_bytes(std::string_view beginning, const std::string& file);

}  // namespace weft
