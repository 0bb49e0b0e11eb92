// The factory `merge_subtokens`: tokens that a parser labelled as parts of one become one. spaCy
// 3.8.
#include <memory>

#include "components/pipes/stateless_component.h"
#include "framework/parser/arc_labels.h"
#include "framework/text/has_annotation.h"
#include "framework/text/merge_tokens.h"
#include "registry/base/error.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

class MergeSubtokens final : public StatelessComponent {
 protected:
  // Without a parse it would do nothing, and nobody would notice that the parser is missing.
  void change(Doc& doc) const override {
    if (!has_annotation(doc, Attr::dep)) {
      throw Error(ErrorKind::data,
                  "no token of the document has DEP: put a parser before merge_subtokens");
    }
    merge_labelled(doc, string_id(kSubtokenLabel));
  }
};

ComponentPtr merge_subtokens() {
  return std::make_shared<MergeSubtokens>();
}

const Registration registered =
    Registration{"merge_subtokens", merge_subtokens, "parts of a token as single tokens"}.meta(
        R"({"requires": ["token.dep"], "retokenizes": true})");

}  // namespace
}  // namespace weft
