// The settings of components that follow several analyses at a time.
#pragma once

#include "framework/parser/beam_settings.h"
#include "registry/functions/fields.h"

namespace weft {

template <class V>
void beam_fields(V& v, BeamSettings& c) {
  v("beam_width", c.width,
    "analyses of a document that are followed at a time; 1: the best class alone",
    closed_range(1, kWidestBeam));
  v("beam_density", c.density,
    "analyses less probable than this share of the best one are dropped; 0: none",
    closed_range(0, 1));
  v("beam_update_prob", c.update_prob,
    "share of the batches that are trained with beams, and not by the best class alone",
    closed_range(0, 1));
}

}  // namespace weft
