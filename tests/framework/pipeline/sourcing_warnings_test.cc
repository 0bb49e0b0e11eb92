// Word vectors of a sourced component's pipeline that are not those of the pipeline it comes to.
#include "framework/pipeline/sourcing_warnings.h"

#include <filesystem>
#include <memory>

#include <gtest/gtest.h>

#include "framework/text/vectors_file.h"
#include "registry/value/json.h"
#include "tests/framework/pipeline/one_weight_component.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

class VectorWarnings : public ::testing::Test {
 protected:
  VectorWarnings() {
    fs::create_directories(folder_ / "vocab");
    nlp_.add({"one", std::make_shared<testing::OneWeight>()});
  }
  // How many there are where the source has `theirs` and the pipeline `own`.
  std::size_t warnings(const Vectors& theirs, const Vectors& own) {
    write_vectors(theirs, folder_ / "vocab");
    nlp_.mutable_vocab().set_vectors(std::make_shared<Vectors>(own));
    const std::string values =
        R"({"components": {"one": {"source": ")" + folder_.string() + "\"}}}";
    return vector_warnings(nlp_, Config(parse_json(values)->as_object())).size();
  }

  fs::path folder_ = fs::path(::testing::TempDir()) / "VectorWarnings";
  Language nlp_{Config(), testing::plain_settings()};
  Tensor table_ = Tensor::from<float>({2, 1}, {1, 2});
};

TEST_F(VectorWarnings, TheOrderOfWordsIsNoDifference) {
  EXPECT_EQ(warnings({table_, {{1, 0}, {2, 1}}}, {table_, {{2, 1}, {1, 0}}}), 0U);
}

TEST_F(VectorWarnings, TheSameNumbersForOtherWordsAreOthers) {
  EXPECT_EQ(warnings({table_, {{1, 0}, {2, 1}}}, {table_, {{1, 1}, {2, 0}}}), 1U);
  EXPECT_EQ(warnings({table_, {{1, 0}, {2, 1}}}, {table_, {{1, 0}, {3, 1}}}), 1U);
}

TEST_F(VectorWarnings, TheSameNumbersThatAreLookedUpOtherwiseAreOthers) {
  EXPECT_EQ(warnings({table_, {{1, 0}, {2, 1}}}, {table_, {{1, 0}, {2, 1}}, Attr::lower}), 1U);
  EXPECT_EQ(warnings({table_, {{1, 0}, {2, 1}}}, {table_, FloretSettings{}}), 1U);
}

}  // namespace
}  // namespace weft
