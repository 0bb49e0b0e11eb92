// spacy.PretrainVectors.v1: an embedding learns the word vectors of masked words. spaCy 3.8,
// `spacy.ml.models.multi_task`; Thinc 8.3, CosineDistance and L2Distance; docs/pretraining.md.
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

#include "components/layers/layers.h"
#include "framework/nn/model_limits.h"
#include "framework/pipeline/setting_error.h"
#include "framework/text/doc.h"
#include "framework/text/vectors.h"
#include "framework/text/vocab.h"
#include "framework/training/pretraining_objective.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

enum class Distance { cosine, l2 };
constexpr std::array<std::string_view, 2> enum_names(Distance) {
  return {"cosine", "L2"};
}

struct Settings {
  int maxout_pieces = 0;
  int hidden_size = 0;
  Distance loss = Distance::cosine;
};

template <class V>
void fields(V& v, Settings& c) {
  v.required("maxout_pieces", c.maxout_pieces, "pieces of the hidden layer", closed_range(1, 255));
  v.required("hidden_size", c.hidden_size, "width of the hidden layer", closed_range(1, kWidest));
  v.required("loss", c.loss, "distance of predicted and real vector");
}

// The vector of a word into `target`; zeros where it has none. Says whether it is all zeros.
bool write_vector(const Doc& doc, int token, const Vectors& vectors, std::vector<float>& target) {
  std::fill(target.begin(), target.end(), 0.0F);
  std::vector<std::int32_t> rows;
  if (vectors.mode() == Vectors::Mode::floret) {
    vectors.append_rows(doc.word(token), rows);
  } else if (const std::int32_t row =
                 vectors.row_of(doc.attr_ids(Attr::orth)[static_cast<std::size_t>(token)]);
             row >= 0) {
    rows.push_back(row);
  }
  const auto width = static_cast<std::int64_t>(target.size());
  for (const std::int32_t row : rows) {
    const float* from = vectors.table().data<float>() + row * width;
    for (std::size_t i = 0; i < target.size(); ++i) target[i] += from[i];
  }
  bool is_zero = true;
  for (float& number : target) {
    if (rows.size() > 1) number /= static_cast<float>(rows.size());
    is_zero = is_zero && number == 0.0F;
  }
  return is_zero;
}

constexpr double kSmall = 1e-8;

struct Cosine {
  double cosine, length, target_length;
};

Cosine cosine_of(const float* y, const std::vector<float>& target) {
  double product = 0.0, squares = 0.0, target_squares = 0.0;
  for (std::size_t i = 0; i < target.size(); ++i) {
    const double a = y[i] + kSmall, b = target[i] + kSmall;
    product += a * b;
    squares += a * a;
    target_squares += b * b;
  }
  const double length = std::sqrt(squares), target_length = std::sqrt(target_squares);
  return {product / (length * target_length), length, target_length};
}

// Of one token; a word without a vector counts nothing.
double cosine_loss(const float* y, const std::vector<float>& target, bool is_zero, double tokens,
                   float* d) {
  if (is_zero) {
    std::fill(d, d + target.size(), 0.0F);
    return 0.0;
  }
  const Cosine c = cosine_of(y, target);
  for (std::size_t i = 0; i < target.size(); ++i) {
    const double a = y[i] + kSmall, b = target[i] + kSmall;
    const double slope = b / (c.length * c.target_length) - c.cosine * a / (c.length * c.length);
    d[i] = static_cast<float>(-slope / tokens);
  }
  return std::abs(c.cosine - 1.0) / tokens;
}

// The sum of the squared gradients, which has the number of tokens squared below it, as there.
double l2_loss(const float* y, const std::vector<float>& target, double tokens, float* d) {
  double sum = 0.0;
  for (std::size_t i = 0; i < target.size(); ++i) {
    const double slope = (double{y[i]} - target[i]) / tokens;
    d[i] = static_cast<float>(slope);
    sum += slope * slope;
  }
  return sum;
}

class PretrainVectors final : public PretrainObjective {
 public:
  explicit PretrainVectors(const Settings& settings) : settings_(settings) {}

  ModelPtr make_head(const Vocab& vocab) const override {
    if (vocab.vectors().rows() == 0) {
      throw setting_error("pretraining.objective",
                          "spacy.PretrainVectors.v1 predicts word vectors, and the pipeline has "
                          "none: give some by [initialize] vectors");
    }
    layers::LinearSettings output;
    output.outputs = vocab.vectors().width();
    output.inputs = settings_.hidden_size;
    output.init_w = zero_init();
    return layers::chain({layers::list2array(),
                          layers::maxout({.outputs = settings_.hidden_size,
                                          .pieces = settings_.maxout_pieces,
                                          .dropout = 0.0,
                                          .normalize = true}),
                          layers::linear(output)});
  }

  double loss(DocBatch docs, const Tensor& prediction, std::int64_t batch_tokens,
              Tensor& d) const override {
    const auto tokens = static_cast<double>(batch_tokens);
    const std::int64_t width = prediction.dim(1);
    std::vector<float> target(static_cast<std::size_t>(width));
    const float* y = prediction.data<float>();
    auto* d_y = d.data<float>();
    double sum = 0.0;
    for (const Doc* doc : docs) {
      for (int i = 0; i < doc->size(); ++i, y += width, d_y += width) {
        const bool is_zero = write_vector(*doc, i, doc->vocab()->vectors(), target);
        sum += settings_.loss == Distance::cosine ? cosine_loss(y, target, is_zero, tokens, d_y)
                                                  : l2_loss(y, target, tokens, d_y);
      }
    }
    return sum;
  }

 private:
  Settings settings_;
};

PretrainObjectivePtr make(const Settings& settings) {
  return std::make_shared<const PretrainVectors>(settings);
}

const Registration registered{"spacy.PretrainVectors.v1", make,
                              "for [pretraining]: predict the vectors of masked words"};

}  // namespace
}  // namespace weft
