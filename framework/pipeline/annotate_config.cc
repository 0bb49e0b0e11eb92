#include "framework/pipeline/annotate_config.h"

#include <string>
#include <string_view>

#include "framework/pipeline/pipeline_settings.h"
#include "registry/functions/schema.h"

namespace weft {
namespace {

void add_comment(Node& node, const std::string& text) {
  if (node.comments.empty() && !text.empty()) node.comments.push_back("# " + text);
}

void describe(Object& settings, const Signature& signature) {
  for (auto& [key, value] : settings) {
    const FunctionParameter* parameter = signature.find(key);
    if (parameter != nullptr) add_comment(value, parameter->doc);
  }
}

// The function that a block calls, or the factory of a component; null where there is none.
const Function* function_of(const Object& block, const SectionSchema* schema,
                            const Catalogue& catalogue) {
  for (const auto& [key, value] : block) {
    const bool selects = schema != nullptr && !schema->selector.empty() && key == schema->selector;
    if (!value.is_string() || !(selects || key.starts_with('@'))) continue;
    return catalogue.find(selects ? schema->kind : key.substr(1), value.as_string());
  }
  return nullptr;
}

class Annotator {
 public:
  explicit Annotator(const Catalogue& catalogue) : catalogue_(catalogue) {}

  void visit(Node& node, const std::string& path) {
    if (!node.is_object()) return;
    Object& object = node.as_object();
    const SectionSchema* schema = pipeline_schemas().find(path);
    if (const Function* function = function_of(object, schema, catalogue_)) {
      add_comment(node, function->doc());
      describe(object, function->signature());
    } else if (schema != nullptr) {
      describe(object, schema->signature);
    }
    for (auto& [key, child] : object) visit(child, path.empty() ? key : path + "." + key);
  }

 private:
  const Catalogue& catalogue_;
};

}  // namespace

void annotate_config(Config& config, const Catalogue& catalogue) {
  Annotator annotator(catalogue);
  for (auto& [name, section] : config.root()) annotator.visit(section, name);
}

}  // namespace weft
