// Compares the gradients of the network and of the loss with differences; ends with 1 where they
// disagree.
#include <array>
#include <cmath>
#include <iostream>

#include "loss.h"
#include "network.h"

#include "components/architectures/tok2vec_parts.h"
#include "components/weft.h"
#include "framework/nn/gradient_check.h"
#include "framework/nn/parameter.h"

namespace {

constexpr double kMost = 0.01;  // of the largest gradient of an array

double worst_of_network() {
  const auto nlp = weft::blank("en", {});
  const weft::Doc first = nlp->make_doc("A loud guitar"), second = nlp->make_doc("Goal!");
  const std::array<const weft::Doc*, 2> docs = {&first, &second};
  const weft::ModelPtr network = topics::mean_pool(
      {weft::tok2vec(weft::multi_hash_embed({8, {"NORM", "SHAPE"}, {50, 20}, false}),
                     weft::maxout_window_encoder(
                         {.width = 8, .window_size = 1, .maxout_pieces = 2, .depth = 1}))});
  network->ref("output").set_dim("nO", 3);
  weft::Context ctx;
  weft::InitRandom random(1);
  network->initialize(ctx, weft::DocBatch(docs), {}, random);
  return weft::check_gradients(*network, weft::DocBatch(docs)).worst;
}

double worst_of_loss() {
  weft::Context ctx;
  weft::Tensor scores = weft::Tensor::zeros({3, 2});
  const std::array<float, 6> numbers = {0.5F, -1.0F, 2.0F, 0.1F, -0.3F, 0.3F};
  std::copy(numbers.begin(), numbers.end(), scores.data<float>());
  const std::array<int, 3> truth = {1, 0, topics::kNoLabel};
  const topics::Loss loss = topics::cross_entropy(ctx, scores, truth);
  double worst = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    constexpr float kStep = 1e-2F;
    scores.data<float>()[i] = numbers[i] + kStep;
    const double above = topics::cross_entropy(ctx, scores, truth).sum;
    scores.data<float>()[i] = numbers[i] - kStep;
    const double below = topics::cross_entropy(ctx, scores, truth).sum;
    scores.data<float>()[i] = numbers[i];
    const double slope = (above - below) / (2 * kStep);
    worst = std::max(worst, std::abs(slope - loss.d_scores.data<float>()[i]));
  }
  return worst;
}

}  // namespace

int main() {
  const double network = worst_of_network(), loss = worst_of_loss();
  std::cout << "network " << network << ", loss " << loss << '\n';
  return network < kMost && loss < kMost ? 0 : 1;
}
