// The factory `merge_entities`: every entity becomes one token. spaCy 3.8.
#include <memory>

#include "components/pipes/stateless_component.h"
#include "framework/text/merge_tokens.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

class MergeEntities final : public StatelessComponent {
 protected:
  void change(Doc& doc) const override { merge_tokens(doc, doc.ents()); }
};

ComponentPtr merge_entities() {
  return std::make_shared<MergeEntities>();
}

const Registration registered =
    Registration{"merge_entities", merge_entities, "entities as single tokens"}.meta(
        R"({"requires": ["doc.ents", "token.ent_iob", "token.ent_type"], "retokenizes": true})");

}  // namespace
}  // namespace weft
