// `labels` of [initialize.components.NAME], as most components take it. Null, or left out: the
// labels come from the training data.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "registry/functions/fields.h"

namespace weft {

struct LabelNames {
  std::optional<std::vector<std::string>> labels;
};

template <class V>
void fields(V& v, LabelNames& c) {
  v("labels", c.labels, "names of the labels, in the order of the classes", strict);
}

// Labels that have more to them than a name: what `weft init labels` writes.
struct LabelTable {
  std::optional<Object> labels;
};

template <class V>
void fields(V& v, LabelTable& c) {
  v("labels", c.labels, "the labels, as `weft init labels` writes them", strict);
}

struct LabelNamesOrTable {
  std::optional<std::variant<std::vector<std::string>, Object>> labels;
};

template <class V>
void fields(V& v, LabelNamesOrTable& c) {
  v("labels", c.labels, "names of the labels, or what `weft init labels` writes", strict);
}

}  // namespace weft
