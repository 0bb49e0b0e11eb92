#include "tests/registry/sample.h"

#include <gtest/gtest.h>

#include "registry/functions/catalogue.h"
#include "registry/functions/registration.h"
#include "registry/reading/cfg_reader.h"

namespace weft::sample {
namespace {

struct Warm {
  double peak = 0;
  int warmup_steps = 100;
  std::string kind = "linear";
};
template <class V>
void fields(V& v, Warm& c) {
  v.required("peak", c.peak, "the highest rate", more_than(0));
  v("warmup_steps", c.warmup_steps, "steps until the peak", at_least(1));
  v("kind", c.kind, "how it grows", one_of("linear", "cosine"));
}
Rate warm(const Warm& c) {
  return {
      [c](int step) { return step >= c.warmup_steps ? c.peak : c.peak * step / c.warmup_steps; }};
}

struct Adam {
  Rate learn_rate = FieldConversion<Rate>::from_node(Node(0.001));
  double beta = 0.9;
  bool averages = false;
  bool decoupled = true;
};
template <class V>
void fields(V& v, Adam& c) {
  v("learn_rate", c.learn_rate, "the learning rate");
  v("beta", c.beta, "decay of the mean", range(0.0, 1.0));
  v("averages", c.averages, "whether to keep averages");
  v("decoupled", c.decoupled, "whether weight decay is decoupled", strict);
}
Optimizer adam(Adam c) {
  return {std::move(c.learn_rate), c.beta};
}

struct Plain {
  double learn_rate = 0.1;
};
template <class V>
void fields(V& v, Plain& c) {
  v("learn_rate", c.learn_rate, "the learning rate");
}
Optimizer plain(const Plain& c) {
  return {{[c](int) { return c.learn_rate; }}, 0};
}

struct Dense {
  int width = 0;
  std::optional<int> depth;
  std::tuple<int, int> window{1, 1};
  std::vector<int> rows;
};
template <class V>
void fields(V& v, Dense& c) {
  v.required("width", c.width, "columns of the output", at_least(1));
  v("depth", c.depth, "layers in a row");
  v("window", c.window, "neighbours to the left and right");
  v("rows", c.rows, "rows of each table", at_least(1), keyword_only);
}
Layer dense(const Dense& c) {
  if (c.width == 13) throw std::runtime_error("13 brings bad luck");
  if (c.width == 1313) throw c.width;
  return {"dense(" + std::to_string(c.width) + ")"};
}

struct Chain {
  std::vector<Layer> layers;
};
template <class V>
void fields(V& v, Chain& c) {
  v.variadic("layers", c.layers, "the layers, first to last");
}
Layer chain(const Chain& c) {
  std::string text;
  for (const Layer& layer : c.layers) text += (text.empty() ? "" : ", ") + layer.text;
  return {"chain(" + text + ")"};
}

struct TaggerSettings {
  Layer model;
  int seed = 0;
};
template <class V>
void fields(V& v, TaggerSettings& c) {
  v.block("model", c.model, "[model]\n@sample_layers = \"dense.v1\"\nwidth = 96\ndepth = 4",
          "the network");
  v("seed", c.seed, "of the initial values");
}
Tagger tagger(TaggerSettings c) {
  return {std::move(c.model), c.seed};
}

struct Nlp {
  std::string lang;
  std::vector<std::string> pipeline;
  int batch_size = 1000;
};
template <class V>
void fields(V& v, Nlp& c) {
  v.required("lang", c.lang, "the language");
  v("pipeline", c.pipeline, "names of the components, in order");
  v("batch_size", c.batch_size, "documents at a time", at_least(1));
}

struct System {
  int seed = 0;
  std::optional<std::string> gpu_allocator;
};
template <class V>
void fields(V& v, System& c) {
  v("seed", c.seed, "of all random numbers");
  v("gpu_allocator", c.gpu_allocator, "which library manages GPU memory",
    Ignored{"means nothing here: weft manages GPU memory itself"});
}

struct Source {
  std::string source;
};
template <class V>
void fields(V& v, Source& c) {
  v.required("source", c.source, "the pipeline to take the component from");
}

const Registration kWarm{"warm.v1", warm, "grows to a peak"};
const Registration kAdam{"adam.v1", adam, "Adam"};
const Registration kPlain{"plain.v1", plain, "gradient descent"};
const Registration kDense{"dense.v1", dense, "an affine layer"};
const Registration kChain{"chain.v1", chain, "layers one after the other"};
const Registration kTagger{"tagger", tagger, "assigns tags"};
const Registration kCuda{[](Catalogue& catalogue) {
  catalogue.add(Function("sample_layers", "cuda.v1", "dense on a GPU", signature_of<Dense>(),
                         Type::any(), Function::Call()));
}};

}  // namespace

const Catalogue& catalogue() {
  static const Catalogue catalogue = [] {
    Catalogue made;
    made.add(Registration::head(), "the tests");
    return made;
  }();
  return catalogue;
}

Schemas schemas() {
  Schemas schemas;
  schemas.add<Training>("training");
  schemas.add<Nlp>("nlp");
  schemas.add<System>("system", UnknownKeys::warn);
  SectionSchema components{"components.*", signature_of<Source>()};
  components.selector = "factory";
  components.kind = "factories";
  schemas.add(std::move(components));
  return schemas;
}

Config read(std::string_view text, bool interpolate) {
  Problems problems;
  Config config = read_cfg(text, "test.cfg", problems, {.interpolate = interpolate});
  EXPECT_FALSE(has_errors(problems)) << shown(problems);
  return config;
}

std::string shown(const Problems& problems) {
  std::string text;
  for (const Problem& problem : problems) {
    if (problem.severity == Severity::warning) text += "warning: ";
    if (problem.severity == Severity::note) text += "note: ";
    text += problem.str() + "\n";
  }
  return text;
}

}  // namespace weft::sample
