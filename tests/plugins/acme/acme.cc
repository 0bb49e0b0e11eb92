#include "sprinkler.h"

#include "registry/functions/registration.h"

namespace acme {
namespace {

struct SprinklerSettings {
  double litres = 0;
  int heads = 4;
};

template <class V>
void fields(V& v, SprinklerSettings& c) {
  v.required("litres", c.litres, "water per minute", weft::more_than(0));
  v("heads", c.heads, "how many outlets share it", weft::at_least(1));
}

Sprinkler sprinkler(const SprinklerSettings& c) {
  return {c.litres, c.heads};
}

const weft::Registration registered{"acme.Sprinkler.v1", sprinkler, "waters the garden"};

}  // namespace
}  // namespace acme
