// Confidences of a recognizer that cannot compute yet.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/parser/confidence_fit.h"
#include "framework/pipeline/build_pipeline.h"
#include "framework/training/example_streams.h"
#include "registry/base/error.h"
#include "tests/components/training_fixture.h"

namespace weft {
namespace {

class Calibrate : public testing_training::TrainingFixture {};

TEST_F(Calibrate, NeedsATrainedPipeline) {
  const auto nlp = build_pipeline(ner(), catalogue());
  const ExampleStreamPtr examples = stream_of([] { return ExamplePtr(); });
  try {
    calibrate(*nlp, "ner", *examples, "dev");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_THAT(error.what(), ::testing::HasSubstr("'tok2vec' has no parameters yet"));
  }
}

}  // namespace
}  // namespace weft
