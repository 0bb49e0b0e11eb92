// A folder, streams and evaluations for tests of loggers.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <unistd.h>

#include "framework/training/logger.h"
#include "registry/reading/cfg_reader.h"

namespace weft::testing_logs {

class LogTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    output_ = std::filesystem::path(::testing::TempDir()) /
              ("logs-" + std::to_string(::getpid()) + "." + info->name());
    std::filesystem::remove_all(output_);
    std::filesystem::create_directories(output_);
  }
  void TearDown() override {
    if (!HasFailure()) std::filesystem::remove_all(output_);
  }

  // A run that writes below `output_`, or one that goes on from `resumed`.
  LogSetup setup(const Node* resumed = nullptr) {
    return {.nlp = nullptr,
            .out = out_,
            .err = err_,
            .loss_names = {"ner"},
            .resumed = resumed,
            .output = output_,
            .config = config_ ? &*config_ : nullptr};
  }

  void read_config(std::string_view text) {
    Problems problems;
    config_ = read_cfg(text, "test.cfg", problems, {.interpolate = false});
    EXPECT_TRUE(problems.empty());
  }

  static TrainingInfo info(std::int64_t step, double score) {
    TrainingInfo info;
    info.epoch = 1;
    info.step = step;
    info.score = score;
    info.other_scores.set("ents_f", score);
    info.other_scores.set("ents_p", nullptr);
    Object type;
    type.set("f", score / 2);
    Object types;
    types.set("B&B", std::move(type));
    info.other_scores.set("ents_per_type", std::move(types));
    info.other_scores.set("speed", 1234.5);
    info.losses["ner"] = 3.5;
    info.words = 700;
    info.learn_rate = 0.25;
    info.checkpoints = {{score, step}};
    info.seconds = 1.5;
    return info;
  }

  static std::string text_of(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    EXPECT_TRUE(in) << file;
    return {std::istreambuf_iterator<char>(in), {}};
  }

  std::filesystem::path output_;
  std::ostringstream out_, err_;
  std::optional<Config> config_;
};

}  // namespace weft::testing_logs
