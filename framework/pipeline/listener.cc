#include "framework/pipeline/listener.h"

#include <fmt/format.h>

#include "framework/pipeline/component.h"
#include "framework/pipeline/slots.h"
#include "framework/text/doc.h"
#include "registry/base/error.h"

namespace weft {
namespace {

Value zeros_for(Context& ctx, const Model& model, const Value& input) {
  Ragged zeros;
  std::int64_t tokens = 0;
  for (const Doc* doc : as_docs(input)) {
    zeros.lengths.push_back(doc->size());
    tokens += doc->size();
  }
  zeros.data = ctx.zeros({tokens, model.dim("nO")});
  return zeros;
}

Value rows_for(Context& ctx, const Slots::Output& output, DocBatch docs) {
  if (!are_retokenized(output.tokens, docs)) return output.rows;
  if (!ctx.training()) return retokenized_rows(ctx, output.rows, output.tokens, docs);
  throw Error(ErrorKind::config,
              "a Tok2VecListener finds other tokens than its tok2vec component had: in training "
              "none may be joined or split between them");
}

}  // namespace

Forward Listener::operator()(Context& ctx, const Model& model, const Value& input) const {
  Value vectors;
  if (ctx.pass().slots() == nullptr) {
    vectors = zeros_for(ctx, model, input);
  } else if (const Slots::Output* output = ctx.pass().slots()->output(upstream)) {
    vectors = rows_for(ctx, *output, as_docs(input));
  } else {
    throw Error(ErrorKind::config,
                fmt::format("a Tok2VecListener finds no token vectors: the pipeline needs a tok2vec"
                            " component before it (upstream \"{}\")",
                            upstream));
  }
  if (!ctx.training()) return {std::move(vectors), {}};
  return {std::move(vectors), [upstream = upstream](Context& ctx, const Value& d_vectors) {
            ctx.pass().slots()->add_gradient(upstream, d_vectors);
            return Value();
          }};
}

const Listener* listener_of(const Model& node) {
  return node.forward_function().target<Listener>();
}

std::vector<Model*> listeners_in(const Component& component) {
  std::vector<Model*> found;
  for (const ModelPtr& root : component.models()) {
    for (Model* node : root->walk()) {
      if (listener_of(*node) != nullptr) found.push_back(node);
    }
  }
  return found;
}

const TokenVectorSource* vector_source(const Component* component) {
  return dynamic_cast<const TokenVectorSource*>(component);
}

}  // namespace weft
