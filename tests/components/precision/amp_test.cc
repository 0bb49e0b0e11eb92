#include <gtest/gtest.h>

#include "components/builtin.h"
#include "framework/precision/policy.h"
#include "registry/building/resolve.h"
#include "registry/filling/fill.h"
#include "registry/reading/cfg_reader.h"

namespace weft {
namespace {

struct Resolved {
  std::optional<Argument> value;
  Problems problems;
};

Resolved resolve_block(const std::string& keys) {
  Resolved result;
  const std::string text = "[training]\n[training.precision]\n@precision = \"amp.v1\"\n" + keys;
  const Config config = read_cfg(text, "test.cfg", result.problems);
  Catalogue catalogue;
  add_builtin(catalogue);
  result.value = resolve_at(config, "training.precision", catalogue, Schemas(), result.problems);
  return result;
}

TEST(Amp, TheBlockBecomesAPolicy) {
  const Resolved resolved = resolve_block(
      "level = \"O2\"\ndtype = \"bf16\"\nloss_scale = 128\nmax_loss_scale = Infinity\n"
      "rules = [{\"match\": \"components.ner.*\", \"compute\": \"f32\"}]\n");
  ASSERT_TRUE(resolved.value) << resolved.problems.at(0).str();
  const PrecisionPolicy* policy = resolved.value->product().get<PrecisionPolicy>();
  ASSERT_NE(policy, nullptr);
  EXPECT_EQ(policy->level, Level::O2);
  EXPECT_EQ(policy->low, NumberFormat::bf16);
  EXPECT_EQ(policy->loss_scale, 128.0);
  EXPECT_EQ(policy->compute_of("components.ner.model"), Compute::f32);
}

TEST(Amp, MistakesAreFoundBeforeAndInTheFunction) {
  EXPECT_FALSE(resolve_block("levle = \"O1\"\n").value);
  EXPECT_FALSE(resolve_block("dtype = \"fp8\"\n").value);
  const Resolved zero = resolve_block("level = \"01\"\n");
  EXPECT_FALSE(zero.value);
  ASSERT_EQ(zero.problems.size(), 1U);
  EXPECT_EQ(zero.problems[0].path, "training.precision.level");
  EXPECT_NE(zero.problems[0].message.find("unknown level \"01\""), std::string::npos);
}

TEST(Amp, FillingWritesEveryKey) {
  Config config;
  Object block;
  block.set("@precision", "amp.v1");
  config.root().set("block", block);
  Catalogue catalogue;
  add_builtin(catalogue);
  Problems problems;
  const Config filled = fill(config, catalogue, Schemas(), problems);
  EXPECT_TRUE(problems.empty());
  EXPECT_EQ(filled.find("block.level")->as_string(), "O0");
  EXPECT_EQ(filled.find("block.init_scale")->as_float(), 65536.0);
  EXPECT_TRUE(filled.find("block.loss_scale")->is_null());
  EXPECT_TRUE(filled.find("block.rules")->is_list());
}

}  // namespace
}  // namespace weft
