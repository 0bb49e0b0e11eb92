// The layer of a pipeline that [pretraining] trains, and that [initialize] init_tok2vec loads.
// Source: spaCy 3.8, `spacy.training.pretrain` (get_tok2vec_ref); docs/pretraining.md.
#pragma once

#include <string>

#include "framework/nn/model.h"
#include "framework/pipeline/language.h"
#include "registry/base/export.h"

namespace weft {

struct LayerChoice {
  std::string component;  // [pretraining] component
  std::string layer;      // [pretraining] layer; empty: the whole model
};

// A component whose model has a projection of token vectors to another width as one of its parts.
class WEFT_API ProjectsVectors {
 public:
  virtual ~ProjectsVectors() = default;
  // The network behind the projection `layer`; null for another layer.
  virtual ModelPtr projected_network(const Model& layer) const = 0;
};

// The layer, which makes a vector of each token. Of a listener it is the network of the component
// that it listens to; of a parser's projection, the network that is projected.
// Throws Error(config) where the pipeline has nothing of that kind.
WEFT_API ModelPtr pretrained_layer(const Language& nlp, const LayerChoice& choice);

// The choice of a config without variables; two empty names where [pretraining] is empty.
WEFT_API LayerChoice layer_choice(const Config& values);

}  // namespace weft
