// spacy.LinearLogistic.v1: a score between 0 and 1 for each of several labels. Source: spaCy 3.8.
#include "components/layers/span_layers.h"
#include "framework/nn/model_limits.h"
#include "registry/functions/registration.h"

namespace weft::layers {

namespace {

struct Settings {
  Size nO;
  Size nI;
};

template <class V>
void fields(V& v, Settings& c) {
  v("nO", c.nO, "number of labels; null: from the data", closed_range(1, kWidest));
  v("nI", c.nI, "width of the input; null: from the data", closed_range(1, kWidest));
}

ModelPtr make(const Settings& c) {
  return linear_logistic(c.nO, c.nI);
}

}  // namespace

ModelPtr linear_logistic(Size outputs, Size inputs) {
  const ModelPtr affine = linear({.outputs = outputs, .inputs = inputs});
  const auto initialize = [](Context& ctx, Model& model, const Value& input, const Value& output,
                             InitRandom& random) {
    for (const ModelPtr& layer : model.layers()) {
      layer->initialize(ctx, input, output, random);
      for (const char* dim : {"nO", "nI"}) {
        if (const auto size = layer->find_dim(dim)) model.set_dim(dim, *size);
      }
    }
  };
  const ModelPtr both = chain({affine, logistic()});
  auto model = std::make_shared<Model>(both->name(), both->forward_function(), initialize);
  model->layers() = both->layers();
  for (const auto& [dim, size] : affine->dims()) {
    model->declare_dim(dim);
    if (size) model->set_dim(dim, *size);
  }
  return model;
}

static const Registration registered{"layers", "spacy.LinearLogistic.v1", make,
                                     "scores of labels that go together"};

}  // namespace weft::layers
