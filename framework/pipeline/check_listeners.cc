#include "framework/pipeline/check_listeners.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "registry/base/error.h"

namespace weft {
namespace {

[[noreturn]] void refuse(const Language& nlp, const std::string& name, const std::string& what) {
  const Node* block = nlp.config().find("components." + name);
  throw Error(ErrorKind::config, fmt::format("[components.{}]: {}", name, what),
              block == nullptr ? Origin() : block->origin);
}

void check_listener(const Language& nlp, std::size_t number, const Model& node) {
  const NamedComponent& named = nlp.pipeline()[number];
  const Listener& listener = *listener_of(node);
  const NamedComponent* upstream = heard(nlp.pipeline().first(number), listener);
  if (upstream == nullptr) {
    refuse(
        nlp, named.name,
        fmt::format("it listens to token vectors (upstream \"{}\"), and no component before it "
                    "gives any; put the tok2vec that it was trained with before it, or, where it "
                    "has a `source`, let it have its own copy by replace_listeners = "
                    "[\"model.tok2vec\"]",
                    listener.upstream));
  }
  const auto width = vector_source(upstream->component.get())->vector_model()->find_dim("nO");
  if (!width || !node.has_dim("nO") || *width == node.dim("nO")) return;
  refuse(nlp, named.name,
         fmt::format("it listens to vectors of width {}, and those of '{}' have {}", node.dim("nO"),
                     upstream->name, *width));
}

}  // namespace

const NamedComponent* heard(std::span<const NamedComponent> before, const Listener& listener) {
  const auto found = std::find_if(before.rbegin(), before.rend(), [&](const NamedComponent& named) {
    return vector_source(named.component.get()) != nullptr &&
           (listener.upstream == "*" || listener.upstream == named.name);
  });
  return found == before.rend() ? nullptr : &*found;
}

void check_listeners(const Language& nlp) {
  for (std::size_t i = 0; i < nlp.pipeline().size(); ++i) {
    if (!nlp.pipeline()[i].enabled) continue;
    for (const Model* node : listeners_in(*nlp.pipeline()[i].component)) {
      check_listener(nlp, i, *node);
    }
  }
}

}  // namespace weft
