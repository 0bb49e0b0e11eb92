// Corpora of a config as readers, and the readers whose documents can be checked.
#include "framework/training/resolve_corpus.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/base/error.h"
#include "registry/functions/argument.h"
#include "registry/functions/function.h"
#include "registry/functions/product.h"
#include "registry/functions/signature.h"
#include "registry/functions/type.h"
#include "registry/reading/cfg_reader.h"
#include "tests/framework/pipeline/one_weight_component.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

Function reader_named(const std::string& name, const Reader& reader, const char* facts) {
  Function function("readers", name, "", {.parameters = {{.name = "path"}}},
                    Type::product(ProductType::of<Reader>()),
                    [reader](Arguments&) { return Argument(Product::of(reader)); });
  function.set_meta(facts);
  return function;
}

class ResolveCorpusTest : public ::testing::Test {
 protected:
  ResolveCorpusTest() {
    const auto annotated = [this](const Language&, const AnnotationTells& to) {
      read_.push_back(to.corpus);
    };
    const Reader checkable{.open = {}, .read_annotated = annotated};
    catalogue_.add(reader_named("a.annotated.v1", checkable, R"({"read_annotated": true})"));
    catalogue_.add(reader_named("b.plain.v1", {}, R"({"read_annotated": false})"));
    catalogue_.add(reader_named("c.annotated.v1", checkable, R"({"read_annotated": true})"));
    catalogue_.add(reader_named("d.plain.v1", {}, "{}"));
  }
  void read_by(const std::string& reader) {
    Problems problems;
    const Config values =
        read_cfg("[corpora]\n[corpora.dev]\n@readers = \"" + reader + "\"\npath = \"x\"\n",
                 "test.cfg", problems);
    read_annotated(values, nlp_, catalogue_, {.corpus = "corpora.dev", .take = {}, .tell = {}});
  }

  Language nlp_{Config(), testing::plain_settings()};
  Catalogue catalogue_;
  std::vector<std::string> read_;
};

TEST_F(ResolveCorpusTest, TheReaderItselfGivesItsAnnotatedDocuments) {
  read_by("c.annotated.v1");
  EXPECT_THAT(read_, ElementsAre("corpora.dev"));
}

// By the catalogue, so that a plugin's reader is offered too.
TEST_F(ResolveCorpusTest, AReaderThatGivesNoneIsToldWithThoseThatDo) {
  EXPECT_THAT([&] { read_by("b.plain.v1"); },
              ThrowsMessage<Error>(HasSubstr("the reader 'b.plain.v1' cannot be checked; take "
                                             "a.annotated.v1 or c.annotated.v1")));
}

}  // namespace
}  // namespace weft
