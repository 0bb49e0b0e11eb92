// Layers that take token vectors from another component of the pipeline instead of computing them.
// Source: spaCy 3.8, Tok2VecListener.
#pragma once

#include <string>
#include <vector>

#include "framework/nn/model.h"
#include "registry/base/export.h"

namespace weft {

class Component;

// The forward function of a listener, by which other code knows one: it gives what `upstream`
// published for the documents at hand and hands gradients back to it. Without a pipeline around it,
// while sizes are inferred, it gives zeros of the node's width nO.
struct WEFT_API Listener {
  std::string upstream;  // name of a component; "*": the latest that published vectors

  // Throws Error(config) where nobody has published any.
  Forward operator()(Context& ctx, const Model& model, const Value& input) const;
};

// Null for a node that is no listener.
WEFT_API const Listener* listener_of(const Model& node);

// The listeners among a component's layers, each once, in the order of Model::walk.
WEFT_API std::vector<Model*> listeners_in(const Component& component);

// A component that publishes token vectors (Slots::publish) says so by this base.
class WEFT_API TokenVectorSource {
 public:
  virtual ~TokenVectorSource() = default;
  // The network that makes them.
  virtual const ModelPtr& vector_model() const = 0;
};

// Null for a component that publishes none.
WEFT_API const TokenVectorSource* vector_source(const Component* component);

}  // namespace weft
