#include "framework/pipeline/document_error.h"

#include <fmt/format.h>

#include "framework/text/printable.h"

namespace weft {

Error document_error(const Error& error, const std::string& component, const Doc& doc) {
  return {error.kind(), fmt::format("{}: {}; in the document \"{}\"", component, error.what(),
                                    printable_brief(doc.text()))};
}

}  // namespace weft
