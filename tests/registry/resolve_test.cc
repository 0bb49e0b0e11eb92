#include "registry/building/resolve.h"

#include <gtest/gtest.h>

#include "registry/base/error.h"
#include "registry/filling/fill.h"
#include "registry/value/json.h"
#include "registry/writing/cfg_writer.h"
#include "tests/registry/sample.h"

namespace weft {
namespace {

using sample::catalogue;
using sample::read;
using sample::schemas;
using sample::shown;

std::string filled(std::string_view text, const FillOptions& options = {}) {
  Problems problems;
  const Config config = read(text, !options.keep_variables);
  const Config result = fill(config, catalogue(), schemas(), problems, options);
  if (!problems.empty()) return shown(problems);
  return write_cfg(result, problems);
}

std::string problems_of(std::string_view text) {
  Problems problems;
  EXPECT_FALSE(resolve(read(text), catalogue(), schemas(), problems).has_value());
  return shown(problems);
}

TEST(Fill, AddsDefaultsAfterTheGivenKeysInParameterOrder) {
  EXPECT_EQ(filled("[r]\n@sample_rates = \"warm.v1\"\nkind = \"cosine\"\npeak = 0.5"),
            "[r]\n@sample_rates = \"warm.v1\"\nkind = \"cosine\"\npeak = 0.5\nwarmup_steps = 100");
}

TEST(Fill, DefaultBlocksAreFilledToo) {
  const std::string text = filled("[training]\ntrain_corpus = \"corpora.train\"");
  EXPECT_NE(text.find("[training.optimizer]\n@sample_optimizers = \"adam.v1\"\nlearn_rate = 0.001"),
            text.npos)
      << text;
}

// A setting of our own that the reference does not know.
struct Quiet {
  int loud = 1;
  int quiet = 2;
};
template <class V>
void fields(V& v, Quiet& c) {
  v("loud", c.loud, "filled");
  v("quiet", c.quiet, "left out unless it is given", not_filled);
}

TEST(Fill, SettingsThatAreNotFilledStayAwayUnlessAllDefaultsAreAskedFor) {
  Schemas quiet;
  quiet.add<Quiet>("part");
  const auto filled = [&](std::string_view text, bool all) {
    Problems problems;
    const Config result = fill(read(text), catalogue(), quiet, problems, {.all_defaults = all});
    return write_cfg(result, problems) + shown(problems);
  };
  EXPECT_EQ(filled("[part]", false), "[part]\nloud = 1");
  EXPECT_EQ(filled("[part]\nquiet = 5", false), "[part]\nquiet = 5\nloud = 1");
  EXPECT_EQ(filled("[part]", true), "[part]\nloud = 1\nquiet = 2");
  Problems wrong;
  fill(read("[part]\nquiet = \"x\""), catalogue(), quiet, wrong);
  ASSERT_EQ(wrong.size(), 1u);
  EXPECT_EQ(wrong[0].path, "part.quiet");
  Problems problems;
  const auto read_back = resolve_section<Quiet>(read("[part]"), "part", catalogue(), problems);
  EXPECT_EQ(read_back->quiet, 2) << "the default counts all the same";
}

TEST(Fill, IsIdempotent) {
  const std::string once = filled(
      "[training]\ntrain_corpus = \"a.b\"\n[components]\n"
      "[components.tagger]\nfactory = \"tagger\"");
  EXPECT_EQ(filled(once), once);
}

TEST(Fill, DefaultsOfAFactoryAreMergedUnderTheSection) {
  const std::string text = filled(
      "[components]\n[components.tagger]\nfactory = \"tagger\"\n"
      "[components.tagger.model]\nwidth = 64");
  EXPECT_NE(text.find("[components.tagger.model]\nwidth = 64\n@sample_layers = \"dense.v1\"\n"
                      "depth = 4"),
            text.npos)
      << text;
}

TEST(Fill, AnotherFunctionTakesNothingFromTheDefaultBlock) {
  const std::string text = filled(
      "[components]\n[components.tagger]\nfactory = \"tagger\"\n"
      "[components.tagger.model]\n@sample_layers = \"chain.v1\"\n* = []");
  EXPECT_EQ(text.find("width"), text.npos) << text;
}

TEST(Fill, DefaultsKnowWhoseTheyAre) {
  Problems problems;
  const Config config =
      fill(read("[o]\n@sample_optimizers = \"adam.v1\""), catalogue(), schemas(), problems);
  EXPECT_EQ(config.find("o.beta")->origin.str(), "default of adam.v1");
  EXPECT_EQ(config.find("o.@sample_optimizers")->origin.line, 2);
}

TEST(Fill, KeptVariablesComeBack) {
  const std::string text = filled(
      "[a]\nrate = 0.5\n[r]\n@sample_rates = \"warm.v1\"\n"
      "peak = ${a.rate}",
      {.keep_variables = true});
  EXPECT_NE(text.find("peak = ${a.rate}\nwarmup_steps = 100"), text.npos) << text;
}

TEST(Fill, PositionalValuesMayFillOrdinaryParameters) {
  EXPECT_EQ(filled("[l]\n@sample_layers = \"dense.v1\"\n* = [5, 2]"),
            "[l]\n@sample_layers = \"dense.v1\"\n* = [5, 2]\nwindow = [1, 1]\nrows = []");
}

TEST(Resolve, BuildsInsideOut) {
  Problems problems;
  const auto made = resolve_at(read("[m]\n@sample_layers = \"chain.v1\"\n"
                                    "[m.*.b]\n@sample_layers = \"dense.v1\"\nwidth = 2\n"
                                    "[m.*.a]\n@sample_layers = \"dense.v1\"\nwidth = \"1\""),
                               "m", catalogue(), schemas(), problems);
  ASSERT_TRUE(made.has_value()) << shown(problems);
  EXPECT_EQ(made->product().get<sample::Layer>()->text, "chain(dense(2), dense(1))");
}

TEST(Resolve, ANumberStandsForASchedule) {
  Problems problems;
  const auto made = resolve_at(read("[o]\n@sample_optimizers = \"adam.v1\"\nlearn_rate = 1"), "o",
                               catalogue(), schemas(), problems);
  ASSERT_TRUE(made.has_value()) << shown(problems);
  EXPECT_EQ(made->product().get<sample::Optimizer>()->rate.at(7), 1.0);
}

TEST(Resolve, ASectionAsAStruct) {
  Problems problems;
  const auto training = resolve_section<sample::Training>(
      read("[training]\ntrain_corpus = \"corpora.train\"\ndropout = 0\n[training.score_weights]\n"
           "ents_f = 1\nspeed = null\n[training.optimizer]\n@sample_optimizers = \"adam.v1\"\n"
           "[training.optimizer.learn_rate]\n@sample_rates = \"warm.v1\"\npeak = 1"),
      "training", catalogue(), problems);
  ASSERT_TRUE(training.has_value()) << shown(problems);
  EXPECT_EQ(training->dropout, 0.0);
  EXPECT_EQ(training->patience, 1600);
  EXPECT_EQ(training->optimizer.rate.at(50), 0.5);
  EXPECT_EQ(training->score_weights.at("ents_f"), 1.0);
  EXPECT_FALSE(training->score_weights.at("speed").has_value());
}

TEST(Resolve, ASelectedFactory) {
  Problems problems;
  auto selected =
      resolve_selected(read("[components]\n[components.tagger]\nfactory = \"tagger\"\n"
                            "[components.tagger.model]\nwidth = 64"),
                       "components.tagger", "factory", "factories", catalogue(), problems);
  ASSERT_TRUE(selected.has_value()) << shown(problems);
  const Argument made = selected->function->call(selected->arguments);
  EXPECT_EQ(made.product().get<sample::Tagger>()->model.text, "dense(64)");
}

TEST(Resolve, AllProblemsAtOnceEachWithItsPlace) {
  EXPECT_EQ(problems_of("[training]\ntrain_corpus = 3\nmax_stepz = 5\ndropuot = 0.2\n"
                        "[training.optimizer]\n@sample_optimizers = \"adam.v1\"\nlearn_rat = 0.1\n"
                        "beta = 1.5\n[m]\n@sample_layers = \"dense.v1\"\nwidth = \"wide\"\n"
                        "[n]\n@sample_layer = \"dense.v1\"\n[p]\n@sample_layers = \"dens.v1\""),
            "test.cfg:2:16  [training] train_corpus: expected string, found an integer 3\n"
            "test.cfg:3:1  [training] max_stepz: unknown setting\n"
            "test.cfg:4:1  [training] dropuot: unknown setting (did you mean dropout?)\n"
            "test.cfg:8:8  [training.optimizer] beta: 1.5 is out of range, it must be 0 <= x < 1\n"
            "test.cfg:7:1  [training.optimizer] learn_rat: unknown setting (did you mean "
            "learn_rate?)\n"
            "test.cfg:11:9  [m] width: expected integer, found a string \"wide\"\n"
            "test.cfg:13:17  [n] @sample_layer: no kind of functions is called \"sample_layer\" "
            "(did you mean sample_layers or sample_rates?)\n"
            "test.cfg:15:18  [p] @sample_layers: no function \"dens.v1\" in sample_layers (did you "
            "mean dense.v1?)\n");
}

TEST(Resolve, NothingIsBuiltAfterAnError) {
  const std::string said = problems_of(
      "[a]\n@sample_layers = \"dense.v1\"\nwidth = 13\n"
      "[b]\n@sample_layers = \"dense.v1\"\nwidth = \"x\"");
  EXPECT_EQ(said.find("bad luck"), said.npos) << said;
}

TEST(Resolve, WhatAFunctionThrowsIsAProblemAtItsBlock) {
  EXPECT_EQ(problems_of("[a]\n@sample_layers = \"dense.v1\"\nwidth = 13"),
            "test.cfg:2:18  [a]: dense.v1 failed: 13 brings bad luck\n");
  EXPECT_EQ(problems_of("[a]\n@sample_layers = \"dense.v1\"\nwidth = 1313"),
            "test.cfg:2:18  [a]: dense.v1 failed: it threw something that is no std::exception\n");
}

TEST(Resolve, ResultsAreCheckedAgainstTheParameter) {
  EXPECT_EQ(problems_of("[m]\n@sample_layers = \"chain.v1\"\n[m.*.a]\n@sample_rates = \"warm.v1\"\n"
                        "peak = 1.0"),
            "test.cfg:3:1  [m.*] a: expected layer, but warm.v1 gives a rate\n");
}

TEST(Resolve, KnownButNotBuilt) {
  EXPECT_EQ(problems_of("[m]\n@sample_layers = \"cuda.v1\"\nwidth = 1"),
            "test.cfg:2:18  [m]: cuda.v1 is known, not built yet\n");
}

TEST(Resolve, TheSystemSectionWarnsAndNotes) {
  Problems problems;
  EXPECT_TRUE(resolve(read("[system]\nsede = 1\ngpu_allocator = \"pytorch\"\n[paths]\nfree = 1"),
                      catalogue(), schemas(), problems)
                  .has_value());
  EXPECT_EQ(shown(problems),
            "note: test.cfg:3:17  [system] gpu_allocator: means nothing here: weft manages GPU "
            "memory itself\n"
            "warning: test.cfg:2:1  [system] sede: unknown setting (did you mean seed?)\n");
}

TEST(Resolve, AConfigErrorMadeOfAMessageAloneIsAProblem) {
  Catalogue own;
  own.add(Function("k", "half.v1", "", Signature(), Type::any(), [](Arguments&) -> Argument {
    throw Error(ErrorKind::config, "vectors are not built yet");
  }));
  Problems problems;
  EXPECT_FALSE(resolve(read("[a]\n@k = \"half.v1\""), own, Schemas(), problems).has_value());
  EXPECT_EQ(shown(problems), "test.cfg:2:6  [a]: vectors are not built yet\n");
}

TEST(Resolve, ErrorsOfAnotherKindPassThrough) {
  Catalogue own;
  own.add(Function("k", "data.v1", "", Signature(), Type::any(), [](Arguments&) -> Argument {
    throw Error(ErrorKind::data, "line 3 is damaged");
  }));
  Problems problems;
  EXPECT_THROW(resolve(read("[a]\n@k = \"data.v1\""), own, Schemas(), problems), Error);
}

}  // namespace
}  // namespace weft
