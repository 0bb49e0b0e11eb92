// A request to `weft serve`: the texts to annotate. docs/serve.md
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "registry/base/export.h"

namespace weft {

struct TextRequest {
  std::vector<std::string> texts = {};
  bool is_one = false;  // {"text": ...}: the answer is one document, not a list
};

// The body of a request: {"text": "..."} or {"texts": ["...", ...]}, and nothing else. Throws
// Error(data) that says what is wrong and where, with the line and column of what is no JSON.
WEFT_API TextRequest read_text_request(std::string_view body);

}  // namespace weft
