// A component that its factory makes, without a pipeline.
#pragma once

#include <utility>

#include "components/builtin.h"
#include "framework/pipeline/component.h"
#include "registry/building/resolve.h"

namespace weft {

// `block`: "factory" and its settings, as in a section of [components].
inline ComponentPtr made_component(Object block) {
  Catalogue catalogue;
  add_builtin(catalogue);
  Object root;
  root.set("one", std::move(block));
  Problems problems;
  auto selected =
      resolve_selected(Config(std::move(root)), "one", "factory", "factories", catalogue, problems);
  const Argument made = selected->function->call(selected->arguments);
  return *made.product().get<ComponentPtr>();
}

}  // namespace weft
