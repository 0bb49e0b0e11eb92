// A layer, or a tree of layers: dimensions, parameters, attributes, children, and the function that
// runs it. As in Thinc, the forward pass returns its output and the backward pass; there is no
// tape.
//
//   Forward forward(Context& ctx, const Model& model, const Value& input);
//
// While shards run, the model is immutable: gradients go to the Context. The tree of nodes (names,
// order, dimensions, parameters) is the one that spaCy's model files hold.
// Source: docs/spacy-formats.md, "Model files"; Honnibal (2020), Thinc's documentation.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/nn/layer_cost.h"
#include "framework/nn/parameter.h"
#include "framework/nn/value.h"
#include "framework/ops/context.h"
#include "framework/ops/random.h"
#include "registry/base/export.h"
#include "registry/functions/product.h"
#include "registry/value/config.h"

namespace weft {

class Model;
using ModelPtr = std::shared_ptr<Model>;

// Takes the gradient of the output, adds to the parameters' gradients, gives that of the input.
using Backward = std::function<Value(Context&, const Value&)>;

struct Forward {
  Value output;
  Backward backward;  // empty in a prediction pass
};

// Random numbers for fresh parameters: one stream for each, keyed by the order of asking.
class WEFT_API InitRandom {
 public:
  explicit InitRandom(std::uint64_t seed) : seed_(seed) {}
  RandomStream next() { return {seed_, 0, ++asked_}; }

 private:
  std::uint64_t seed_;
  std::uint64_t asked_ = 0;
};

class WEFT_API Model {
 public:
  using ForwardFn = std::function<Forward(Context&, const Model&, const Value&)>;
  // Sets dimensions from a sample input and output (either may be monostate) and makes parameters.
  using InitFn =
      std::function<void(Context&, Model&, const Value& input, const Value& output, InitRandom&)>;

  Model(std::string name, ForwardFn forward, InitFn init = {});
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  const std::string& name() const { return name_; }
  void set_name(std::string name) { name_ = std::move(name); }
  // Its name in paths (layer_path.h). A layer that joins others says how it does ("chain",
  // "residual"), as its name also holds theirs; unless it is set it is the name.
  const std::string& path_name() const { return path_name_.empty() ? name_ : path_name_; }
  void set_path_name(std::string name) { path_name_ = std::move(name); }
  // Whether it joins others: its name comes from theirs, and no path has it.
  bool has_composed_name() const { return !path_name_.empty(); }

  // Replaces what it computes: a parent may run a faster path over its children.
  void set_forward(ForwardFn forward) { forward_ = std::move(forward); }
  const ForwardFn& forward_function() const { return forward_; }

  Forward operator()(Context& ctx, const Value& input) const {
    return ctx.tells_layers_apart() ? run_as_layer(ctx, input) : forward_(ctx, *this, input);
  }
  // Without a backward pass.
  Value predict(Context& ctx, const Value& input) const;

  // The memory that training takes for it, for inputs of that width. Unless the layer says
  // otherwise that is its parts in sequence, or without parts its input, its output and its
  // gradient.
  LayerCost cost(double width) const;
  void set_cost(CostFn cost) { cost_ = std::move(cost); }

  // Runs the init function (the default passes the sample to the first child, its output to the
  // next ...). Parameters that exist are left as they are. Throws Error(config) where a dimension
  // stays unknown.
  void initialize(Context& ctx, const Value& input, const Value& output, InitRandom& random);

  // ---- dimensions: set once, later settings must agree
  bool has_dim(std::string_view name) const;
  std::optional<std::int64_t> find_dim(std::string_view name) const;
  std::int64_t dim(std::string_view name) const;  // Error(internal) if unset
  void declare_dim(std::string_view name);        // known, not set
  // Throws Error(config), which names the node, where it is set to another value.
  void set_dim(std::string_view name, std::int64_t value);
  void replace_dim(std::string_view name, std::int64_t value);  // for resizing
  const std::vector<std::pair<std::string, std::optional<std::int64_t>>>& dims() const {
    return dims_;
  }

  // The one that is the width of the pipeline's word vectors, where a layer looks them up; else "".
  const std::string& vectors_dim() const { return vectors_dim_; }
  void set_vectors_dim(std::string name) { vectors_dim_ = std::move(name); }

  // ---- parameters
  // Throws Error(internal) where it was not declared.
  Parameter& param(std::string_view name);
  const Parameter& param(std::string_view name) const;
  // `axes`: see Parameter::axes; with them a model file is checked against the dimensions.
  Parameter& declare_param(std::string_view name, std::vector<std::string> axes = {});
  void set_param(std::string_view name, Tensor value);
  // Adds to the gradient of a parameter in the context's sink.
  static Tensor& grad(Context& ctx, const Parameter& parameter);
  std::vector<std::unique_ptr<Parameter>>& params() { return params_; }
  const std::vector<std::unique_ptr<Parameter>>& params() const { return params_; }

  // ---- attributes: what a model file keeps beside the parameters
  const Node* attr(std::string_view name) const { return attrs_.find(name); }
  void set_attr(std::string_view name, Node value) { attrs_.set(name, std::move(value)); }
  // One that the tree is built by: a model file has to say the same.
  void set_fixed_attr(std::string_view name, Node value);
  bool has_fixed_attr(std::string_view name) const;
  const Object& attrs() const { return attrs_; }

  // The same tree once more, with copies of parameters; references within the tree lead to the
  // copies.
  ModelPtr clone() const;

  // ---- further outputs for a layer that is trained already
  bool may_grow() const { return may_grow_; }
  void set_may_grow(bool may_grow) { may_grow_ = may_grow; }
  // The bias that a further output begins with; its weights are zeros.
  float new_bias() const { return new_bias_; }
  void set_new_bias(float bias) { new_bias_ = bias; }

  // The format of the weights in model files (model_file.h); f32 unless it is set.
  DType saved_as() const { return saved_as_; }
  void save_as(DType type) { saved_as_ = type; }

  // ---- the tree
  std::vector<ModelPtr>& layers() { return layers_; }
  const std::vector<ModelPtr>& layers() const { return layers_; }
  void set_ref(std::string_view name, const ModelPtr& node);  // null: known, not set
  const Model& ref(std::string_view name) const;              // Error(internal) if unset
  Model& ref(std::string_view name);
  bool has_ref(std::string_view name) const;
  const std::vector<std::pair<std::string, std::weak_ptr<Model>>>& refs() const { return refs_; }
  // Nodes below this one that its own functions ask for. References are part of model files, and
  // their names are spaCy's; parts are not. A copy of the tree leads to the copies.
  void set_part(std::string_view name, const ModelPtr& node);
  Model& part(std::string_view name) const;  // Error(internal) if unset
  // Puts another node in the place of `old` wherever this one or a node below it names that: as a
  // child, reference or part.
  void replace(const Model& old, const ModelPtr& node);
  // All nodes breadth first, this one first, each once: the order of model files.
  std::vector<Model*> walk();
  std::vector<const Model*> walk() const;

  // The name of this node for dropout sites and in error messages: "tok2vec/36/dropout". Set for
  // the whole tree by `name_sites`.
  const std::string& site() const { return site_; }
  // Its name in rules and messages of the precision policy, by its place in the tree:
  // "components.tok2vec.model.chain.residual_2.maxout" (docs/precision.md). Set by `name_sites`.
  const std::string& path() const { return path_; }
  void name_sites(std::string_view component);

 private:
  std::string name_;
  std::string path_name_;
  ForwardFn forward_;
  InitFn init_;
  CostFn cost_;
  std::vector<std::pair<std::string, std::optional<std::int64_t>>> dims_;
  std::vector<std::unique_ptr<Parameter>> params_;
  Object attrs_;
  std::vector<std::string> fixed_attrs_;
  std::vector<ModelPtr> layers_;
  std::vector<std::pair<std::string, std::weak_ptr<Model>>> refs_, parts_;
  std::string site_;
  std::string path_;
  std::string vectors_dim_;
  bool may_grow_ = false;
  float new_bias_ = 0.0F;
  DType saved_as_ = DType::f32;

  Forward run_as_layer(Context& ctx, const Value& input) const;
};

template <>
struct ProductTraits<ModelPtr> {
  static constexpr std::string_view kind = "architectures", name = "model";
};

}  // namespace weft
