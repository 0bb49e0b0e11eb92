// A dependency parser with the kernels of GPUs beside one on the CPU.
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "framework/text/projective.h"
#include "tests/components/devices/chosen_device.h"
#include "tests/components/devices/small_ner.h"

namespace weft::testing {
namespace {

// A sentence whose words hang on the one in the middle: those before it each on the next one, those
// behind it on that word or on the one before.
void add_sentence(int length, int number, std::vector<std::string>& words, DependencyTree& tree) {
  const auto first = static_cast<std::int32_t>(words.size());
  const int root = length / 2;
  for (int i = 0; i < length; ++i) {
    const bool hangs_near = i < root || (i - root) % 2 == 1;
    words.push_back((i < root   ? "before"
                     : i > root ? "behind"
                                : "root") +
                    std::to_string((number + i) % 5));
    const int head = i < root ? i + 1 : i == root ? root : hangs_near ? i - 1 : root;
    tree.heads.push_back(first + head);
    tree.labels.push_back(i == root ? "ROOT" : i < root ? "left" : hangs_near ? "near" : "far");
  }
}

std::vector<Example> parsed_examples(const Language& nlp) {
  std::vector<Example> examples;
  for (int i = 0; i < 12; ++i) {
    std::vector<std::string> words;
    DependencyTree tree;
    for (int k = 0; k <= i % 3; ++k) add_sentence(1 + (i * 5 + k * 3) % 9, i, words, tree);
    Doc reference = Doc::from_words(nlp.vocab(), words);
    set_parse(reference, tree);
    examples.push_back(Example::from_reference(std::move(reference)));
  }
  return examples;
}

std::vector<std::vector<std::int32_t>> heads_of(const Language& nlp) {
  std::vector<std::vector<std::int32_t>> heads;
  for (Example& example : parsed_examples(nlp)) {
    Doc* const docs[] = {&example.predicted()};
    nlp.annotate(docs);
    heads.push_back(dependency_tree(example.predicted()).heads);
  }
  return heads;
}

struct DeviceParser : ::testing::TestWithParam<std::string> {
  // `settings`: lines of the component's section.
  static std::shared_ptr<Language> ready(const std::string& settings, bool extra, int gpu) {
    auto nlp = small_ner(small::nlp_section(R"(["parser"])") +
                         small::ner_section(small::hash_embed_cnn(),
                                            {.extra_tokens = extra,
                                             .name = "parser",
                                             .factory = "parser",
                                             .settings = "min_action_freq = 1\n" + settings}));
    nlp->initialize(parsed_examples(*nlp));
    run_on_gpu(*nlp, gpu);
    return nlp;
  }
  static std::vector<Losses> train(Language& nlp, int steps) {
    std::vector<Losses> all;
    for (int step = 0; step < steps; ++step) {
      std::vector<Example> examples = parsed_examples(nlp);
      nlp.update(examples, {.drop = 0.2, .losses = &all.emplace_back()});
    }
    return all;
  }
  std::string why_none_;
  std::unique_ptr<ChosenDevice> device_ = choose_device("emulated", why_none_);
};

TEST_P(DeviceParser, LossesWeightsAndPredictionsAreThoseOfTheCpu) {
  for (const bool extra : {false, true}) {
    const auto cpu = ready(GetParam(), extra, -1), gpu = ready(GetParam(), extra, 0);
    expect_near(train(*gpu, 8), train(*cpu, 8), 2e-3);
    EXPECT_LT(largest_difference(weights_of(*gpu), weights_of(*cpu)), 5e-3);
    EXPECT_EQ(heads_of(*gpu), heads_of(*cpu));
  }
}

TEST_P(DeviceParser, TwoRunsGiveTheSameBytes) {
  const auto first = ready(GetParam(), false, 0), second = ready(GetParam(), false, 0);
  train(*first, 3);
  train(*second, 3);
  EXPECT_EQ(weights_of(*first), weights_of(*second));
}

INSTANTIATE_TEST_SUITE_P(WholeAndInPieces, DeviceParser,
                         ::testing::Values("", "update_with_oracle_cut_size = 6\n"));

}  // namespace
}  // namespace weft::testing
