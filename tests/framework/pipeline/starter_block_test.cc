// Blocks that components declare for `init config`, and the configs that are put together of them.
#include "framework/pipeline/starter_block.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/pipeline/starter_config.h"
#include "registry/value/json.h"

namespace weft {
namespace {

using ::testing::ElementsAre;

Node object_of(std::string_view json) {
  return parse_json(json).value();
}

void add_factory(Catalogue& catalogue, const std::string& name, const std::string& meta,
                 Signature signature = {}) {
  Function function("factories", name, "", std::move(signature), Type::any(), {});
  if (!meta.empty()) function.set_meta(meta);
  catalogue.add(std::move(function));
}

Signature with_mode(const std::string& mode) {
  Signature signature;
  FunctionParameter& parameter = signature.parameters.emplace_back();
  parameter.name = "mode";
  parameter.type = Type::string();
  parameter.default_value = Node(mode);
  return signature;
}

Catalogue with_factories() {
  Catalogue catalogue;
  add_factory(catalogue, "vectors", R"({"starter": {"model": {"width": 96}},
                                        "starter_accuracy": {"model": {"width": 256}}})");
  add_factory(catalogue, "labels",
              R"({"starter": {"width": "${components.vectors.model.width}"}})");
  add_factory(catalogue, "rules", "");
  return catalogue;
}

Node as_node(const Object& object) {
  return Node(object);
}

TEST(StarterBlock, IsTheOneOfTheGoal) {
  const Catalogue catalogue = with_factories();
  EXPECT_TRUE(as_node(starter_block("vectors", "en", Goal::efficiency, catalogue, {}))
                  .same_value(object_of(R"({"factory": "vectors", "model": {"width": 96}})")));
  EXPECT_TRUE(as_node(starter_block("vectors", "en", Goal::accuracy, catalogue, {}))
                  .same_value(object_of(R"({"factory": "vectors", "model": {"width": 256}})")));
  // Without a block of its own for accuracy there is one for both.
  EXPECT_TRUE(starter_block("labels", "en", Goal::accuracy, catalogue, {}).contains("width"));
}

TEST(StarterBlock, OfAFactoryWithoutOneNamesTheFactoryAlone) {
  const Catalogue catalogue = with_factories();
  for (const char* name : {"rules", "unheard"}) {
    const Object block = starter_block(name, "en", Goal::efficiency, catalogue, {});
    EXPECT_EQ(block.size(), 1U);
    EXPECT_EQ(block.find("factory")->as_string(), name);
  }
}

TEST(StarterBlock, ReservedOnesStepBackBehindThoseOfTheFactory) {
  const Catalogue catalogue = with_factories();
  const Node reserved = object_of(R"({"vectors": {"starter": {"model": null}},
                                      "rules": {"starter": {"strict": true}}})");
  const Object own =
      starter_block("vectors", "en", Goal::efficiency, catalogue, reserved.as_object());
  EXPECT_TRUE(own.find("model")->is_object());
  const Object lent =
      starter_block("rules", "en", Goal::efficiency, catalogue, reserved.as_object());
  EXPECT_TRUE(lent.find("strict")->as_bool());
}

TEST(StarterBlock, HasTheDefaultsOfTheLanguagesOwnFactory) {
  Catalogue catalogue;
  add_factory(catalogue, "lemmas", "", with_mode("lookup"));
  add_factory(catalogue, "en.lemmas", "", with_mode("rule"));
  add_factory(catalogue, "de.lemmas", "", with_mode("lookup"));
  const auto block = [&](const char* lang) {
    return starter_block("lemmas", lang, Goal::efficiency, catalogue, {});
  };
  EXPECT_EQ(block("en").find("mode")->as_string(), "rule");
  EXPECT_FALSE(block("de").contains("mode"));
  EXPECT_FALSE(block("fi").contains("mode"));
}

std::vector<std::string> pipeline_of(const std::vector<std::string>& names) {
  StarterOptions options;
  options.pipeline = names;
  const Config config = starter_config(options, with_factories());
  std::vector<std::string> pipeline;
  for (const Node& name : config.find("nlp.pipeline")->as_list()) {
    pipeline.push_back(name.as_string());
  }
  EXPECT_EQ(config.find("components")->as_object().size(), pipeline.size());
  return pipeline;
}

TEST(StarterConfig, AComponentThatOthersReferToIsPutInFront) {
  EXPECT_THAT(pipeline_of({"rules", "labels"}), ElementsAre("vectors", "rules", "labels"));
  EXPECT_THAT(pipeline_of({"labels", "vectors"}), ElementsAre("vectors", "labels"));
  EXPECT_THAT(pipeline_of({"vectors", "rules", "labels"}),
              ElementsAre("vectors", "rules", "labels"));
  EXPECT_THAT(pipeline_of({"rules"}), ElementsAre("rules"));
}

TEST(StarterConfig, KeepsVariables) {
  StarterOptions options;
  options.pipeline = {"labels"};
  const Config config = starter_config(options, with_factories());
  EXPECT_TRUE(config.find("components.labels.width")->kept_raw);
}

}  // namespace
}  // namespace weft
