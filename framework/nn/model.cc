#include "framework/nn/model.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "framework/nn/gradients.h"
#include "framework/nn/layer_path.h"
#include "registry/base/error.h"

namespace weft {
namespace {

[[noreturn]] void fail(const Model& model, std::string_view what, std::string_view name) {
  throw Error(ErrorKind::internal,
              "layer " + model.name() + ": " + std::string(what) + " " + std::string(name));
}

template <class Pairs>
auto find_named(Pairs& pairs, std::string_view name) {
  return std::find_if(pairs.begin(), pairs.end(),
                      [&](const auto& pair) { return pair.first == name; });
}

void set_named(std::vector<std::pair<std::string, std::weak_ptr<Model>>>& nodes,
               std::string_view name, const ModelPtr& node) {
  const auto found = find_named(nodes, name);
  if (found == nodes.end()) {
    nodes.emplace_back(name, node);
  } else {
    found->second = node;
  }
}

// The default initialisation: the sample flows through the children.
void initialize_children(Context& ctx, Model& model, const Value& input, const Value& output,
                         InitRandom& random) {
  Value sample = input;
  for (std::size_t i = 0; i < model.layers().size(); ++i) {
    Model& layer = *model.layers()[i];
    const bool last = i + 1 == model.layers().size();
    layer.initialize(ctx, sample, last ? output : Value(), random);
    // Without a sample there is nothing to run: the layers infer their sizes from settings alone.
    if (!last && sample.index() != 0) sample = layer.predict(ctx, sample);
  }
}

}  // namespace

Model::Model(std::string name, ForwardFn forward, InitFn init)
    : name_(std::move(name)), forward_(std::move(forward)), init_(std::move(init)) {}

Value Model::predict(Context& ctx, const Value& input) const {
  return (*this)(ctx, input).output;
}

void Model::initialize(Context& ctx, const Value& input, const Value& output, InitRandom& random) {
  if (init_) {
    init_(ctx, *this, input, output, random);
  } else {
    initialize_children(ctx, *this, input, output, random);
  }
}

LayerCost Model::cost(double width) const {
  if (cost_) return cost_(*this, width);
  return layers_.empty() ? cost_of_rows(*this, width) : cost_in_sequence(*this, width);
}

bool Model::has_dim(std::string_view name) const {
  return find_dim(name).has_value();
}

std::optional<std::int64_t> Model::find_dim(std::string_view name) const {
  const auto found = find_named(dims_, name);
  return found == dims_.end() ? std::nullopt : found->second;
}

std::int64_t Model::dim(std::string_view name) const {
  const auto found = find_dim(name);
  if (!found) fail(*this, "unset dimension", name);
  return *found;
}

void Model::declare_dim(std::string_view name) {
  if (find_named(dims_, name) == dims_.end()) dims_.emplace_back(name, std::nullopt);
}

// Sizes come from settings, samples and files; where two of them disagree, the layer cannot be
// right for both.
void Model::set_dim(std::string_view name, std::int64_t value) {
  const auto known = find_dim(name);
  if (known && *known != value) {
    throw Error(ErrorKind::config,
                fmt::format("layer {}: dimension {} is {} and cannot become {}; a size of the "
                            "network differs from that of the layer before it, or from the number "
                            "of labels",
                            name_, name, *known, value));
  }
  replace_dim(name, value);
}

void Model::replace_dim(std::string_view name, std::int64_t value) {
  declare_dim(name);
  find_named(dims_, name)->second = value;
}

Parameter& Model::param(std::string_view name) {
  // One search for both: the object is not const where this is called.
  return const_cast<Parameter&>(std::as_const(*this).param(name));
}

const Parameter& Model::param(std::string_view name) const {
  for (const auto& parameter : params_) {
    if (parameter->name == name) return *parameter;
  }
  fail(*this, "unknown parameter", name);
}

Parameter& Model::declare_param(std::string_view name, std::vector<std::string> axes) {
  for (const auto& parameter : params_) {
    if (parameter->name == name) return *parameter;
  }
  params_.push_back(std::make_unique<Parameter>());
  params_.back()->name = name;
  params_.back()->axes = std::move(axes);
  return *params_.back();
}

void Model::set_param(std::string_view name, Tensor value) {
  Parameter& parameter = declare_param(name);
  parameter.value = std::move(value);
  // Packed and device copies of the old numbers are recognised by it.
  ++parameter.version;
}

void Model::set_fixed_attr(std::string_view name, Node value) {
  set_attr(name, std::move(value));
  if (!has_fixed_attr(name)) fixed_attrs_.emplace_back(name);
}

bool Model::has_fixed_attr(std::string_view name) const {
  return std::find(fixed_attrs_.begin(), fixed_attrs_.end(), name) != fixed_attrs_.end();
}

Tensor& Model::grad(Context& ctx, const Parameter& parameter) {
  return ctx.gradients().of(parameter);
}

void Model::set_ref(std::string_view name, const ModelPtr& node) {
  set_named(refs_, name, node);
}

void Model::set_part(std::string_view name, const ModelPtr& node) {
  set_named(parts_, name, node);
}

Model& Model::part(std::string_view name) const {
  const auto found = find_named(parts_, name);
  const ModelPtr node = found == parts_.end() ? nullptr : found->second.lock();
  if (!node) fail(*this, "unset part", name);
  return *node;
}

const Model& Model::ref(std::string_view name) const {
  const auto found = find_named(refs_, name);
  const ModelPtr node = found == refs_.end() ? nullptr : found->second.lock();
  if (!node) fail(*this, "unset reference", name);
  return *node;
}

Model& Model::ref(std::string_view name) {
  return const_cast<Model&>(std::as_const(*this).ref(name));
}

bool Model::has_ref(std::string_view name) const {
  const auto found = find_named(refs_, name);
  return found != refs_.end() && !found->second.expired();
}

// References in the whole tree first: a child somewhere below may be the only pointer that keeps
// the old node alive, and a reference to a node that is gone leads nowhere. Then children from the
// leaves up, for the same reason: parents come first in a walk.
void Model::replace(const Model& old, const ModelPtr& node) {
  const std::vector<Model*> nodes = walk();
  for (Model* naming : nodes) {
    for (auto* named : {&naming->refs_, &naming->parts_}) {
      for (auto& [name, reference] : *named) {
        if (reference.lock().get() == &old) reference = node;
      }
    }
  }
  for (auto parent = nodes.rbegin(); parent != nodes.rend(); ++parent) {
    std::vector<ModelPtr>& layers = (*parent)->layers_;
    std::replace_if(
        layers.begin(), layers.end(), [&](const ModelPtr& layer) { return layer.get() == &old; },
        node);
  }
}

std::vector<Model*> Model::walk() {
  std::vector<Model*> nodes{this};
  std::unordered_set<Model*> seen{this};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    // A node that two parents share is listed once, where it is met first: so do model files.
    for (const ModelPtr& layer : nodes[i]->layers_) {
      if (seen.insert(layer.get()).second) nodes.push_back(layer.get());
    }
  }
  return nodes;
}

std::vector<const Model*> Model::walk() const {
  const std::vector<Model*> nodes = const_cast<Model*>(this)->walk();
  return {nodes.begin(), nodes.end()};
}

// In two passes: references may lead to any node of the tree, so all copies are made first. Weights
// are copied, not shared.
ModelPtr Model::clone() const {
  std::unordered_map<const Model*, ModelPtr> copies;
  for (const Model* node : walk()) {
    auto copy = std::make_shared<Model>(node->name_, node->forward_, node->init_);
    copy->path_name_ = node->path_name_;
    copy->cost_ = node->cost_;
    copy->dims_ = node->dims_;
    copy->vectors_dim_ = node->vectors_dim_;
    copy->attrs_ = node->attrs_;
    copy->fixed_attrs_ = node->fixed_attrs_;
    copy->may_grow_ = node->may_grow_;
    copy->new_bias_ = node->new_bias_;
    for (const auto& parameter : node->params_) {
      Parameter& made = copy->declare_param(parameter->name, parameter->axes);
      made.kind = parameter->kind;
      made.is_table = parameter->is_table;
      made.may_be_deferred = parameter->may_be_deferred;
      if (parameter->deferred) parameter->deferred->change_all();
      if (parameter->value) made.value = parameter->value.clone();
    }
    copies[node] = std::move(copy);
  }
  // A reference that leads out of the tree, as a listener's to its component, is set anew by the
  // component.
  const auto copy_of = [&](const std::weak_ptr<Model>& node) {
    const auto found = copies.find(node.lock().get());
    return found == copies.end() ? nullptr : found->second;
  };
  for (const auto& [node, copy] : copies) {
    for (const ModelPtr& layer : node->layers_) copy->layers_.push_back(copies.at(layer.get()));
    for (const auto& [role, reference] : node->refs_) copy->set_ref(role, copy_of(reference));
    for (const auto& [role, part] : node->parts_) copy->set_part(role, copy_of(part));
  }
  return copies.at(this);
}

// The number of a node in the walk makes its name unique. Dropout masks are keyed by it, so the
// same network draws the same masks in every run with the same seed.
void Model::name_sites(std::string_view component) {
  const std::vector<Model*> nodes = walk();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    nodes[i]->site_ = std::string(component) + "/" + std::to_string(i) + "/" + nodes[i]->name_;
  }
  const auto paths = layer_paths(*this, component);
  for (Model* node : nodes) node->path_ = paths.at(node);
}

}  // namespace weft
