#include "framework/training/checkpoint.h"

#include <cmath>
#include <functional>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/io/atomic_file.h"
#include "framework/io/safetensors_writer.h"
#include "framework/text/tokenizer.h"
#include "registry/base/error.h"
#include "registry/base/sha256.h"
#include "registry/value/json.h"

namespace weft {
namespace {
namespace fs = std::filesystem;
using testing::HasSubstr;

class NoRule : public Optimizer {
 public:
  NoRule() : Optimizer(OptimizerSettings()) {}

 protected:
  void apply(Context&, const ArraySlice&, std::int64_t, StepScalars) const override {}
};

class Momentless final : public Optimizer {
 public:
  Momentless() : Optimizer({.use_averages = false}) {}

 protected:
  int moments() const override { return 0; }
};

NlpSettings settings() {
  NlpSettings settings;
  settings.lang = "xx";
  return settings;
}

class CheckpointTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / "CheckpointTest" /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    nlp_.set_tokenizer(std::make_shared<Tokenizer>(TokenizerRules()));
  }
  static Checkpoint checkpoint() {
    Checkpoint made;
    made.training.step = 21;
    made.training.epoch = 2;
    made.training.results = {{0.5, 10}, {0.75, 20}};
    made.training.losses["ner"] = 1.5;
    made.schedule_step = 22;
    made.optimizer["ner/0/linear/W"] = {.updates = 21,
                                        .mom1 = Tensor::from<float>({2}, {1, 2}),
                                        .mom2 = Tensor::from<float>({2}, {3, 4}),
                                        .average = Tensor::from<float>({2}, {5, 6})};
    made.optimizer["ner/0/linear/b"].updates = 3;
    made.log = "place";
    made.meta.set("name", "mine");
    made.data.set("corpora.train", "abc");
    return made;
  }
  void write() { write_checkpoint(checkpoint(), nlp_, folder_); }
  // The error of reading; "" if there is none.
  std::string error(ErrorKind kind = ErrorKind::data) const {
    try {
      read_checkpoint(folder_);
      return "";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), kind) << error.what();
      return error.what();
    }
  }
  // Writes state.json again with the hash it needs, so that only its content is at fault.
  void change_state(const std::function<void(Object&)>& change) {
    const std::string text = read_file(folder_ / "state.json");
    Node state = *parse_json(text.substr(0, text.find('\n')));
    change(state.as_object());
    const std::string changed = to_json(state);
    write_file(folder_ / "state.json", changed + "\n" + sha256(changed) + "\n");
  }

  Language nlp_{Config(), settings()};
  fs::path folder_;
};

TEST_F(CheckpointTest, EverythingComesBack) {
  EXPECT_FALSE(is_checkpoint(folder_));
  write();
  ASSERT_TRUE(is_checkpoint(folder_));
  const Checkpoint read = read_checkpoint(folder_);
  EXPECT_TRUE(to_node(read.training).same_value(to_node(checkpoint().training)));
  EXPECT_EQ(read.schedule_step, 22);
  ASSERT_EQ(read.optimizer.size(), 2u);
  const OptimizerState& state = read.optimizer.at("ner/0/linear/W");
  EXPECT_EQ(state.updates, 21);
  EXPECT_EQ(state.mom1.data<float>()[1], 2.0F);
  EXPECT_EQ(state.mom2.data<float>()[0], 3.0F);
  EXPECT_EQ(state.average.data<float>()[1], 6.0F);
  EXPECT_EQ(read.optimizer.at("ner/0/linear/b").updates, 3);
  EXPECT_FALSE(read.optimizer.at("ner/0/linear/b").mom1);
  EXPECT_EQ(read.log.as_string(), "place");
  EXPECT_EQ(read.meta.find("name")->as_string(), "mine");
  EXPECT_EQ(read.data.find("corpora.train")->as_string(), "abc");
}

TEST_F(CheckpointTest, AFolderWithoutStateIsNone) {
  EXPECT_THAT(error(ErrorKind::usage), HasSubstr("is no checkpoint"));
}

TEST_F(CheckpointTest, AnyByteThatChangedIsFound) {
  write();
  for (const char* name : {"state.json", "optimizer.safetensors", "pipeline/meta.json",
                           "pipeline/tokenizer", "pipeline/vocab/strings.json"}) {
    const std::string good = read_file(folder_ / name);
    for (const std::size_t place : {std::size_t{0}, good.size() / 2, good.size() - 1}) {
      std::string bad = good;
      bad[place] ^= 4;
      write_file(folder_ / name, bad);
      EXPECT_THAT(error(), HasSubstr("is damaged")) << name << " at " << place;
    }
    write_file(folder_ / name, good.substr(0, good.size() / 2));
    EXPECT_THAT(error(), HasSubstr("is damaged")) << name << " cut";
    write_file(folder_ / name, good);
  }
  EXPECT_EQ(error(), "");
}

TEST_F(CheckpointTest, FilesThatAreMissingOrNewAreNamed) {
  write();
  write_file(folder_ / "pipeline/notes", "");
  EXPECT_THAT(error(), HasSubstr("pipeline/notes"));
  fs::remove(folder_ / "pipeline/notes");
  fs::remove(folder_ / "optimizer.safetensors");
  EXPECT_THAT(error(), HasSubstr("optimizer.safetensors is missing"));
}

TEST_F(CheckpointTest, ALostConfigIsDamage) {
  write();
  EXPECT_EQ(config_of_checkpoint(folder_), folder_ / "pipeline/config.cfg");
  fs::remove(folder_ / "pipeline/config.cfg");
  EXPECT_THROW(config_of_checkpoint(folder_), Error);
  EXPECT_THAT(error(), HasSubstr("is damaged"));
}

// It is read before all else.
TEST_F(CheckpointTest, AConfigThatChangedIsDamage) {
  write();
  const auto error_of_config = [&]() -> std::string {
    try {
      config_of_checkpoint(folder_);
      return "";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data);
      return error.what();
    }
  };
  write_file(folder_ / "pipeline/config.cfg", "[nlp]\n");
  EXPECT_THAT(error_of_config(), HasSubstr("is damaged: pipeline/config.cfg: changed"));
  write_file(folder_ / "pipeline/meta.json", "{}");
  EXPECT_THAT(error_of_config(), HasSubstr("pipeline/meta.json is not as it was written"));
}

// Its moments would begin at zero, and training would go on in another way.
TEST_F(CheckpointTest, UpdatesOfAParameterWithMomentsAreNotLeftOut) {
  for (const bool all : {true, false}) {
    write();
    change_state([&](Object& state) {
      Object& optimizer = state.find("optimizer")->as_object();
      if (all) {
        optimizer.set("updates", Object());
      } else {
        optimizer.find("updates")->as_object().erase("ner/0/linear/W");
      }
    });
    EXPECT_THAT(error(), HasSubstr("is damaged: 'updates' in state.json lacks ner/0/linear/W"));
  }
}

// Its writer names two files; a state that somebody made could name any, any number of times.
TEST_F(CheckpointTest, NoOtherFilesThanItsOwnAreLookedAt) {
  write();
  change_state([](Object& state) {
    state.find("files")->as_object().set("../elsewhere", std::string(64, '0'));
  });
  EXPECT_EQ(error(), "");
  change_state([](Object& state) {
    Object files;
    files.set("pipeline/meta.json", *state.find("files")->as_object().find("pipeline/meta.json"));
    state.set("files", std::move(files));
  });
  EXPECT_THAT(error(), HasSubstr("optimizer.safetensors"));
}

TEST_F(CheckpointTest, AnotherFormatIsRefusedWithBothNumbers) {
  write();
  change_state([](Object& state) { state.set("format", 2); });
  EXPECT_THAT(error(), HasSubstr("has format 2; this version of weft reads format 1"));
}

TEST_F(CheckpointTest, MomentsAreNumbers) {
  const auto with_moments = [&](Tensor moments) {
    write();
    std::ostringstream bytes;
    write_safetensors({{"ner/0/linear/W.mom1", std::move(moments)}}, bytes);
    write_file(folder_ / "optimizer.safetensors", bytes.str());
    change_state([&](Object& state) {
      state.find("files")->as_object().set("optimizer.safetensors", sha256(bytes.str()));
    });
    return error();
  };
  EXPECT_EQ(with_moments(Tensor::from<float>({2}, {1, 2})), "");
  EXPECT_THAT(with_moments(Tensor::from<float>({2}, {1, NAN})),
              HasSubstr("is damaged: ner/0/linear/W.mom1 in optimizer.safetensors holds a NaN"));
  EXPECT_THAT(with_moments(Tensor::zeros({2}, DType::i32)),
              HasSubstr("ner/0/linear/W.mom1 in optimizer.safetensors has no numbers of 16 or"));
}

TEST_F(CheckpointTest, WhatStateLacksOrMistypesIsNamed) {
  for (const char* key : {"format", "training", "optimizer", "components", "log", "meta", "data"}) {
    write();
    change_state([&](Object& state) { state.erase(key); });
    EXPECT_THAT(error(), HasSubstr(std::string("'") + key + "'")) << key;
  }
  for (const char* key : {"optimizer", "components", "meta", "data", "files"}) {
    write();
    change_state([&](Object& state) { state.set(key, "text"); });
    EXPECT_THAT(error(), HasSubstr(std::string("'") + key + "'")) << key;
  }
  write();
  change_state([](Object& state) {
    state.find("optimizer")->as_object().find("updates")->as_object().set("ner/0/linear/W", -1);
  });
  EXPECT_THAT(error(), HasSubstr("'updates' in state.json is no count"));
}

TEST_F(CheckpointTest, TheOptimizerTakesItsStateUpAndAGrownLayerStartsAnew) {
  Parameter weights{"W", Tensor::zeros({2})};
  Parameter grown{"b", Tensor::zeros({3})};
  const std::vector<NamedParameter> named{{"ner/0/linear/W", &weights}, {"ner/0/linear/b", &grown}};
  Checkpoint made = checkpoint();
  made.optimizer["ner/0/linear/b"].mom1 = Tensor::zeros({2});  // from before it grew
  NoRule optimizer;
  restore_optimizer(made, named, optimizer);
  EXPECT_EQ(optimizer.schedule_step(), 22);
  ASSERT_EQ(optimizer.states().size(), 1u);
  EXPECT_EQ(optimizer.states().at("ner/0/linear/W").updates, 21);
}

// Moments that are missing would begin at zero, and training would go on in another way.
TEST_F(CheckpointTest, AStateWithoutAnArrayThatTheOptimizerKeepsIsRefused) {
  Parameter weights{"W", Tensor::zeros({2})};
  const std::vector<NamedParameter> named{{"ner/0/linear/W", &weights}};
  for (const auto array :
       {&OptimizerState::mom1, &OptimizerState::mom2, &OptimizerState::average}) {
    Checkpoint made = checkpoint();
    made.optimizer.erase("ner/0/linear/b");
    made.optimizer["ner/0/linear/W"].*array = Tensor();
    NoRule optimizer;
    try {
      restore_optimizer(made, named, optimizer);
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("is damaged: ner/0/linear/W in optimizer.safetensors "
                                          "lacks a moment or the average"));
    }
    EXPECT_TRUE(optimizer.states().empty());
  }
  Checkpoint made = checkpoint();
  made.optimizer.erase("ner/0/linear/b");
  made.optimizer["ner/0/linear/W"].mom1 = made.optimizer["ner/0/linear/W"].mom2 = Tensor();
  made.optimizer["ner/0/linear/W"].average = Tensor();
  Momentless plain;
  restore_optimizer(made, named, plain);
  EXPECT_EQ(plain.states().size(), 1U);
}

TEST_F(CheckpointTest, AStateOfAnUnknownParameterIsRefused) {
  Parameter weights{"W", Tensor::zeros({2})};
  const std::vector<NamedParameter> named{{"ner/0/linear/W", &weights}};
  NoRule optimizer;
  try {
    write_checkpoint(checkpoint(), nlp_, folder_);
    restore_optimizer(read_checkpoint(folder_), named, optimizer);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(folder_.string()));
    EXPECT_THAT(error.what(), HasSubstr("ner/0/linear/b"));
  }
}

TEST_F(CheckpointTest, StateOfAComponentThatIsNotThereIsDamage) {
  Checkpoint made = checkpoint();
  made.components.set("counter", 3);
  write_checkpoint(made, nlp_, folder_);
  try {
    restore_pipeline(read_checkpoint(folder_), folder_, nlp_);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("a component 'counter', which the pipeline lacks"));
  }
}

}  // namespace
}  // namespace weft
