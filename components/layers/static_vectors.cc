// spacy.StaticVectors.v2: the word vectors of the pipeline through a linear map. The vectors
// themselves are not trained. Source: spaCy 3.8, `spacy.ml.staticvectors`.
#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "components/layers/layers.h"
#include "framework/nn/add_gradient.h"
#include "framework/nn/model_limits.h"
#include "framework/nn/shape_inference.h"
#include "framework/ops/elementwise.h"
#include "framework/ops/gather.h"
#include "framework/ops/gemm.h"
#include "framework/ops/reduce.h"
#include "framework/ops/table_rows.h"
#include "framework/text/doc.h"
#include "framework/text/vectors.h"
#include "framework/unicode/unicode.h"
#include "registry/base/error.h"
#include "registry/base/seeded_hash.h"
#include "registry/functions/registration.h"

namespace weft::layers {

namespace {

// The stand-in for a word that has no vector.
enum class Missing { zeros, last_row };

// The vector of every token whose key is in the table.
Tensor rows_by_key(Context& ctx, const Vectors& vectors, DocBatch docs, Missing missing) {
  const auto otherwise =
      missing == Missing::zeros ? -1 : static_cast<std::int32_t>(vectors.rows() - 1);
  std::vector<std::int32_t> rows;
  const auto add = [&](std::span<const StringId> keys) {
    for (const StringId key : keys) {
      const std::int32_t row = vectors.row_of(key);
      rows.push_back(row < 0 ? otherwise : row);
    }
  };
  for (const Doc* doc : docs) {
    if (vectors.attr() == Attr::orth) {
      add(doc->attr_ids(Attr::orth));
    } else {
      add(doc->attr_values(vectors.attr()));
    }
  }
  return table_rows(ctx, vectors.table(), rows);
}

// The text whose n-grams make the vector of a token.
std::string key_text(const Doc& doc, int token, Attr attr) {
  switch (attr) {
    case Attr::orth:
      return std::string(doc.word(token));
    case Attr::lower:
      return lower(doc.word(token));
    case Attr::norm:
      return doc.norm(token);
    default:
      throw Error(ErrorKind::data, fmt::format("floret vectors by attribute {} of a token: those"
                                               " by ORTH, LOWER and NORM are known",
                                               static_cast<unsigned>(attr)));
  }
}

// Means of the vectors of n-grams, a row for each text. Rows of the table are copied for so many
// n-grams at a time as bounds the memory of long words and of large batches.
class NgramMeans {
 public:
  NgramMeans(Context& ctx, const Vectors& vectors, std::int64_t texts)
      : ctx_(ctx),
        vectors_(vectors),
        means_(ctx.empty({texts, vectors.width()}, vectors.table().dtype())) {}

  void add(std::string_view text) {
    std::vector<std::int32_t> rows;
    vectors_.append_rows(text, rows);
    if (rows_.size() + rows.size() > kRowsAtOnce) pool();
    rows_.insert(rows_.end(), rows.begin(), rows.end());
    lengths_.push_back(static_cast<std::int64_t>(rows.size()));
  }

  Tensor finish() {
    pool();
    return std::move(means_);
  }

 private:
  static constexpr std::size_t kRowsAtOnce = 1 << 14;

  // All texts that wait.
  void pool() {
    const auto texts = static_cast<std::int64_t>(lengths_.size());
    if (texts == 1 && rows_.size() > kRowsAtOnce) {
      add_up();
    } else if (texts > 0) {
      const Tensor parts = table_rows(ctx_, vectors_.table(), rows_);
      Tensor means = means_.rows(done_, done_ + texts);
      ctx_.run<PoolForward>(Pool::mean, parts, lengths_, means.view(), View());
    }
    done_ += texts;
    rows_.clear();
    lengths_.clear();
  }

  // One text of many n-grams, part by part: the additions that the mean of all at once makes.
  void add_up() {
    Tensor mean = means_.rows(done_, done_ + 1);
    const std::span<const std::int32_t> rows(rows_);
    for (std::size_t at = 0; at < rows.size(); at += kRowsAtOnce) {
      const auto some = rows.subspan(at, std::min(kRowsAtOnce, rows.size() - at));
      const Tensor parts = table_rows(ctx_, vectors_.table(), some);
      ctx_.run<AddColumnSums>(parts, mean.view(), at == 0 ? 0.0F : 1.0F);
    }
    Tensor share = Tensor::zeros(mean.shape());
    std::fill_n(share.data<float>(), share.size(), 1.0F / static_cast<float>(rows.size()));
    ctx_.run<MultiplyInPlace>(mean.view(), table_rows(ctx_, share, std::array<std::int32_t, 1>{0}));
  }

  Context& ctx_;
  const Vectors& vectors_;
  Tensor means_;
  std::int64_t done_ = 0;              // texts whose mean is there
  std::vector<std::int32_t> rows_;     // of the n-grams of those that wait
  std::vector<std::int64_t> lengths_;  // how many of them are of each
};

// The mean over the n-grams of every token's text; each text is looked at once.
Tensor means_of_ngrams(Context& ctx, const Vectors& vectors, DocBatch docs) {
  std::unordered_map<std::string, std::int32_t, SeededHash> numbers;
  std::vector<const std::string*> texts;  // in the order of their numbers
  std::vector<std::int32_t> tokens;       // which text each has
  for (const Doc* doc : docs) {
    for (int i = 0; i < doc->size(); ++i) {
      const auto [found, added] = numbers.try_emplace(key_text(*doc, i, vectors.attr()),
                                                      static_cast<std::int32_t>(texts.size()));
      tokens.push_back(found->second);
      if (added) texts.push_back(&found->first);
    }
  }
  NgramMeans means(ctx, vectors, static_cast<std::int64_t>(texts.size()));
  for (const std::string* text : texts) means.add(*text);
  return table_rows(ctx, means.finish(), tokens);
}

Tensor looked_up(Context& ctx, const Vectors& vectors, DocBatch docs, Missing missing) {
  return vectors.mode() == Vectors::Mode::floret ? means_of_ngrams(ctx, vectors, docs)
                                                 : rows_by_key(ctx, vectors, docs, missing);
}

const Vectors& vectors_of(const Model& model, DocBatch docs) {
  const Vectors& vectors = docs.front()->vocab()->vectors();
  const std::int64_t width = model.dim("nM");
  if (vectors.width() == width) return vectors;
  throw Error(ErrorKind::config,
              fmt::format("static_vectors needs word vectors of width {}, the pipeline's have {}",
                          width, vectors.width()));
}

// The gradient of W. As in the reference, a word without a vector counts here with the last row of
// the table, although it gave zeros in the forward pass.
Value backward(Context& ctx, const Model& model, const Tensor& vectors, const Tensor& mask,
               const Tensor& dy) {
  Tensor d_output = dy;
  if (mask) {
    d_output = ctx.result<Multiply>(dy.shape(), dy);
    ctx.run<Multiply>(dy, mask, d_output.view());
  }
  add_weight_gradient(ctx, model.param("W"), d_output, vectors);
  return {};
}

// Y = V W^T with V (tokens, width of the vectors) looked up in the vocabulary, and W (nO, nM) the
// only parameter. Nothing flows further back. In training V is looked up a second time for the
// gradient of W, see `backward`.
Forward forward(Context& ctx, const Model& model, Missing missing, const Value& input) {
  const DocBatch docs = as_docs(input);
  Ragged y;
  std::int64_t tokens = 0;
  for (const Doc* doc : docs) {
    y.lengths.push_back(doc->size());
    tokens += doc->size();
  }
  const Tensor& w = model.param("W").value;
  y.data = ctx.result<Gemm>({tokens, w.dim(0)}, w);
  const auto no_gradient = [](Context&, const Value&) { return Value(); };
  if (tokens == 0) return {std::move(y), no_gradient};
  const Vectors& vectors = vectors_of(model, docs);
  const Tensor found = looked_up(ctx, vectors, docs, missing);
  ctx.run<Gemm>(found, Transpose::no, w, Transpose::yes, y.data.view(), 0.0F);
  if (!ctx.training()) return {std::move(y), {}};
  Tensor mask;
  if (ctx.pass().dropout() != 0.0 && model.attr("dropout_rate") != nullptr) {
    mask = ctx.dropout_mask(model.site(), {1, w.dim(0)}, ctx.pass().dropout());
    ctx.run<MultiplyInPlace>(y.data.view(), mask);
  }
  const Tensor kept = looked_up(ctx, vectors, docs, Missing::last_row);
  return {std::move(y), [&model, kept, mask](Context& ctx, const Value& dy) {
            return backward(ctx, model, kept, mask, as_ragged(ctx, dy).data);
          }};
}

// The width of the vectors is that of the pipeline's table: known once there are documents, whose
// vocabulary holds it.
void initialize(Context& ctx, Model& model, const Initializer& init_w, const Value& input,
                InitRandom& random) {
  ctx.require<GatherRows>();
  ctx.require<Gemm>();
  const auto* docs = std::get_if<DocBatch>(&input);
  if (docs != nullptr && !docs->empty()) {
    const std::int64_t width = docs->front()->vocab()->vectors().width();
    if (width == 0) {
      throw Error(ErrorKind::config,
                  "the config asks for static vectors, and the pipeline has none: set [initialize]"
                  " vectors to the folder of a pipeline with vectors (--paths.vectors FOLDER), or"
                  " include_static_vectors to false");
    }
    model.set_dim("nM", width);
  }
  init_param(model, "W", {known_dim(model, "nO"), known_dim(model, "nM")}, init_w, random);
}

template <Missing missing>
ModelPtr make(const StaticVectorsSettings& c) {
  const auto run = [](Context& ctx, const Model& model, const Value& input) {
    return forward(ctx, model, missing, input);
  };
  const auto set_up = [init_w = c.init_w.value_or(glorot_uniform_init())](
                          Context& ctx, Model& model, const Value& input, const Value& output,
                          InitRandom& random) {
    infer_dim(model, "nO", output);
    initialize(ctx, model, init_w, input, random);
  };
  auto model = std::make_shared<Model>("static_vectors", run, set_up);
  declare_dim(*model, "nO", c.outputs);
  declare_dim(*model, "nM", c.width);
  model->set_vectors_dim("nM");
  model->declare_param("W", {"nO", "nM"});
  model->set_attr("key_attr", c.key_attr);
  model->set_attr("dropout_rate", c.dropout ? Node(*c.dropout) : Node());
  return model;
}

}  // namespace

template <class V>
void fields(V& v, StaticVectorsSettings& c) {
  v("nO", c.outputs, "width of the output; null: from the data", closed_range(1, kWidest));
  v("nM", c.width, "width of the vectors; null: that of the pipeline's table",
    closed_range(1, kWidest));
  v("dropout", c.dropout, "null: not set; training sets the rate of the run", keyword_only,
    range(0.0, 1.0));
  v("init_W", c.init_w, "fresh weights; null: glorot_uniform_init.v1", keyword_only);
  v("key_attr", c.key_attr, "kept in the model file", keyword_only,
    Ignored{"the vectors say by which attribute they are looked up"});
}

ModelPtr static_vectors(const StaticVectorsSettings& settings) {
  return make<Missing::zeros>(settings);
}

ModelPtr static_vectors_v1(const StaticVectorsSettings& settings) {
  return make<Missing::last_row>(settings);
}

static const Registration registered{"layers", "spacy.StaticVectors.v2", static_vectors,
                                     "the pipeline's word vectors through a linear map"};
static const Registration registered_v1{
    "layers", "spacy-legacy.StaticVectors.v1", static_vectors_v1,
    "the same, with the table's last row for words that have no vector"};

}  // namespace weft::layers
