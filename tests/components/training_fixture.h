// A folder with a corpus of two labels and a small recognizer that listens to a tok2vec; runs of
// train_pipeline in it.
#pragma once

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "components/weft.h"
#include "framework/io/atomic_file.h"
#include "framework/nn/model.h"
#include "framework/pipeline/frozen.h"
#include "framework/pipeline/language.h"
#include "framework/pipeline/load_config.h"
#include "framework/training/train_pipeline.h"
#include "registry/base/error.h"
#include "registry/functions/registration.h"
#include "registry/reading/cfg_reader.h"
#include "tests/components/small_config.h"

namespace weft::testing_training {

inline const std::string kNer =
    small::ner_section(small::listener(8), {.hidden = 8}) +
    small::tok2vec_section(small::hash_embed_cnn({.width = 8, .rows = 100}));

inline constexpr const char* kRest = R"cfg(
[corpora]

[corpora.train]
@readers = "weft.ConllCorpus.v1"
path = "TRAIN"

[corpora.dev]
@readers = "weft.ConllCorpus.v1"
path = "DEV"

[training]
max_steps = 4
eval_frequency = 2

[training.batcher]
@batchers = "spacy.batch_by_sequence.v1"
size = 10

[training.optimizer]
@optimizers = "Adam.v1"
learn_rate = 0.02
use_averages = false
)cfg";

inline std::string sentences(int count, const std::string& label) {
  std::string text;
  const char* people[] = {"Ada", "Grace", "Alan", "Edsger"};
  for (int i = 0; i < count; ++i) {
    text +=
        std::string(people[i % 4]) + "\tB-" + label + "\nwent\tO\nto\tO\nOslo\tB-place\n.\tO\n\n";
  }
  return text;
}

// The bytes of a component's parameters, by "PART/NUMBER/NAME": the part as frozen.h names it, the
// number that of the node.
inline std::map<std::string, std::string> trained_arrays(const Language& nlp,
                                                         const std::string& component) {
  std::map<std::string, std::string> arrays;
  for (const ModelPtr& root : nlp.find(component)->models()) {
    const auto names = part_names(*root);
    int number = 0;
    for (const Model* node : root->walk()) {
      ++number;
      for (const auto& parameter : node->params()) {
        const Tensor& value = parameter->value;
        arrays[names.at(node) + "/" + std::to_string(number) + "/" + parameter->name] =
            std::string(reinterpret_cast<const char*>(value.data<float>()),
                        static_cast<std::size_t>(value.size()) * sizeof(float));
      }
    }
  }
  return arrays;
}

class TrainingFixture : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) /
              ("training_" + std::to_string(::getpid()) +
               ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
    write_file(folder_ / "train.conll", sentences(30, "person"));
    write_file(folder_ / "dev.conll", sentences(6, "person"));
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  static const Catalogue& catalogue() {
    static const Catalogue catalogue = [] {
      Catalogue all;
      add_builtin(all);
      all.add(Registration::head(), "this test");
      return all;
    }();
    return catalogue;
  }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  // Pipeline names, sections of components, overrides of the rest, and more sections.
  Config config(const std::string& pipeline, const std::string& components,
                const Overrides& overrides = {}, const std::string& more = "") const {
    std::string text = "[nlp]\nlang = \"en\"\npipeline = " + pipeline + "\n\n[components]\n" +
                       components + kRest + more;
    text.replace(text.find("TRAIN"), 5, path("train.conll"));
    text.replace(text.find("DEV"), 3, path("dev.conll"));
    write_file(folder_ / "test.cfg", text);
    Problems problems;
    Config filled = load_pipeline_config(folder_ / "test.cfg", overrides, catalogue(), problems);
    if (has_errors(problems)) throw Error(ErrorKind::config, problems);
    return filled;
  }
  Config ner(const Overrides& overrides = {}) const {
    return config(R"(["tok2vec", "ner"])", kNer, overrides);
  }

  TrainedPipeline train(const Config& config, const std::string& output = "") {
    out_.str("");
    err_.str("");
    TrainOptions options;
    if (!output.empty()) options.output = folder_ / output;
    return train_pipeline(config, catalogue(), options, out_, err_);
  }

  std::filesystem::path folder_;
  std::ostringstream out_;
  std::ostringstream err_;
};

}  // namespace weft::testing_training
