#include "registry/functions/schema.h"

namespace weft {
namespace {

bool matches(std::string_view pattern, std::string_view section) {
  if (!pattern.ends_with(".*")) return pattern == section;
  pattern.remove_suffix(1);  // the dot stays
  return section.starts_with(pattern) && section.size() > pattern.size() &&
         section.find('.', pattern.size()) == section.npos;
}

}  // namespace

void Schemas::add(SectionSchema schema) {
  schemas_.push_back(std::move(schema));
}

const SectionSchema* Schemas::find(std::string_view section) const {
  for (const SectionSchema& schema : schemas_) {
    if (matches(schema.section, section)) return &schema;
  }
  return nullptr;
}

}  // namespace weft
