// Texts that a component puts into a document, lemmas for one, and that the vocab shall not keep
// for ever: they become the document's own, beside those that it had.
#pragma once

#include <memory>
#include <string_view>

#include "framework/text/doc.h"
#include "registry/base/export.h"

namespace weft {

class WEFT_API DocStrings {
 public:
  StringId add(std::string_view text);
  // Call it before columns are replaced: of the document's strings those in use are kept.
  void give_to(Doc& doc);

 private:
  std::shared_ptr<StringTable> added_;
};

}  // namespace weft
