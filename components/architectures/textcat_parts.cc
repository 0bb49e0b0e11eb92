#include "components/architectures/textcat_parts.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "components/layers/composition.h"
#include "framework/nn/shape_inference.h"
#include "registry/base/error.h"

namespace weft {

namespace {

bool declares(const Model& layer, std::string_view dim) {
  return std::any_of(layer.dims().begin(), layer.dims().end(),
                     [&](const auto& known) { return known.first == dim; });
}

}  // namespace

ModelPtr nested_chain(const std::vector<ModelPtr>& layers) {
  ModelPtr model = layers.front();
  for (std::size_t i = 1; i < layers.size(); ++i) model = layers::chain({model, layers[i]});
  return model;
}

ModelPtr on_documents(const ModelPtr& layer) {
  layer->set_forward(
      [run = layer->forward_function()](Context& ctx, const Model& model, const Value& input) {
        const RowPlace place(ctx.pass(), ctx.pass().docs_before());
        return run(ctx, model, input);
      });
  return layer;
}

ModelPtr with_init(const ModelPtr& root, Model::InitFn init) {
  auto model = std::make_shared<Model>(root->name(), root->forward_function(), std::move(init));
  model->layers() = root->layers();
  for (const auto& [name, size] : root->dims()) declare_dim(*model, name, size);
  return model;
}

void infer_classes(Model& layer, const Value& output) {
  if (layer.layers().empty()) return infer_dim(layer, "nO", output);
  for (auto child = layer.layers().rbegin(); child != layer.layers().rend(); ++child) {
    if (declares(**child, "nO")) return infer_classes(**child, output);
  }
}

void set_classes(Model& root, const Value& output) {
  const auto classes = width_of(output);
  if (!classes) return;
  root.replace_dim("nO", *classes);
  for (Model* layer = &root; layer != nullptr && !layer->layers().empty();) {
    Model* last = nullptr;
    for (const ModelPtr& child : layer->layers()) {
      if (declares(*child, "nO")) last = child.get();
    }
    const bool is_chain = last != nullptr && last->layers().size() > 1;
    if (is_chain) last->replace_dim("nO", *classes);
    layer = last;
  }
}

void initialize_classifier(Context& ctx, Model& model, const Value& input, const Value& output,
                           InitRandom& random) {
  infer_classes(model.ref("output_layer"), output);
  layers::initialize_in_sequence(ctx, model, input, output, random);
  set_classes(model, output);
}

ModelPtr with_tokens(const ModelPtr& pool) {
  pool->set_forward([run = pool->forward_function()](Context& ctx, const Model& model,
                                                     const Value& input) {
    const Ragged rows = as_ragged(ctx, input);
    if (std::count(rows.lengths.begin(), rows.lengths.end(), 0) > 0) {
      throw Error(ErrorKind::data,
                  fmt::format("a document without tokens has no numbers for {}: leave empty texts "
                              "out, or use the mean alone",
                              model.name()));
    }
    return run(ctx, model, rows);
  });
  return pool;
}

ModelPtr find_ref(const Model& model, std::string_view name) {
  for (const auto& [known, node] : model.refs()) {
    if (known == name) return node.lock();
  }
  return nullptr;
}

PooledBlock pooled_block(layers::Size width) {
  const ModelPtr maxout = layers::maxout({.outputs = width, .inputs = width});
  const ModelPtr norm = layers::layer_norm(width);
  const ModelPtr block =
      layers::residual(nested_chain({layers::chain({maxout, norm}), layers::dropout(0.0)}));
  return {on_documents(block), maxout, norm};
}

std::int64_t initialized_width(Context& ctx, Model& tok2vec, const Value& docs,
                               InitRandom& random) {
  tok2vec.initialize(ctx, docs, {}, random);
  if (const auto width = tok2vec.find_dim("nO")) return *width;
  return width_of(tok2vec.predict(ctx, docs)).value_or(0);
}

}  // namespace weft
