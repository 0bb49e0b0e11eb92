// The layer below a parser's states, chain(network, list2array, linear), by what its parts are to
// it: the order is the one that model files hold, and nobody else counts.
#pragma once

#include "framework/nn/model.h"

namespace weft {

struct TokenProjection {
  explicit TokenProjection(const Model& chain)
      : network(chain.layers().front()), linear(chain.layers().back()) {}

  ModelPtr network;  // gives a vector for each token
  ModelPtr linear;   // makes it as wide as the states want it
};

}  // namespace weft
