// The layer below a parser's states, chain(network, list2array, linear), by what its parts are to
// it: the architecture that builds the chain names them.
#pragma once

#include "framework/nn/model.h"

namespace weft {

struct TokenProjection {
  // Of a chain that `mark` was called for.
  explicit TokenProjection(const Model& chain)
      : network(chain.part(kNetwork)), linear(chain.part(kLinear)) {}

  static void mark(Model& chain, const ModelPtr& network, const ModelPtr& linear) {
    chain.set_part(kNetwork, network);
    chain.set_part(kLinear, linear);
  }

  Model& network;  // gives a vector for each token
  Model& linear;   // makes it as wide as the states want it

 private:
  static constexpr const char* kNetwork = "network";
  static constexpr const char* kLinear = "linear";
};

}  // namespace weft
