#include "framework/text/predicted_docs.h"

namespace weft {

std::vector<const Doc*> predicted_docs(std::span<Example* const> examples) {
  std::vector<const Doc*> docs;
  for (const Example* example : examples) docs.push_back(&example->predicted());
  return docs;
}

}  // namespace weft
