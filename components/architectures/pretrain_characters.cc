// spacy.PretrainCharacters.v1: an embedding learns the bytes at both ends of masked words.
// spaCy 3.8, `spacy.ml.models.multi_task` and `to_array of UTF-8`; docs/pretraining.md.
#include <cstdint>
#include <string_view>
#include <vector>

#include "components/layers/layers.h"
#include "framework/nn/model_limits.h"
#include "framework/text/doc.h"
#include "framework/training/pretraining_objective.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

constexpr int kMostCharacters = 64;
constexpr std::int64_t kByteValues = 256;
constexpr std::uint8_t kNoByte = 255;  // which is no byte of UTF-8

struct Settings {
  int maxout_pieces = 0;
  int hidden_size = 0;
  int n_characters = 0;
};

template <class V>
void fields(V& v, Settings& c) {
  v.required("maxout_pieces", c.maxout_pieces, "pieces of the hidden layer", closed_range(1, 255));
  v.required("hidden_size", c.hidden_size, "width of the hidden layer", closed_range(1, kWidest));
  v.required("n_characters", c.n_characters,
             "bytes of each word that are predicted, from both ends",
             closed_range(1, kMostCharacters));
}

// First, last, second, last but one ...; kNoByte where the word has no more.
void append_bytes(std::string_view word, int count, std::vector<std::uint8_t>& bytes) {
  std::size_t first = 0, last = word.size();
  for (int i = 0; i < count; ++i) {
    if (first == last) {
      bytes.push_back(kNoByte);
    } else {
      bytes.push_back(static_cast<std::uint8_t>(i % 2 == 0 ? word[first++] : word[--last]));
    }
  }
}

class PretrainCharacters final : public PretrainObjective {
 public:
  explicit PretrainCharacters(const Settings& settings) : settings_(settings) {}

  // The reference calls its last layer a softmax; its output is that of the affine map.
  ModelPtr make_head(const Vocab&) const override {
    layers::LinearSettings output;
    output.outputs = kByteValues * settings_.n_characters;
    output.inputs = settings_.hidden_size;
    output.init_w = zero_init();
    const ModelPtr scores = layers::linear(output);
    scores->set_name("multisoftmax");
    return layers::chain(
        {layers::list2array(),
         layers::maxout({.outputs = settings_.hidden_size, .pieces = settings_.maxout_pieces}),
         layers::layer_norm(settings_.hidden_size), scores});
  }

  // loss = sum (y - target)^2, d = (y - target) / tokens: not its own gradient, as there.
  double loss(DocBatch docs, const Tensor& prediction, std::int64_t batch_tokens,
              Tensor& d) const override {
    const std::vector<std::uint8_t> bytes = bytes_of(docs);
    const auto share = static_cast<float>(batch_tokens);
    const float* y = prediction.data<float>();
    auto* d_y = d.data<float>();
    double sum = 0.0;
    for (const std::uint8_t byte : bytes) {
      for (std::int64_t value = 0; value < kByteValues; ++value) {
        const float difference = *y++ - (value == byte ? 1.0F : 0.0F);
        sum += double{difference} * difference;
        *d_y++ = difference / share;
      }
    }
    return sum;
  }

 private:
  std::vector<std::uint8_t> bytes_of(DocBatch docs) const {
    std::vector<std::uint8_t> bytes;
    for (const Doc* doc : docs) {
      for (int i = 0; i < doc->size(); ++i) {
        append_bytes(doc->word(i), settings_.n_characters, bytes);
      }
    }
    return bytes;
  }

  Settings settings_;
};

PretrainObjectivePtr make(const Settings& settings) {
  return std::make_shared<const PretrainCharacters>(settings);
}

const Registration registered{"spacy.PretrainCharacters.v1", make,
                              "for [pretraining]: predict the bytes at both ends of masked words"};

}  // namespace
}  // namespace weft
