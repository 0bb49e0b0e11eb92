// How [system] memory is shared out.
#include "framework/training/memory_budget.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "components/builtin.h"
#include "framework/pipeline/build_pipeline.h"
#include "framework/pipeline/load_config.h"
#include "framework/pipeline/memory_estimate.h"
#include "registry/base/error.h"
#include "registry/reading/cfg_reader.h"

namespace weft {
namespace {

using ::testing::HasSubstr;

class MemoryBudgetTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Catalogue catalogue;
    add_builtin(catalogue);
    Problems problems;
    const Config config = read_cfg(
        "[nlp]\nlang = \"en\"\npipeline = [\"ner\"]\n\n[components]\n\n[components.ner]\n"
        "factory = \"ner\"\n",
        "test", problems, {.interpolate = false});
    nlp_ = build_pipeline(fill_pipeline_config(config, catalogue, problems), catalogue);
    Doc doc = Doc::from_words(nlp_->vocab(), {"Ada", "went"});
    doc.set_ents({{0, 1, nlp_->vocab()->strings().add("PER")}});
    const std::vector<Example> examples = {Example::from_reference(std::move(doc))};
    nlp_->initialize(examples);
  }

  MemoryBudget plan(const std::string& memory) const {
    Config values;
    Object system;
    if (!memory.empty()) system.set("memory", memory);
    values.root().set("system", std::move(system));
    return memory_budget(values, *nlp_);
  }
  static std::string failure(const std::function<void()>& action) {
    try {
      action();
      return "";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::config);
      return error.what();
    }
  }

  std::shared_ptr<Language> nlp_;
};

TEST_F(MemoryBudgetTest, WithoutALimitThereIsNone) {
  const MemoryBudget free = plan("");
  EXPECT_EQ(free.limit, 0.0);
  EXPECT_EQ(memory_for_step(free, std::size_t{1} << 40), 0.0);
  EXPECT_EQ(free.evaluation_data, std::size_t{1} << 28);
}

TEST_F(MemoryBudgetTest, WhatIsAlwaysThereIsTakenOff) {
  const MemoryBudget tight = plan("300MB");
  EXPECT_EQ(tight.limit, 300e6);
  // 1.5 million numbers, each kept several times.
  EXPECT_GT(tight.parameters, 4 * 4 * 1e6);
  EXPECT_LT(tight.parameters, 100e6);
  EXPECT_DOUBLE_EQ(tight.rest, tight.limit - tight.program - tight.parameters);
  EXPECT_EQ(tight.evaluation_data, static_cast<std::size_t>(tight.rest / 8));
  EXPECT_DOUBLE_EQ(memory_for_step(tight, 1000000), tight.rest - 1e6);
}

TEST_F(MemoryBudgetTest, TooLittleSaysWhatIsNeeded) {
  EXPECT_THAT(failure([&] { plan("60MB"); }),
              HasSubstr("[system] memory: \"60 MB\" is too little: the program takes about 48 MB"));
  EXPECT_THAT(failure([&] { memory_for_step(plan("300MB"), 290000000); }),
              HasSubstr("the examples in memory 290 MB (max_epochs = -1 streams them)"));
}

TEST_F(MemoryBudgetTest, EstimatesFollowTheShapes) {
  const TrainingBytes bytes = training_bytes(*nlp_);
  EXPECT_GT(bytes.per_token, 4.0 * 96 * 50);
  EXPECT_GT(bytes.per_document, bytes.per_token) << "padding goes through the encoder alone";
  const std::vector<std::size_t> lengths = {3, 7};
  EXPECT_DOUBLE_EQ(bytes.of(lengths), 10 * bytes.per_token + 2 * bytes.per_document);
}

}  // namespace
}  // namespace weft
