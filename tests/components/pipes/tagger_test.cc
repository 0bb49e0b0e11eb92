// The tagger as a pipeline has it: labels, training, negative tags, saving, bad input.
#include <cmath>

#include <gmock/gmock.h>

#include "framework/nn/model.h"
#include "tests/components/pipes/tagging_pipeline.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class TaggerPipe : public testing::TaggingPipeline {
 protected:
  Example example(const Language& nlp, const Texts& words, const Texts& tags) {
    return Example::from_reference(doc_of(nlp, words, Attr::tag, tags));
  }
  std::vector<Example> data(const Language& nlp) {
    return {example(nlp, {"the", "dog", "barks"}, {"DT", "NN", "VB"}),
            example(nlp, {"a", "cat", "sleeps"}, {"DT", "NN", ""}),
            example(nlp, {"it", "sleeps"}, {"PR", "VB"})};
  }
};

TEST_F(TaggerPipe, LabelsAreSortedOrGivenInTheirOrder) {
  const auto nlp = pipeline("tagger");
  const auto examples = data(*nlp);
  nlp->initialize(examples);
  EXPECT_THAT(nlp->find("it")->labels(), ElementsAre("DT", "NN", "PR", "VB"));
  const auto given = pipeline("tagger", "", R"(
[initialize]

[initialize.components]

[initialize.components.it]
labels = ["VB", "NN", "DT", "PR", "XX"]
)");
  const auto same = data(*given);
  given->initialize(same);
  const Node labels = given->find("it")->label_data();
  EXPECT_EQ(labels.as_list().front().as_string(), "VB");
  EXPECT_EQ(labels.as_list().size(), 5U);
  EXPECT_THAT(given->find("it")->labels(), ElementsAre("VB", "NN", "DT", "PR", "XX"));
}

TEST_F(TaggerPipe, LearnsAndIsTheSameAfterSaving) {
  const auto nlp = pipeline("tagger", "label_smoothing = 0.05\n");
  auto examples = data(*nlp);
  learn(*nlp, examples);
  EXPECT_THAT(predicted(*nlp, {"the", "dog", "barks"}, Attr::tag), ElementsAre("DT", "NN", "VB"));
  const auto loaded = saved_and_loaded(*nlp);
  EXPECT_THAT(predicted(*loaded, {"it", "sleeps"}, Attr::tag), ElementsAre("PR", "VB"));
  EXPECT_THAT(predicted(*loaded, {}, Attr::tag), ElementsAre());
}

TEST_F(TaggerPipe, KeepsTagsUnlessItOverwrites) {
  for (const bool overwrite : {false, true}) {
    const auto nlp = pipeline("tagger", overwrite ? "overwrite = true\n" : "");
    auto examples = data(*nlp);
    learn(*nlp, examples);
    Doc doc = doc_of(*nlp, {"the", "dog", "barks"}, Attr::tag, {"", "KEPT", ""});
    annotate(*nlp, doc);
    EXPECT_THAT(texts_of(doc, Attr::tag), ElementsAre("DT", overwrite ? "NN" : "KEPT", "VB"));
  }
}

TEST_F(TaggerPipe, ANegativeTagPushesItsClassDownAlone) {
  const auto nlp = pipeline("tagger", "neg_prefix = \"not:\"\n");
  auto examples = data(*nlp);
  nlp->initialize(examples);
  std::vector<Example> negative = {example(*nlp, {"dog"}, {"not:NN"})};
  WorkerPool pool(1);
  ShardRunner runner(*nlp, pool, {});
  const Losses losses = losses_of(runner, negative);
  EXPECT_NEAR(losses.at("it"), 1.0 / 16, 1e-6) << "four classes of equal probability";
  const Model& softmax = nlp->find("it")->models().front()->ref("softmax");
  const Tensor* db = runner.gradients().find(softmax.param("b"));
  ASSERT_NE(db, nullptr);
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(db->data<float>()[k], k == 1 ? 0.25 : 0.0, 1e-6) << k;
}

// The gradient is that of the cross entropy of the smoothed truth.
TEST_F(TaggerPipe, GradientsAreThoseOfDifferences) {
  const auto nlp = pipeline("tagger", "label_smoothing = 0.1\n");
  auto examples = data(*nlp);
  learn(*nlp, examples, 5);
  WorkerPool pool(1);
  ShardRunner runner(*nlp, pool, {});
  losses_of(runner, examples);
  Model& model = *nlp->find("it")->models().front();
  model.ref("softmax").set_attr("softmax_normalize", true);
  const auto cross_entropy = [&] {
    const char* const names[] = {"DT", "NN", "PR", "VB"};
    double sum = 0.0;
    for (const Example& example : examples) {
      Context ctx;
      const Doc* const docs[] = {&example.predicted()};
      const Tensor p = as_ragged(ctx, model.predict(ctx, DocBatch(docs))).data;
      for (int i = 0; i < example.size(); ++i) {
        const StringId tag = example.reference().value(Attr::tag, i);
        for (int k = 0; k < 4 && tag != 0; ++k) {
          const double truth = example.reference().string(tag) == names[k] ? 0.9 : 0.1 / 3;
          sum -= truth * std::log(double{p.data<float>()[i * 4 + k]});
        }
      }
    }
    return sum;
  };
  for (Model* node : model.walk()) {
    for (const auto& parameter : node->params()) {
      const Tensor* gradient = runner.gradients().find(*parameter);
      if (!parameter->value || gradient == nullptr) continue;
      float largest = 1e-3F;
      for (std::int64_t i = 0; i < gradient->size(); ++i) {
        largest = std::max(largest, std::abs(gradient->data<float>()[i]));
      }
      for (std::int64_t i = 0; i < gradient->size(); i += 1 + gradient->size() / 7) {
        float& number = parameter->value.data<float>()[i];
        const float kept = number, step = 1e-3F;
        number = kept + step;
        const double above = cross_entropy();
        number = kept - step;
        const double below = cross_entropy();
        number = kept;
        EXPECT_NEAR((above - below) / (2.0 * step), gradient->data<float>()[i], 3e-2 * largest)
            << node->name() << "/" << parameter->name << "[" << i << "]";
      }
    }
  }
}

TEST_F(TaggerPipe, NamesBadInput) {
  const auto nlp = pipeline("tagger");
  auto examples = data(*nlp);
  nlp->initialize(examples);
  std::vector<Example> unknown = {example(*nlp, {"dog"}, {"ODD"})};
  EXPECT_THAT(error_of([&] { nlp->update(unknown); }),
              ::testing::AllOf(HasSubstr("component 'it'"), HasSubstr("token 1 (\"dog\")"),
                               HasSubstr("the tag \"ODD\" is none of its labels")));
  std::vector<Example> not_unknown = {example(*nlp, {"dog"}, {"!ODD"})};
  EXPECT_THAT(error_of([&] { nlp->update(not_unknown); }),
              HasSubstr("the tag \"!ODD\" is negative (neg_prefix), and \"ODD\" is none of its"));
  EXPECT_THAT(error_of([&] { nlp->find("it")->add_label("NEW"); }),
              HasSubstr("takes no further label"));
  const auto bare = pipeline("tagger");
  std::vector<Example> nothing = {example(*bare, {"dog"}, {""})};
  EXPECT_THAT(error_of([&] { bare->initialize(nothing); }), HasSubstr("no annotation"));
  const auto smooth = pipeline("tagger", "label_smoothing = 0.8\n");
  std::vector<Example> same = data(*smooth);
  EXPECT_THAT(error_of([&] { smooth->initialize(same); }), HasSubstr("less than 0.75"));
  const auto both = pipeline("tagger", "label_smoothing = 0.1\n");
  same = data(*both);
  both->initialize(same);
  std::vector<Example> negative = {example(*both, {"dog"}, {"!NN"})};
  EXPECT_THAT(error_of([&] { both->update(negative); }), HasSubstr("does not go with"));
}

TEST_F(TaggerPipe, FilesThatDoNotFitAreRefused) {
  const auto nlp = pipeline("tagger");
  auto examples = data(*nlp);
  learn(*nlp, examples, 1);
  nlp->to_disk(folder_ / "saved");
  for (const char* cfg : {"[]", "{\"labels\": [\"A\"]}", "{\"labels\": [1, 2, 3, 4]}", "{}",
                          "{\"labels\": [\"A\", \"B\", \"C\", \"D\"], \"label_smoothing\": 7}"}) {
    write_file(folder_ / "saved/it/cfg", cfg);
    EXPECT_THAT(error_of([&] { load_pipeline(folder_ / "saved", catalogue_); }),
                HasSubstr("saved/it/"))
        << cfg;
  }
}

}  // namespace
}  // namespace weft
