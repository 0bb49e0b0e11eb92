#include "framework/training/logs/logged_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/base/error.h"
#include "registry/reading/cfg_reader.h"
#include "registry/value/json.h"

namespace weft {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kConfig = R"([paths]
key = "secret-1"
train = "data/${paths.key}/train.spacy"
dev = "dev.spacy"

[corpora]

[corpora.train]
path = ${paths.train}

[corpora.dev]
path = ${paths.dev}
names = ["a", "${paths.key}"]

[training]
seed = 7
L2 = 0.5
dropout = ${training.seed}
logger = {"x": {"tokens": ["t", 1]}, "key": "k"}

[own]
section = ${corpora.train}
)";

Object logged(const std::vector<std::string>& removed) {
  Problems problems;
  const Config config = read_cfg(kConfig, "c.cfg", problems, {.interpolate = false});
  EXPECT_TRUE(problems.empty());
  return logged_config(config, removed);
}

TEST(LoggedConfig, IsExpandedAndKeepsItsKeys) {
  const std::string text = to_json(logged({}));
  EXPECT_THAT(text, HasSubstr(R"("path": "data/secret-1/train.spacy")"));
  EXPECT_THAT(text, HasSubstr(R"("L2": 0.5, "dropout": 7)"));
}

// A value that is named under one name must not get out under another.
TEST(LoggedConfig, ARemovedSettingIsGoneWhereverItWasUsed) {
  const std::string text = to_json(logged({"paths.key"}));
  EXPECT_THAT(text, Not(HasSubstr("secret-1")));
  EXPECT_THAT(text, HasSubstr(R"("dev": "dev.spacy")"));
  EXPECT_THAT(text, Not(HasSubstr("train.spacy")));  // made of it
  EXPECT_THAT(text, Not(HasSubstr("names")));
}

TEST(LoggedConfig, SectionsAndInlineValuesAreRemovedToo) {
  EXPECT_THAT(to_json(logged({"paths", "corpora"})), Not(HasSubstr("spacy")));
  EXPECT_THAT(to_json(logged({"training.logger.x"})), Not(HasSubstr("tokens")));
  EXPECT_THAT(to_json(logged({"training.logger.x"})), HasSubstr(R"("key": "k")"));
  EXPECT_THAT(to_json(logged({"training.seed"})), Not(HasSubstr("dropout")));
}

// spaCy ends with a KeyError here; to go on would log a value whose name was misspelt.
TEST(LoggedConfig, AnUnknownNameIsAnError) {
  try {
    logged({"paths.keys"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::config);
    EXPECT_THAT(error.message(), HasSubstr("no setting 'paths.keys' (did you mean paths.key "));
  }
}

}  // namespace
}  // namespace weft
