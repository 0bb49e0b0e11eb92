// Records of counted words and word sequences, and of the places of their weights: what the
// gradient of the weights is for one document.
#include <string>

#include "components/layers/layers.h"
#include "framework/nn/gradients.h"
#include "framework/ops/mask_source.h"
#include "framework/text/symbols.h"
#include "framework/text/vocab.h"
#include "tests/conformance/conformance_components/document.h"
#include "tests/conformance/conformance_components/records.h"

namespace weft::conformance {
namespace {

// Keys and counts as the records write them.
void check_keys(const std::string& id, const Json& record, const TensorList& counted,
                Checks& checks) {
  Json keys = Json::array(), counts = Json::array();
  for (std::int64_t i = 0; i < counted.at(0).size(); ++i) {
    keys.push_back(std::to_string(counted[0].data<std::uint64_t>()[i]));
    counts.push_back(counted[1].data<std::int32_t>()[i]);
  }
  checks.equal(id, "keys", keys, record.at("keys"));
  checks.equal(id, "counts", counts, record.at("counts"));
}

void check_gradient(const std::string& id, const Json& wanted, bool v1_indexing,
                    const TensorList& counted, Checks& checks) {
  const std::int64_t classes = wanted.at("nO"), length = wanted.at("length");
  const ModelPtr layer = layers::sparse_linear(classes, length, v1_indexing);
  Context ctx;
  InitRandom random(1);
  layer->initialize(ctx, Value(), Value(), random);
  Gradients gradients;
  CounterMasks masks(1, 0);
  ctx.pass().train(0.0, gradients, masks);
  const Forward forward = (*layer)(ctx, counted);
  Tensor d = Tensor::zeros({1, classes});
  for (std::int64_t c = 0; c < classes; ++c) d.data<float>()[c] = wanted.at("d").at(c);
  forward.backward(ctx, d);
  Json index = Json::array(), values = Json::array();
  const Tensor* gradient = gradients.find(layer->param("W"));
  for (std::int64_t i = 0; gradient != nullptr && i < gradient->size(); ++i) {
    const float value = gradient->data<float>()[i];
    if (value == 0.0F) continue;
    index.push_back(i);
    values.push_back(value);
  }
  const std::string version = v1_indexing ? "v1." : "v2.";
  checks.equal(id, version + "gradient_index", index, wanted.at("gradient_index"));
  checks.equal(id, version + "gradient_value", values, wanted.at("gradient_value"));
}

}  // namespace

void replay_ngrams(const std::filesystem::path& file, const Catalogue&, Checks& checks) {
  const auto vocab = std::make_shared<Vocab>("en");
  for_each_line(file, [&](int number, const Json& record) {
    const std::string id = std::to_string(number);
    const Doc doc = words_of(record, vocab);
    const Doc* const docs[] = {&doc};
    const ModelPtr features =
        layers::extract_ngrams(record.at("ngram_size"), static_cast<int>(Attr::orth));
    Context ctx;
    const Value output = features->predict(ctx, DocBatch(docs));
    const auto& counted = std::get<TensorList>(output);
    check_keys(id, record, counted, checks);
    check_gradient(id, record.at("v1"), true, counted, checks);
    check_gradient(id, record.at("v2"), false, counted, checks);
  });
}

}  // namespace weft::conformance
