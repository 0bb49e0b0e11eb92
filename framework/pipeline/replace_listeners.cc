#include "framework/pipeline/replace_listeners.h"

#include <span>
#include <utility>

#include <fmt/format.h>

#include "framework/pipeline/check_config.h"
#include "framework/pipeline/component_name.h"
#include "framework/pipeline/listener.h"
#include "registry/base/error.h"
#include "registry/base/suggest.h"
#include "registry/building/resolve.h"

namespace weft {
namespace {

// A network of the source that somebody listens to.
struct Upstream {
  std::string name;
  ComponentPtr component;
};

class Replacement {
 public:
  Replacement(Language& nlp, std::string name, const SourcedComponent& source,
              const Catalogue& catalogue)
      : nlp_(nlp),
        name_(std::move(name)),
        source_(source),
        catalogue_(catalogue),
        config_(sourced_config(source)) {}

  // All paths are looked up in the config before a layer is exchanged, so that a wrong one is
  // refused while the component is whole. Afterwards the tree has other nodes, and their names for
  // dropout and messages are given anew.
  void run(Node& block) {
    Component& component = *nlp_.find(name_);
    const std::vector<Model*> listeners = listeners_in(component);
    if (listeners.size() != source_.replace_listeners.size()) {
      fail(fmt::format("'{}' of {} has {} listener{}, and {} path{} given", source_.component,
                       source_.folder.string(), listeners.size(), listeners.size() == 1 ? "" : "s",
                       source_.replace_listeners.size(),
                       source_.replace_listeners.size() == 1 ? " is" : "s are"));
    }
    for (const std::string& path : source_.replace_listeners) {
      replace_block(block, path, upstream_at(path));
    }
    for (const Model* listener : listeners) {
      put_in_place(component, *listener, vector_model_of(upstream_of(*listener_of(*listener))));
    }
    for (const ModelPtr& root : component.models()) root->name_sites(name_);
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw Error(ErrorKind::config, message, source_.listeners_place);
  }

  // The upstream of the listener that the config of the component has at `path`.
  Upstream upstream_at(const std::string& path) const {
    const std::string whole = "components." + source_.component + "." + path;
    const Node* node = config_.find(whole);
    if (node == nullptr || !node->is_object()) {
      std::vector<std::string> names;
      Config own;
      own.root() = config_.find("components." + source_.component)->as_object();
      for (std::string& name : setting_names(own)) {
        if (own.find(name)->is_object()) names.push_back(std::move(name));
      }
      const std::string near = join_or(nearest(path, names));
      fail(fmt::format("'{}' is no section of '{}' in {}{}", path, source_.component,
                       source_.folder.string(),
                       near.empty() ? "" : fmt::format(" (did you mean {}?)", near)));
    }
    Problems problems;
    const auto made = resolve_at(config_, whole, catalogue_, {}, problems);
    throw_errors(std::move(problems));
    const ModelPtr* model = made->is_product() ? made->product().get<ModelPtr>() : nullptr;
    const Listener* listener = model == nullptr ? nullptr : listener_of(**model);
    if (listener == nullptr) fail(fmt::format("'{}' is no listener", path));
    return upstream_of(*listener);
  }

  // With its weights. "*" is the last before the component that publishes vectors.
  Upstream upstream_of(const Listener& listener) const {
    const Node* pipeline = config_.find("nlp.pipeline");
    std::vector<std::string> before;
    for (const Node& node :
         pipeline != nullptr && pipeline->is_list() ? pipeline->as_list() : List()) {
      if (!node.is_string() || node.as_string() == source_.component) break;
      before.insert(before.begin(), node.as_string());
    }
    for (const std::string& name : before) {
      if (listener.upstream != "*" && listener.upstream != name) continue;
      if (ComponentPtr component = loaded(name)) return {name, std::move(component)};
    }
    fail(fmt::format("{} has no component before '{}' whose vectors \"{}\" means",
                     source_.folder.string(), source_.component, listener.upstream));
  }

  // Null for a component that publishes no vectors.
  ComponentPtr loaded(const std::string& name) const {
    Problems problems;
    ComponentPtr component = make_component(config_, name, catalogue_, problems);
    throw_errors(std::move(problems));
    if (vector_source(component.get()) == nullptr) return nullptr;
    component->bind(name, nlp_.vocab());
    component->from_disk(component_path(source_.folder, name));
    return component;
  }

  static const ModelPtr& vector_model_of(const Upstream& upstream) {
    return vector_source(upstream.component.get())->vector_model();
  }

  // Names the section of the network by its path in the source's config; there are no variables.
  void replace_block(Node& block, const std::string& path, const Upstream& upstream) const {
    const Node* model = config_.find("components." + upstream.name + ".model");
    if (model == nullptr) fail(fmt::format("'{}' has no section of a model", upstream.name));
    Config own;
    own.root() = block.as_object();
    own.find(path)->value() = model->value();
    block = Node(own.root());
  }

  // A listener may stand in several places; all of them get the network.
  static void put_in_place(Component& component, const Model& listener, const ModelPtr& network) {
    for (const ModelPtr& root : component.models()) root->replace(listener, network);
  }

  Language& nlp_;
  std::string name_;
  const SourcedComponent& source_;
  const Catalogue& catalogue_;
  Config config_;
};

}  // namespace

ComponentPtr make_component(const Config& values, const std::string& name,
                            const Catalogue& catalogue, Problems& problems) {
  auto selected =
      resolve_selected(values, "components." + name, "factory", "factories", catalogue, problems);
  if (!selected) return nullptr;
  const Argument result = selected->function->call(selected->arguments);
  const ComponentPtr* component =
      result.is_product() ? result.product().get<ComponentPtr>() : nullptr;
  if (component == nullptr) {
    throw Error(ErrorKind::plugin, fmt::format("the factory '{}' made {}, not a component",
                                               selected->function->name(), result.type_name()));
  }
  return *component;
}

void replace_listeners(Language& nlp, const std::string& name, const SourcedComponent& source,
                       Node& block, const Catalogue& catalogue) {
  Replacement(nlp, name, source, catalogue).run(block);
}

}  // namespace weft
