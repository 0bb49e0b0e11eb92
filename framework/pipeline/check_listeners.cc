#include "framework/pipeline/check_listeners.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "registry/base/suggest.h"

namespace weft {
namespace {

// Placed at the component's model, in which the listener lies.
Problem& add(const Language& nlp, const std::string& name, std::string message,
             Problems& problems) {
  Problem& problem = problems.emplace_back();
  problem.kind = ProblemKind::function_raised;
  problem.path = "components." + name + ".model";
  if (const Node* block = nlp.config().find(problem.path)) problem.place = block->origin;
  problem.message = std::move(message);
  return problem;
}

// Whether a listener names a component that is not there. The others hear the last one before.
bool names_nobody(const Language& nlp, const Listener& listener) {
  return listener.upstream != "*" && nlp.find(listener.upstream) == nullptr;
}

// With the nearest of the names that are there.
void add_unknown_name(const Language& nlp, const std::string& name, const Listener& listener,
                      Problems& problems) {
  std::vector<std::string> names;
  for (const NamedComponent& named : nlp.pipeline()) names.push_back(named.name);
  add(nlp, name,
      fmt::format("it listens to token vectors of upstream \"{}\", and no component has that name",
                  listener.upstream),
      problems)
      .suggestion = suggestion(listener.upstream, names);
}

void add_no_vectors(const Language& nlp, const std::string& name, const Listener& listener,
                    Problems& problems) {
  add(nlp, name,
      fmt::format("it listens to token vectors (upstream \"{}\"), and no component before it gives "
                  "any; put the tok2vec that it was trained with before it, or, where it has a "
                  "`source`, let it have its own copy by replace_listeners = [\"model.tok2vec\"]",
                  listener.upstream),
      problems);
}

void check_listener(const Language& nlp, std::size_t number, const Model& node,
                    Problems& problems) {
  const NamedComponent& named = nlp.pipeline()[number];
  const Listener& listener = *listener_of(node);
  const NamedComponent* upstream = heard(nlp.pipeline().first(number), listener);
  if (upstream == nullptr) {
    return names_nobody(nlp, listener) ? add_unknown_name(nlp, named.name, listener, problems)
                                       : add_no_vectors(nlp, named.name, listener, problems);
  }
  const auto width = vector_source(upstream->component.get())->vector_model()->find_dim("nO");
  if (!width || !node.has_dim("nO") || *width == node.dim("nO")) return;
  add(nlp, named.name,
      fmt::format("it listens to vectors of width {}, and those of '{}' have {}", node.dim("nO"),
                  upstream->name, *width),
      problems);
}

}  // namespace

const NamedComponent* heard(std::span<const NamedComponent> before, const Listener& listener) {
  const auto found = std::find_if(before.rbegin(), before.rend(), [&](const NamedComponent& named) {
    return vector_source(named.component.get()) != nullptr &&
           (listener.upstream == "*" || listener.upstream == named.name);
  });
  return found == before.rend() ? nullptr : &*found;
}

void check_listeners(const Language& nlp, std::size_t count, Problems& problems) {
  for (std::size_t i = 0; i < count; ++i) {
    if (!nlp.pipeline()[i].enabled) continue;
    for (const Model* node : listeners_in(*nlp.pipeline()[i].component)) {
      check_listener(nlp, i, *node, problems);
    }
  }
}

}  // namespace weft
