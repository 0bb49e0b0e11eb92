#include "framework/pipeline/trained_parameters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/framework/pipeline/one_weight_component.h"

namespace weft {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> names_of(const Language& nlp, const std::vector<std::string>& frozen) {
  std::vector<std::string> names;
  for (const NamedParameter& named : trained_parameters(nlp, frozen)) names.push_back(named.name);
  return names;
}

TEST(TrainedParameters, AreNamedByComponentLayerAndPlaceInTheFile) {
  Language nlp(Config(), testing::plain_settings());
  const auto one = std::make_shared<testing::OneWeight>(),
             two = std::make_shared<testing::OneWeight>();
  const auto child = std::make_shared<Model>("child", [](Context&, const Model&, const Value& x) {
    return Forward{x, {}};
  });
  child->declare_param("b");
  child->declare_param("a");
  one->model().layers() = {child, child};  // the same layer twice is one
  nlp.add({"one", one});
  nlp.add({"off", std::make_shared<testing::OneWeight>(), false});
  nlp.add({"two", two});
  EXPECT_THAT(names_of(nlp, {}),
              ElementsAre("one/0/weight/W", "one/1/child/b", "one/1/child/a", "two/0/weight/W"));
  EXPECT_THAT(names_of(nlp, {"one"}), ElementsAre("two/0/weight/W"));
  EXPECT_THAT(names_of(nlp, {"one", "two"}), ElementsAre());
  const std::vector<NamedParameter> all = trained_parameters(nlp, {});
  EXPECT_EQ(all.front().parameter, &one->model().param("W"));
  EXPECT_EQ(all[1].component, "one");
  EXPECT_EQ(all[1].layer, "child");
  EXPECT_EQ(all[1].layer_number, 1);
}

}  // namespace
}  // namespace weft
