// Schemas of the sections of a config: a section with a schema is checked and filled like the
// arguments of a function. Sections without one are the user's own.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "registry/functions/fields.h"
#include "registry/functions/signature.h"

namespace weft {

enum class UnknownKeys { error, warn, allow };

struct WEFT_API SectionSchema {
  // The dotted name; a last part `*` stands for each section directly below: "components.*".
  std::string section;
  Signature signature;
  UnknownKeys unknown = UnknownKeys::error;
  // With a selector the key of that name says which function of `kind` the section's other keys are
  // the arguments of: ("factory", "factories") for the sections of [components]. Defaults of such a
  // function are merged under the section, blocks included. A section without the key is checked
  // against `signature`.
  std::string selector = "";
  std::string kind = "";
  // A section without any key is not checked: its subject is not asked for.
  bool may_be_empty = false;
};

class WEFT_API Schemas {
 public:
  void add(SectionSchema schema);
  // With the `fields` of a struct.
  template <class Settings>
  void add(std::string section, UnknownKeys unknown = UnknownKeys::error) {
    add({std::move(section), signature_of<Settings>(), unknown});
  }
  // The schema of the section with that dotted name, or null.
  const SectionSchema* find(std::string_view section) const;
  const std::vector<SectionSchema>& all() const { return schemas_; }

 private:
  std::vector<SectionSchema> schemas_;
};

}  // namespace weft
