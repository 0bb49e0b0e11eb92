// A small entity recognizer and examples for it, to be run on one device or another.
#pragma once

#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "components/builtin.h"
#include "framework/nn/model.h"
#include "framework/pipeline/build_pipeline.h"
#include "framework/pipeline/choose_device.h"
#include "framework/pipeline/load_config.h"
#include "framework/pipeline/trained_parameters.h"
#include "framework/pipeline/worker_pool.h"
#include "registry/base/error.h"
#include "registry/reading/cfg_reader.h"
#include "tests/components/small_config.h"
#include "tests/framework/devices/fake_device.h"

namespace weft::testing {

// tok2vec inside of the recognizer: hash embeddings by type, then layers over windows.
inline const std::string kOwnTok2Vec =
    small::nlp_section(R"(["ner"])") +
    small::ner_section(small::hash_embed_cnn({.depth = 2, .pieces = 3, .subwords = true}));

// One that two recognizers listen to, with byte vectors beside the tables.
inline const std::string kShared = small::nlp_section(R"(["tok2vec","ner","second"])") +
                                   small::tok2vec_section(R"(@architectures = "spacy.Tok2Vec.v2"

[components.tok2vec.model.embed]
@architectures = "spacy.CharacterEmbed.v2"
width = 16
rows = 200
nM = 4
nC = 4
include_static_vectors = false
feature = "LOWER"

[components.tok2vec.model.encode]
@architectures = "spacy.MaxoutWindowEncoder.v2"
width = 16
depth = 1
window_size = 1
maxout_pieces = 2
)") + small::ner_section(small::listener(), {.pieces = 1, .extra_tokens = true}) +
                                   small::ner_section(small::listener(),
                                                      {.upper = false, .name = "second"});

inline constexpr const char* kOptimizer = R"cfg(
[training]

[training.optimizer]
@optimizers = "Adam.v1"
learn_rate = 0.01
)cfg";

inline std::shared_ptr<Language> small_ner(const std::string& text = kOwnTok2Vec) {
  Catalogue catalogue;
  add_builtin(catalogue);
  Problems problems;
  const Config config = read_cfg(text + kOptimizer, "test", problems, {.interpolate = false});
  auto nlp = build_pipeline(fill_pipeline_config(config, catalogue, problems), catalogue);
  if (has_errors(problems)) throw Error(ErrorKind::config, problems);
  return nlp;
}

// Names in texts of different lengths; every seventh is long. `label`: of every second name.
inline std::vector<Example> small_examples(const Language& nlp, const std::string& label = "ORG") {
  static const std::vector<std::string> names = {"Ada", "Grace", "Alan", "Edsger", "Barbara"};
  std::vector<Example> examples;
  for (std::size_t i = 0; i < 40; ++i) {
    std::string text = "Yesterday";
    const std::size_t words = i % 7 == 0 ? 60 : 1 + i % 5;
    for (std::size_t k = 0; k < words; ++k) text += " word" + std::to_string((i * 31 + k) % 50);
    const std::size_t start = text.size() + 1;
    const std::string& name = names[i % names.size()];
    text += " " + name + " Smith went home .";
    examples.push_back(Example::from_offsets(
        nlp.make_doc(text), {{start, start + name.size() + 6, i % 2 == 0 ? "PER" : label}}));
  }
  return examples;
}

inline std::vector<Losses> train_small(Language& nlp, int steps, double drop = 0.2) {
  std::vector<Example> examples = small_examples(nlp);
  std::vector<Losses> all;
  for (int step = 0; step < steps; ++step) {
    Losses losses;
    nlp.update(examples, {.drop = drop, .losses = &losses});
    all.push_back(losses);
  }
  return all;
}

// All weights, as the host has them after they were brought back.
inline std::map<std::string, std::vector<float>> weights_of(Language& nlp) {
  nlp.copy_weights_to_host();
  std::map<std::string, std::vector<float>> weights;
  for (const NamedParameter& named : trained_parameters(nlp, {})) {
    const Tensor& value = named.parameter->value;
    weights[named.name].assign(value.data<float>(), value.data<float>() + value.size());
  }
  return weights;
}

// The entities of a document.
inline std::string text_of(const Doc& doc) {
  std::string found;
  for (const Span& ent : doc.ents()) {
    found += std::to_string(ent.start) + "-" + std::to_string(ent.end) + " " +
             std::string(doc.string(ent.label)) + " ";
  }
  return found;
}

inline std::vector<std::string> predictions_of(const Language& nlp) {
  std::vector<std::string> all;
  for (const Example& example : small_examples(nlp)) {
    all.push_back(text_of(nlp(example.reference().text())));
  }
  return all;
}

inline void expect_near(const std::vector<Losses>& left, const std::vector<Losses>& right,
                        double tolerance) {
  ASSERT_EQ(left.size(), right.size());
  for (std::size_t i = 0; i < left.size(); ++i) {
    for (const auto& [name, loss] : left[i]) {
      EXPECT_NEAR(loss, right[i].at(name), tolerance * (1.0 + std::abs(loss)))
          << name << " in step " << i;
    }
  }
}

// How far two sets of weights are from each other, in parts of how far the second has come from a
// third: 0 where they are the same, about 1 or more where they went their own ways.
inline double share_of_way(const std::map<std::string, std::vector<float>>& left,
                           const std::map<std::string, std::vector<float>>& right,
                           const std::map<std::string, std::vector<float>>& start) {
  double apart = 0.0, way = 0.0;
  for (const auto& [name, numbers] : left) {
    const std::vector<float>&others = right.at(name), &before = start.at(name);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      apart += std::pow(double{numbers[i]} - others[i], 2);
      way += std::pow(double{others[i]} - before[i], 2);
    }
  }
  return std::sqrt(apart / way);
}

// The largest difference between two weights.
inline double largest_difference(const std::map<std::string, std::vector<float>>& left,
                                 const std::map<std::string, std::vector<float>>& right) {
  double largest = 0.0;
  for (const auto& [name, numbers] : left) {
    const std::vector<float>& others = right.at(name);
    EXPECT_EQ(numbers.size(), others.size()) << name;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      largest = std::max(largest, std::abs(double{numbers[i]} - others[i]));
    }
  }
  return largest;
}

}  // namespace weft::testing
