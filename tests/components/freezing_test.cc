// frozen_components with globs and layers, and [training.unfreeze]: frozen arrays keep their bytes,
// all others move, and a run that stops and goes on crosses the step that unfreezes.
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/io/atomic_file.h"
#include "framework/pipeline/load_config.h"
#include "framework/training/train_pipeline.h"
#include "registry/base/error.h"
#include "registry/value/json.h"
#include "tests/components/training_fixture.h"

namespace weft {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using testing_training::trained_arrays;

using Arrays = std::map<std::string, std::string>;

class Freezing : public testing_training::TrainingFixture {
 protected:
  // A recognizer and a tok2vec that were trained a little, as the sources of `sourced`.
  void SetUp() override {
    TrainingFixture::SetUp();
    train(ner({{"training.max_steps", 1}}), "base");
    before_ = arrays_of("base");
  }

  Config sourced(const Node& frozen, Overrides overrides = {}) const {
    overrides.emplace_back("training.frozen_components", frozen);
    const std::string source = "source = \"" + path("base/model-last") + "\"\n";
    return config(R"(["tok2vec", "ner"])",
                  "\n[components.tok2vec]\n" + source + "\n[components.ner]\n" + source, overrides);
  }
  static Overrides unfreezing(const std::string& names, const std::string& steps) {
    return {{"training.unfreeze",
             *parse_json(R"({"names": )" + names + R"(, "steps": )" + steps + "}")}};
  }

  // Those of both components, "tok2vec/embed/8/E".
  Arrays arrays_of(const std::string& output) const {
    const auto nlp = load(folder_ / output / "model-last");
    Arrays all;
    for (const char* name : {"tok2vec", "ner"}) {
      for (auto& [key, bytes] : trained_arrays(*nlp, name)) {
        all[std::string(name) + "/" + key] = std::move(bytes);
      }
    }
    return all;
  }

  // Exactly the arrays stay whose names begin so.
  void expect_frozen(const std::string& output, const std::vector<std::string>& prefixes) const {
    int kept = 0;
    for (const auto& [name, bytes] : arrays_of(output)) {
      bool frozen = false;
      for (const std::string& prefix : prefixes) frozen = frozen || name.starts_with(prefix);
      EXPECT_EQ(bytes == before_.at(name), frozen) << output << ": " << name;
      kept += frozen ? 1 : 0;
    }
    EXPECT_EQ(kept > 0, !prefixes.empty()) << output;
  }

  std::string refused(const std::function<void()>& action) const {
    try {
      action();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::config) << error.what();
      return error.what();
    }
    ADD_FAILURE() << "nothing was thrown";
    return "";
  }

  Arrays before_;
};

TEST_F(Freezing, LayersKeepTheirBytesAndAllOthersMove) {
  for (const char* averages : {"false", "true"}) {
    const Overrides with = {{"training.optimizer.use_averages", *parse_json(averages)}};
    train(sourced(List{"tok2vec.embed"}, with), "embed");
    expect_frozen("embed", {"tok2vec/embed"});
    train(sourced(List{"tok2vec.embed.*", "ner.upper"}, with), "below");
    expect_frozen("below", {"tok2vec/embed", "ner/upper"});
    train(sourced(List{"tok2vec.e*", "ner"}, with), "all");
    expect_frozen("all", {"tok2vec/", "ner/"});
    train(sourced(List{"*.encode"}, with), "any");
    expect_frozen("any", {"tok2vec/encode"});
    train(sourced(List{}, with), "none");
    expect_frozen("none", {});
  }
}

// The gradient of what lies below a frozen layer goes through it.
TEST_F(Freezing, WhatLiesBelowAFrozenLayerIsTrained) {
  train(sourced(List{"tok2vec.encode", "ner.*"}), "out");
  expect_frozen("out", {"tok2vec/encode", "ner/"});
}

TEST_F(Freezing, AnEntryIsTrainedFromItsStepOn) {
  const auto until = [&](int last, const std::string& output) {
    Overrides overrides = unfreezing(R"(["tok2vec.encode", "tok2vec.embed"])", "[2, 4]");
    overrides.emplace_back("training.max_steps", last);
    train(sourced(List{"tok2vec.embed", "tok2vec.encode", "ner.*"}, overrides), output);
  };
  until(1, "one");
  expect_frozen("one", {"tok2vec/", "ner/"});
  until(2, "two");
  expect_frozen("two", {"tok2vec/embed", "ner/"});
  until(3, "three");
  expect_frozen("three", {"tok2vec/embed", "ner/"});
  until(4, "four");
  expect_frozen("four", {"ner/"});
}

// Wherever it stops: the optimizer has no state yet of what the next step unfreezes.
TEST_F(Freezing, ARunThatStopsAndGoesOnCrossesTheStepThatUnfreezes) {
  for (const char* averages : {"false", "true"}) {
    Overrides overrides = unfreezing(R"(["tok2vec", "ner.lower"])", "[2, 3]");
    overrides.emplace_back("training.max_steps", 6);
    overrides.emplace_back("training.optimizer.use_averages", *parse_json(averages));
    const Config whole = sourced(List{"tok2vec", "ner.lower"}, overrides);
    train(whole, "whole");
    for (int last = 1; last < 5; ++last) {
      for (auto& [name, value] : overrides) {
        if (name == "training.max_steps") value = last;
      }
      TrainOptions options;
      options.output = folder_ / "part";
      options.overwrite = true;
      fs::remove_all(options.output);
      const Config part = sourced(List{"tok2vec", "ner.lower"}, overrides);
      train_pipeline(part, catalogue(), options, out_, err_);
      options.resume_from = options.output / "checkpoint";
      train_pipeline(whole, catalogue(), options, out_, err_);
      for (const char* file : {"model-last/ner/model", "model-last/tok2vec/model",
                               "checkpoint/optimizer.safetensors"}) {
        EXPECT_EQ(read_file(folder_ / "part" / file), read_file(folder_ / "whole" / file))
            << file << " stopped after step " << last << ", averages " << averages;
      }
    }
  }
}

TEST_F(Freezing, NamesOfNothingAreRefusedWithTheNearest) {
  EXPECT_THAT(refused([&] { train(sourced(List{"tok2vec.embd"}), "out"); }),
              HasSubstr("nothing called 'tok2vec.embd' (did you mean tok2vec.embed"));
  EXPECT_THAT(refused([&] { train(sourced(List{"*_tagger"}), "out"); }), HasSubstr("*_tagger"));
  EXPECT_THAT(
      refused([&] { train(sourced(List{"tok2vec"}, unfreezing(R"(["tok2ec"])", "[3]")), "out"); }),
      HasSubstr("'tok2ec' is not in frozen_components as it stands here (did you mean "
                "tok2vec?)"));
  EXPECT_THAT(refused([&] {
                train(sourced(List{"tok2vec"}, unfreezing(R"(["tok2vec"])", "[3, 4]")), "out");
              }),
              HasSubstr("[training.unfreeze] names: 1 entries, and steps has 2;"));
  EXPECT_FALSE(fs::exists(folder_ / "out"));
}

}  // namespace
}  // namespace weft
