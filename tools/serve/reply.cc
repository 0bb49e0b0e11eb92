#include "tools/serve/reply.h"

#include "registry/value/json.h"

namespace weft::tools {

HttpReply error_reply(int status, const std::string& kind, const std::string& message, int line,
                      int column) {
  Object error;
  error.set("kind", kind);
  error.set("message", message);
  if (line > 0) error.set("line", line);
  if (column > 0) error.set("column", column);
  Object body;
  body.set("error", std::move(error));
  return {.status = status, .body = to_standard_json(body, JsonText::utf8) + "\n"};
}

}  // namespace weft::tools
