// Components of saved pipelines: what is refused beside `source`, vectors that differ, listeners
// that have nothing to listen to, and listeners that get a network of their own.
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/io/atomic_file.h"
#include "framework/pipeline/assembled_pipeline.h"
#include "framework/pipeline/build_pipeline.h"
#include "framework/pipeline/load_config.h"
#include "framework/text/span.h"
#include "framework/text/symbols.h"
#include "framework/text/vectors.h"
#include "registry/base/error.h"
#include "registry/reading/cfg_reader.h"
#include "tests/components/training_fixture.h"

namespace weft {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;
using testing_training::trained_arrays;

const Overrides kBriefly = {{"training.max_steps", 2}};

class Sourcing : public testing_training::TrainingFixture {
 protected:
  // A section that takes the component from base/model-last.
  std::string from_base(const std::string& name, const std::string& more = "") const {
    return "\n[components." + name + "]\nsource = \"" + path("base/model-last") + "\"\n" + more;
  }
  std::string both() const { return from_base("tok2vec") + from_base("ner"); }
  std::string own_copy() const {
    return from_base("ner", "replace_listeners = [\"model.tok2vec\"]\n");
  }

  static std::string told(const std::function<void()>& action) {
    try {
      action();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::config) << error.what();
      return error.what();
    }
    ADD_FAILURE() << "nothing was thrown";
    return "";
  }

  static std::multiset<std::string> values_of(const std::map<std::string, std::string>& arrays) {
    std::multiset<std::string> values;
    for (const auto& [name, bytes] : arrays) values.insert(bytes);
    return values;
  }

  // A pipeline folder whose words have vectors, all of them that number.
  std::string vectors(const std::string& name, float number) const {
    Problems problems;
    const Config filled = fill_pipeline_config(
        read_cfg("[nlp]\nlang = \"en\"\n", "test.cfg", problems), catalogue(), problems);
    const auto nlp = build_pipeline(filled, catalogue());
    Tensor table = Tensor::zeros({1, 3});
    for (int i = 0; i < 3; ++i) table.data<float>()[i] = number;
    nlp->mutable_vocab().set_vectors(std::make_shared<Vectors>(
        std::move(table), std::vector<Vectors::KeyRow>{{string_id("Oslo"), 0}}));
    nlp->to_disk(folder_ / name);
    return path(name);
  }
};

// spaCy passes over them without a word.
TEST_F(Sourcing, OtherKeysBesideSourceAreRefused) {
  train(ner(kBriefly), "base");
  const std::string message = told([&] {
    config(R"(["tok2vec", "ner"])", from_base("tok2vec") + from_base("ner",
                                                                     "foo = 3\ncomponnt = "
                                                                     "\"ner\"\n"));
  });
  EXPECT_THAT(message, HasSubstr("[components.ner] foo: unknown setting"));
  EXPECT_THAT(message, HasSubstr("componnt: unknown setting (did you mean component?)"));
}

TEST_F(Sourcing, VectorsThatAreNotThoseOfTheSourceAreAWarning) {
  Overrides with = kBriefly;
  with.emplace_back("initialize.vectors", vectors("one", 1.0F));
  train(ner(with), "base");
  const std::string pipeline = R"(["tok2vec", "ner"])";
  train(config(pipeline, both(), with));
  EXPECT_THAT(err_.str(), Not(HasSubstr("word vectors")));
  with.back().second = vectors("other", 2.0F);
  train(config(pipeline, both(), with));
  for (const char* name : {"tok2vec", "ner"}) {
    EXPECT_THAT(err_.str(), HasSubstr(std::string("[components.") + name + "] source: "));
  }
  EXPECT_THAT(err_.str(), HasSubstr("warning: " + path("test.cfg") + ":"));
  EXPECT_THAT(err_.str(), HasSubstr("the word vectors of " + path("base/model-last") +
                                    " are not those of this pipeline"));
  with.pop_back();  // none at all are others, too
  train(config(pipeline, both(), with));
  EXPECT_THAT(err_.str(), HasSubstr("are not those of this pipeline"));
}

// There would be nothing to go on from, and sourced components are not initialised.
TEST_F(Sourcing, APipelineThatWasNeverInitialisedIsNoSource) {
  build_pipeline(ner(kBriefly), catalogue())->to_disk(folder_ / "base/model-last");
  const std::string message = told([&] { train(config(R"(["tok2vec", "ner"])", both())); });
  EXPECT_THAT(message, HasSubstr("[components.tok2vec] source: the pipeline there was saved before "
                                 "it was initialised, and has no weights"));
}

TEST_F(Sourcing, AComponentKeepsToItsLanguage) {
  train(ner(kBriefly), "base");
  Overrides german = kBriefly;
  german.emplace_back("nlp.lang", "de");
  const std::string message =
      told([&] { build_pipeline(config(R"(["tok2vec", "ner"])", both(), german), catalogue()); });
  for (const char* name : {"tok2vec", "ner"}) {
    EXPECT_THAT(message, HasSubstr(std::string("'") + name +
                                   "' is of a pipeline of the language "
                                   "'en', and this is one of 'de'"));
  }
}

TEST_F(Sourcing, AFrozenNetworkThatDoesNotAnnotateIsAWarning) {
  train(ner(kBriefly), "base");
  const std::string pipeline = R"(["tok2vec", "ner"])";
  Overrides frozen = kBriefly;
  frozen.emplace_back("training.frozen_components", List{"tok2vec"});
  train(config(pipeline, both(), frozen));
  EXPECT_THAT(err_.str(), HasSubstr("'tok2vec' is frozen and not among annotating_components: "
                                    "'ner' is trained on its vectors all the same"));
  frozen.emplace_back("training.annotating_components", List{"tok2vec"});
  train(config(pipeline, both(), frozen));
  EXPECT_EQ(err_.str(), "");
}

TEST_F(Sourcing, ANetworkTrainedUnderAFrozenListenerIsAWarning) {
  train(ner(kBriefly), "base");
  Overrides frozen = kBriefly;
  frozen.emplace_back("training.frozen_components", List{"ner"});
  train(config(R"(["tok2vec", "ner"])", both(), frozen));
  EXPECT_THAT(err_.str(), HasSubstr("'tok2vec' is trained while 'ner', which listens to it, is "
                                    "frozen"));
  train(config(R"(["tok2vec", "ner"])", from_base("tok2vec") + own_copy(), frozen));
  EXPECT_EQ(err_.str(), "");  // with a copy of its own nothing changes under it
}

TEST_F(Sourcing, AListenerWithoutItsNetworkIsAnErrorThatNamesTheCure) {
  train(ner(kBriefly), "base");
  const Config alone = config(R"(["ner"])", from_base("ner"), kBriefly);
  const std::string cure = "by replace_listeners = [\"model.tok2vec\"]";
  const std::string assembled = told([&] { assembled_pipeline(alone, catalogue()); });
  EXPECT_THAT(assembled, HasSubstr("[components.ner] model: it listens to token vectors"));
  EXPECT_THAT(assembled, HasSubstr(cure));
  EXPECT_THAT(told([&] { train(alone, "out"); }), HasSubstr(cure));
  EXPECT_FALSE(fs::exists(folder_ / "out"));
  // The same at load, of a pipeline that lost its tok2vec, and of one where it comes too late.
  const fs::path file = folder_ / "base/model-last/config.cfg";
  const std::string text = read_file(file);
  for (const char* pipeline : {R"(["ner"])", R"(["ner", "tok2vec"])"}) {
    std::string changed = text;
    const std::string before = R"(["tok2vec", "ner"])";
    ASSERT_NE(changed.find(before), std::string::npos);
    changed.replace(changed.find(before), before.size(), pipeline);
    write_file(file, changed);
    const std::string loaded = told([&] { load_pipeline(file.parent_path(), catalogue()); });
    EXPECT_THAT(loaded, HasSubstr("no component before it gives any")) << pipeline;
    EXPECT_THAT(loaded, HasSubstr(cure)) << pipeline;
  }
}

TEST_F(Sourcing, AListenerThatWasReplacedHasTheNetworkWithItsWeights) {
  train(ner({{"training.max_steps", 30}}), "base");
  const auto base = load(folder_ / "base/model-last");
  const auto nlp = assembled_pipeline(config(R"(["ner"])", own_copy()), catalogue());
  nlp->to_disk(folder_ / "alone");
  const std::string saved = read_file(folder_ / "alone/config.cfg");
  EXPECT_THAT(saved, HasSubstr("[components.ner.model.tok2vec]\n@architectures = "
                               "\"spacy.HashEmbedCNN.v2\""));
  for (const char* gone : {"source = ", "replace_listeners", "Tok2VecListener"}) {
    EXPECT_THAT(saved, Not(HasSubstr(gone)));
  }
  const auto loaded = load(folder_ / "alone");
  int found = 0;
  for (const char* text : {"Ada went to Oslo.", "Grace saw Alan in Paris.", "Oslo"}) {
    const std::vector<Span> expected = (*base)(text).ents();
    EXPECT_EQ((*loaded)(text).ents(), expected) << text;
    found += static_cast<int>(expected.size());
  }
  EXPECT_GT(found, 0);
  const auto copied = values_of(trained_arrays(*loaded, "ner"));
  for (const auto& [name, bytes] : trained_arrays(*base, "tok2vec")) {
    EXPECT_EQ(copied.count(bytes), 1U) << name;
  }
  // Training goes on from there and moves the copy as well.
  const auto before = trained_arrays(*loaded, "ner");
  const TrainedPipeline more = train(config(R"(["ner"])", own_copy(), kBriefly), "more");
  const auto after = trained_arrays(*load(folder_ / "more/model-last"), "ner");
  ASSERT_EQ(before.size(), after.size());
  for (const auto& [name, bytes] : before) EXPECT_NE(after.at(name), bytes) << name;
}

TEST_F(Sourcing, PathsOfListenersAreChecked) {
  train(ner(kBriefly), "base");
  const auto refused = [&](const std::string& paths) {
    const std::string more = "replace_listeners = " + paths + "\n";
    return told([&] { build_pipeline(config(R"(["ner"])", from_base("ner", more)), catalogue()); });
  };
  EXPECT_THAT(refused(R"(["model.tok2vec", "model.tok2vec"])"),
              HasSubstr("has 1 listener, and 2 paths are given"));
  EXPECT_THAT(refused(R"(["model.tok2vc"])"), HasSubstr("(did you mean model.tok2vec?)"));
  EXPECT_THAT(refused(R"(["model"])"), HasSubstr("'model' is no listener"));
  EXPECT_THAT(refused("[]"), HasSubstr("no component before it gives any"));
}

}  // namespace
}  // namespace weft
