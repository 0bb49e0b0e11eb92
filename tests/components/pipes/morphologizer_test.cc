// The morphologizer as a pipeline has it: labels, what tokens get, saving, bad input.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "framework/text/morph_features.h"
#include "tests/components/pipes/tagging_pipeline.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class MorphologizerPipe : public testing::TaggingPipeline {
 protected:
  Example example(const Language& nlp, const Texts& words, const Texts& pos, const Texts& morphs) {
    Doc doc = doc_of(nlp, words, Attr::pos, pos);
    set(doc, Attr::morph, morphs);
    return Example::from_reference(std::move(doc));
  }
  std::vector<Example> data(const Language& nlp) {
    return {example(nlp, {"the", "dogs", "bark"}, {"DET", "NOUN", "VERB"},
                    {"_", "Number=Plur", "Tense=Pres|Mood=Ind"}),
            example(nlp, {"a", "dog", "!"}, {"DET", "NOUN", ""}, {"_", "Number=Sing", ""}),
            example(nlp, {"oh"}, {""}, {"_"})};
  }
};

TEST_F(MorphologizerPipe, LabelsComeInTheOrderOfTheText) {
  const auto nlp = pipeline("morphologizer");
  auto examples = data(*nlp);
  nlp->initialize(examples);
  const Node data = nlp->find("it")->label_data();
  std::vector<std::string> labels;
  for (const auto& [label, morph] : data.as_object().find("morph")->as_object()) {
    labels.push_back(label);
  }
  EXPECT_THAT(labels, ElementsAre("POS=DET", "Number=Plur|POS=NOUN", "Mood=Ind|POS=VERB|Tense=Pres",
                                  "Number=Sing|POS=NOUN", "_"));
  EXPECT_EQ(data.as_object().find("pos")->as_object().find("Number=Sing|POS=NOUN")->as_integer(),
            92);
}

TEST_F(MorphologizerPipe, LearnsAndIsTheSameAfterSaving) {
  const auto nlp = pipeline("morphologizer");
  auto examples = data(*nlp);
  learn(*nlp, examples);
  const auto loaded = saved_and_loaded(*nlp);
  Doc doc = Doc::from_words(loaded->vocab(), {"the", "dogs", "bark"});
  annotate(*loaded, doc);
  EXPECT_THAT(texts_of(doc, Attr::pos), ElementsAre("DET", "NOUN", "VERB"));
  EXPECT_THAT(texts_of(doc, Attr::morph), ElementsAre("_", "Number=Plur", "Mood=Ind|Tense=Pres"));
}

TEST_F(MorphologizerPipe, OverwritesAndExtendsAsItsSettingsSay) {
  struct Case {
    bool overwrite, extend;
    const char *pos, *morph, *empty;
  };
  for (const Case& c : {Case{true, true, "NOUN", "Case=Nom|Number=Plur", "Number=Plur"},
                        Case{true, false, "NOUN", "Number=Plur", "Number=Plur"},
                        Case{false, true, "X", "Case=Nom|Number=Dual", "Number=Plur"},
                        Case{false, false, "X", "Case=Nom|Number=Dual", "_"}}) {
    const auto nlp = pipeline("morphologizer",
                              fmt::format("overwrite = {}\nextend = {}\n", c.overwrite, c.extend));
    auto examples = data(*nlp);
    learn(*nlp, examples);
    for (const char* old : {"Case=Nom|Number=Dual", "_", ""}) {
      Doc doc = doc_of(*nlp, {"the", "dogs", "bark"}, Attr::pos, {"", "X", ""});
      set(doc, Attr::morph, {"", old, ""});
      annotate(*nlp, doc);
      const std::string old_morph = old;
      const std::string wanted = old_morph.empty()  ? "Number=Plur"
                                 : old_morph == "_" ? c.empty
                                                    : c.morph;
      EXPECT_EQ(texts_of(doc, Attr::morph)[1], wanted) << c.overwrite << c.extend << old;
      EXPECT_THAT(texts_of(doc, Attr::pos), ElementsAre("DET", c.pos, "VERB"));
    }
  }
}

TEST_F(MorphologizerPipe, WhatIsMissingOrUnknownIsNotLearnt) {
  const auto nlp = pipeline("morphologizer");
  auto examples = data(*nlp);
  nlp->initialize(examples);
  std::vector<Example> odd = {example(*nlp, {"dog", "dog"}, {"NOUN", ""}, {"Case=Odd", ""})};
  WorkerPool pool(1);
  ShardRunner runner(*nlp, pool, {});
  EXPECT_EQ(losses_of(runner, odd).at("it"), 0.0);
  std::vector<Example> other_order = {example(*nlp, {"bark"}, {"VERB"}, {"Mood=Ind|Tense=Pres"})};
  EXPECT_GT(losses_of(runner, other_order).at("it"), 0.0);
}

TEST_F(MorphologizerPipe, NamesFeaturesThatDoNotParse) {
  const auto nlp = pipeline("morphologizer");
  std::vector<Example> odd = {example(*nlp, {"dog"}, {"NOUN"}, {"Case"})};
  EXPECT_THAT(error_of([&] { nlp->initialize(odd); }),
              ::testing::AllOf(HasSubstr("token 1 (\"dog\")"), HasSubstr("do not parse")));
  auto examples = data(*nlp);
  nlp->initialize(examples);
  EXPECT_THAT(error_of([&] { nlp->update(odd); }), HasSubstr("do not parse"));
}

}  // namespace
}  // namespace weft
