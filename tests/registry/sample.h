// A small catalogue and schemas in the manner of the real ones, for the tests of filling, checking
// and building.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "registry/base/problem.h"
#include "registry/functions/catalogue.h"
#include "registry/functions/schema.h"
#include "registry/value/config.h"

namespace weft::sample {

// A number that depends on the step.
struct Rate {
  std::function<double(int)> at;
};

struct Optimizer {
  Rate rate;
  double beta = 0;
};

struct Layer {
  std::string text;  // "dense(4)", "chain(dense(1), dense(2))"
};

struct Tagger {
  Layer model;
  int seed = 0;
};

const Catalogue& catalogue();  // kinds: sample_rates, sample_optimizers, sample_layers, factories
Schemas schemas();             // [training], [nlp], [system], [components.*]

// Reads a `.cfg` text that must be free of errors.
Config read(std::string_view text, bool interpolate = true);

// The problems, one per line.
std::string shown(const Problems& problems);

}  // namespace weft::sample

template <>
struct weft::ProductTraits<weft::sample::Rate> {
  static constexpr std::string_view kind = "sample_rates", name = "rate";
};
template <>
struct weft::ProductTraits<weft::sample::Optimizer> {
  static constexpr std::string_view kind = "sample_optimizers", name = "optimizer";
};
template <>
struct weft::ProductTraits<weft::sample::Layer> {
  static constexpr std::string_view kind = "sample_layers", name = "layer";
};
template <>
struct weft::ProductTraits<weft::sample::Tagger> {
  static constexpr std::string_view kind = "factories", name = "component";
};

// A rate may be written as a number.
template <>
struct weft::FieldConversion<weft::sample::Rate> {
  static Type accepts() { return Type::floating(); }
  static sample::Rate from_node(const Node& data) {
    return {[value = data.as_float()](int) { return value; }};
  }
  static Node to_node(const sample::Rate& rate) { return rate.at ? rate.at(0) : 0.0; }
};

namespace weft::sample {

// The training section as its schema describes it.
struct Training {
  std::string train_corpus;
  double dropout = 0.1;
  int patience = 1600;
  std::optional<std::string> gpu_allocator;
  std::vector<std::string> frozen_components;
  std::map<std::string, std::optional<double>> score_weights;
  Optimizer optimizer;
};

template <class V>
void fields(V& v, Training& c) {
  v.required("train_corpus", c.train_corpus, "dotted name of the corpus");
  v("dropout", c.dropout, "share of values set to zero", range(0.0, 1.0), strict);
  v("patience", c.patience, "steps without progress before it stops", at_least(0), strict);
  v("gpu_allocator", c.gpu_allocator, "which library manages GPU memory",
    Ignored{"means nothing here: weft manages GPU memory itself"});
  v("frozen_components", c.frozen_components, "components that are not trained");
  v("score_weights", c.score_weights, "weight of each score");
  v.block("optimizer", c.optimizer, "[optimizer]\n@sample_optimizers = \"adam.v1\"",
          "how parameters are updated");
}

}  // namespace weft::sample
