// A folder with a corpus and a config of a small recognizer, and runs of `train` in it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/tools/program.h"
#include "tests/tools/small_runs.h"

namespace weft::testing_tools {

class TrainingFolder : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = quick_folder();
    write_text(folder_ / "train.conll", small_corpus(60));
    write_text(folder_ / "dev.conll", small_corpus(11));
    std::string text = small_config("\n[training.optimizer]\n@optimizers = \"Adam.v1\"\n");
    for (const char* name : {"train", "dev"}) {
      const std::string old = std::string(name) + " = null";
      text.replace(text.find(old), old.size(),
                   std::string(name) + " = \"" + path(std::string(name) + ".conll") + "\"");
    }
    text.replace(text.find("size = 700"), 10, "size = 100");
    write_text(folder_ / "ner.cfg", text);
  }
  void TearDown() override {
    if (!HasFailure()) std::filesystem::remove_all(folder_);
  }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  Outcome train(const std::string& output, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"train", path("ner.cfg"), "--output", path(output)};
    words.insert(words.end(), more.begin(), more.end());
    return run_weft(words);
  }

  std::filesystem::path folder_;
};

}  // namespace weft::testing_tools
