// Starter blocks of components that are not built, and the vectors recommended beside them.
#include "components/reserved/starter_blocks.h"

#include <gtest/gtest.h>

#include "components/builtin.h"
#include "components/languages/recommended_vectors.h"
#include "framework/pipeline/load_config.h"
#include "framework/pipeline/starter_config.h"
#include "registry/value/json.h"

namespace weft {
namespace {

Catalogue builtin() {
  Catalogue catalogue;
  add_builtin(catalogue);
  return catalogue;
}

TEST(StarterBlocks, EachOfThemFillsWithoutAProblem) {
  const Catalogue catalogue = builtin();
  ASSERT_FALSE(reserved_starter_blocks().empty());
  for (const auto& [name, facts] : reserved_starter_blocks()) {
    for (const Goal goal : {Goal::efficiency, Goal::accuracy}) {
      StarterOptions options;
      options.pipeline = {name};
      options.goal = goal;
      const Config starter = starter_config(options, catalogue, reserved_starter_blocks());
      Problems problems;
      static_cast<void>(fill_pipeline_config(starter, catalogue, problems));
      for (const Problem& problem : problems) ADD_FAILURE() << name << ": " << problem.str();
      EXPECT_GT(starter.find("components." + name)->as_object().size(), 1U) << name;
    }
  }
}

TEST(StarterBlocks, AreOfFactoriesThatDeclareNone) {
  const Catalogue catalogue = builtin();
  for (const auto& [name, facts] : reserved_starter_blocks()) {
    const Function* factory = catalogue.find("factories", name);
    ASSERT_NE(factory, nullptr) << name;
    if (!factory->meta().is_object()) continue;
    EXPECT_FALSE(factory->meta().as_object().contains("starter"))
        << name << " declares its block; take it out of starter_blocks.json";
  }
}

TEST(RecommendedVectors, NameThePackageOfTheLanguage) {
  EXPECT_EQ(recommended_vectors("en"), "en_core_web_lg");
  EXPECT_EQ(recommended_vectors("de"), "de_core_news_lg");
  EXPECT_EQ(recommended_vectors("xx"), std::nullopt);
}

}  // namespace
}  // namespace weft
