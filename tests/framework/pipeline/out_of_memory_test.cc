#include "framework/pipeline/out_of_memory.h"

#include <memory>
#include <new>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/base/error.h"

namespace weft {
namespace {

using ::testing::HasSubstr;

TEST(OutOfMemoryTest, OnlyLackOfMemoryIsTakenForThat) {
  EXPECT_TRUE(fits_into_memory([] {}));
  EXPECT_FALSE(fits_into_memory([] { throw std::bad_alloc(); }));
  EXPECT_FALSE(fits_into_memory([] { throw Error(ErrorKind::memory, "none left"); }));
  EXPECT_THROW(fits_into_memory([] { throw Error(ErrorKind::data, "wrong"); }), Error);
  EXPECT_THROW(fits_into_memory([] { throw std::runtime_error("wrong"); }), std::runtime_error);
}

class DocumentSizesTest : public ::testing::Test {
 protected:
  Example example(int words) const {
    const std::vector<std::string> list(static_cast<std::size_t>(words), "x");
    return Example::from_reference(Doc::from_words(vocab_, list));
  }
  // The messages about a batch of `short_` and `long_` under a limit.
  std::string message(double limit) {
    Example* const examples[] = {&short_, &long_};
    Batch batch;
    batch.examples = examples;
    const std::size_t lengths[] = {3, 500};
    try {
      check_document_sizes(batch, {lengths, {1e4, 1e4}, limit});
      return "";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::memory);
      return error.what();
    }
  }

  std::shared_ptr<const Vocab> vocab_ = std::make_shared<const Vocab>("xx");
  Example short_ = example(3);
  Example long_ = example(500);
};

TEST_F(DocumentSizesTest, ADocumentThatCannotFitIsNamedAsWellAsPossible) {
  EXPECT_EQ(message(0.0), "") << "no limit";
  EXPECT_EQ(message(5.01e6), "");
  EXPECT_THAT(message(5e6), HasSubstr("a document of 500 tokens is too long to train on: it takes "
                                      "about 5.0 MB, and [system] memory leaves 5.0 MB; cut it"));
  long_.set_number(8);
  EXPECT_THAT(message(5e6), HasSubstr("document 8 of the corpus: a document of 500 tokens"));
  long_.set_place({std::make_shared<const std::string>("a.jsonl"), 4, 3});
  EXPECT_THAT(message(5e6), HasSubstr("a.jsonl:4, document 3: a document of 500 tokens"));
  EXPECT_THAT(message(2e4), HasSubstr("a document of 3 tokens"));
}

}  // namespace
}  // namespace weft
