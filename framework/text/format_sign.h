// Which format a text is of, where no ending says it: standard input.
#pragma once

#include <string>
#include <string_view>

#include "registry/base/export.h"

namespace weft {

// Whether the name stands for what this process has open: /dev/stdin, /dev/fd/3.
WEFT_API bool is_open_already(std::string_view path);

// The first bytes of what this process has open under that name (/dev/stdin, /dev/fd/3), which stay
// there to be read; a pipe is waited for until a line or its end is there. "" for all else, and
// where the system does not show them.
WEFT_API std::string first_bytes(const std::string& path);

// The converter for a text that begins like this: "conllu", "conll", "iob", "jsonl", "json",
// "spacy", else "text".
WEFT_API std::string_view converter_for_bytes(std::string_view begin);

}  // namespace weft
