// spacy.CharEmbed.v1: the vectors of some bytes of every word, side by side: the first, the last,
// the second, the last but one ... Source: spaCy 3.8, `spacy.ml._character_embed`.
#include <algorithm>

#include "components/layers/layers.h"
#include "framework/nn/model_limits.h"
#include "framework/nn/shape_inference.h"
#include "framework/ops/elementwise.h"
#include "framework/ops/gather.h"
#include "framework/text/doc.h"
#include "registry/functions/registration.h"

namespace weft::layers {

namespace {

constexpr std::int64_t kBytes = 256;
constexpr unsigned char kPad = 255;  // no byte of UTF-8

// Bytes of a word from both ends inwards, `kPad` where the word has no more.
void fill_bytes(std::string_view word, std::span<unsigned char> bytes) {
  std::size_t front = 0, back = word.size();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (front == back) {
      bytes[i] = kPad;
    } else {
      bytes[i] = static_cast<unsigned char>(i % 2 == 0 ? word[front++] : word[--back]);
    }
  }
}

// On the host: per token and place the row of E, seen as a matrix (places * 256, nM).
Tensor table_rows(Context& ctx, DocBatch docs, std::int64_t tokens, std::int64_t places) {
  Tensor rows = ctx.host_array({tokens * places, 1}, DType::i32);
  auto* to = rows.data<std::int32_t>();
  std::vector<unsigned char> bytes(static_cast<std::size_t>(places));
  for (const Doc* doc : docs) {
    for (int i = 0; i < doc->size(); ++i) {
      fill_bytes(doc->word(i), bytes);
      for (std::int64_t place = 0; place < places; ++place) {
        *to++ = static_cast<std::int32_t>(place * kBytes + bytes[static_cast<std::size_t>(place)]);
      }
    }
  }
  return rows;
}

// As in the reference, of the tokens of one document with the same byte in the same place only the
// last one counts: its gradient is assigned, not added.
std::vector<std::int32_t> without_repeats(const Tensor& rows, std::int64_t first,
                                          std::int64_t count) {
  std::vector<std::int32_t> kept;
  std::vector<bool> seen;
  const auto* row = rows.data<std::int32_t>();
  for (std::int64_t i = first + count; i-- > first;) {
    const auto number = static_cast<std::size_t>(row[i]);
    if (number >= seen.size()) seen.resize(number + 1);
    if (!seen[number]) kept.push_back(static_cast<std::int32_t>(i));
    seen[number] = true;
  }
  return kept;
}

Tensor as_column(Context& ctx, const std::vector<std::int32_t>& numbers) {
  Tensor column = ctx.host_array({static_cast<std::int64_t>(numbers.size()), 1}, DType::i32);
  std::copy(numbers.begin(), numbers.end(), column.data<std::int32_t>());
  return ctx.placed(column);
}

Tensor chosen(Context& ctx, const Tensor& table, const Tensor& rows) {
  Tensor result = ctx.result<GatherRows>({rows.dim(0), table.dim(1)}, table);
  ctx.run<GatherRows>(table, rows, result.view());
  return result;
}

// Gradients are added document by document, in their order, so that the sums of a table's row come
// in a fixed order.
Value backward(Context& ctx, const Model& model, const Tensor& rows, const Ragged& dy) {
  const std::int64_t places = model.dim("nC"), width = model.dim("nM");
  const Tensor d_bytes = dy.data.reshaped({rows.dim(0), width});
  Tensor& gradient = Model::grad(ctx, model.param("E"));
  Tensor d_table = gradient.reshaped({places * kBytes, width});
  const auto* row = rows.data<std::int32_t>();
  std::int64_t first = 0;
  for (const std::int64_t length : dy.lengths) {
    const std::vector<std::int32_t> kept = without_repeats(rows, first, length * places);
    std::vector<std::int32_t> targets;
    targets.reserve(kept.size());
    for (const std::int32_t i : kept) targets.push_back(row[i]);
    ctx.run<ScatterAddRows>(chosen(ctx, d_bytes, as_column(ctx, kept)), as_column(ctx, targets),
                            d_table.view(), 1.0F);
    first += length * places;
  }
  return {};
}

// The table E of (places, 256, width) is read as a matrix of places * 256 rows: one gather makes
// (tokens * places, width), which is the output (tokens, places * width) without a copy.
Forward forward(Context& ctx, const Model& model, const Value& input) {
  const DocBatch docs = as_docs(input);
  const std::int64_t places = model.dim("nC"), width = model.dim("nM");
  Ragged y;
  std::int64_t tokens = 0;
  for (const Doc* doc : docs) {
    y.lengths.push_back(doc->size());
    tokens += doc->size();
  }
  const Tensor rows = table_rows(ctx, docs, tokens, places);
  const Tensor table = model.param("E").value.reshaped({places * kBytes, width});
  y.data = chosen(ctx, table, ctx.placed(rows)).reshaped({tokens, places * width});
  if (!ctx.training()) return {std::move(y), {}};
  return {std::move(y), [&model, rows](Context& ctx, const Value& dy) {
            return backward(ctx, model, rows, as_ragged(ctx, dy));
          }};
}

void initialize(Context& ctx, Model& model, const Value&, const Value&, InitRandom& random) {
  ctx.require<GatherRows>();
  ctx.require<ScatterAddRows>();
  init_param(model, "E", {model.dim("nC"), kBytes, model.dim("nM")}, zero_init(), random);
}

struct CharEmbed {
  int nM = 0;
  int nC = 0;
};

template <class V>
void fields(V& v, CharEmbed& c) {
  v.required("nM", c.nM, "width of the vector of each byte", closed_range(1, kWidest));
  v.required("nC", c.nC, "bytes of each word, from both ends inwards", closed_range(1, kMostBytes));
}

ModelPtr make(const CharEmbed& c) {
  return char_embed(c.nM, c.nC);
}

}  // namespace

ModelPtr char_embed(int width, int count) {
  auto model = std::make_shared<Model>("charembed", forward, initialize);
  model->set_dim("nM", width);
  model->set_dim("nC", count);
  model->set_dim("nO", std::int64_t{width} * count);
  model->set_dim("nV", kBytes);
  model->declare_param("E", {"nC", "nV", "nM"});
  return model;
}

static const Registration registered{"layers", "spacy.CharEmbed.v1", make,
                                     "the vectors of some bytes of every word"};

}  // namespace weft::layers
