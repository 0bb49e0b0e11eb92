// Numbers that make no sense, for every number that a config can say: those of each registered
// function, and those of each section. The program refuses them where they stand, or trains within
// its bounds. Functions that are registered later are covered as well.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "components/builtin.h"
#include "registry/value/json.h"
#include "tests/tools/hostile/hostile_run.h"
#include "tests/tools/training_folder.h"

namespace weft::testing_tools {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kValues[] = {"-1",
                                   "0",
                                   "2147483647",
                                   "1000000000000000000",
                                   "9223372036854775808",
                                   "-9223372036854775809",
                                   "1e300",
                                   "-1e300",
                                   "NaN",
                                   "Infinity",
                                   "-Infinity"};

// Numbers below zero that mean something: draws are keyed by any seed, and the rest is documented.
bool may_be_negative(const std::string& name) {
  static const std::set<std::string> names = {"seed",
                                              "max_epochs",
                                              "max_steps",
                                              "limit",
                                              "lo",
                                              "hi",
                                              "forward_color",
                                              "backprop_color",
                                              "loss_scale",
                                              "level",
                                              "init_scale",
                                              "growth_factor",
                                              "backoff_factor",
                                              "growth_interval",
                                              "min_loss_scale",
                                              "max_loss_scale",
                                              "max_consecutive_skips",
                                              "grad_norm"};
  return names.contains(name);  // those of precision are refused when it is built, by their codes
}

bool holds_number(const Type& type) {
  switch (type.kind()) {
    case Type::Kind::integer:
    case Type::Kind::floating:
      return true;
    case Type::Kind::list:
    case Type::Kind::any_of:
      return std::any_of(type.parts().begin(), type.parts().end(), holds_number);
    default:
      return false;
  }
}

bool is_list_alone(const Type& type) {
  return type.kind() == Type::Kind::list;
}

struct Number {
  std::string section;   // of the config that tries it
  std::string function;  // "@schedules = \"constant.v1\""
  std::string key;
  bool list = false;
  bool may_be_infinite = false;
};

std::vector<Number> registered_numbers() {
  Catalogue catalogue;
  add_builtin(catalogue);
  std::vector<Number> numbers;
  for (const std::string& kind : catalogue.kinds()) {
    if (kind == "factories") continue;  // named by components; see the sections below
    for (const std::string& name : catalogue.names(kind)) {
      const Function& function = *catalogue.find(kind, name);
      if (!function.built()) continue;
      for (const FunctionParameter& parameter : function.signature().parameters) {
        if (!holds_number(parameter.type)) continue;
        numbers.push_back({fmt::format("try{}", numbers.size()),
                           fmt::format("@{} = \"{}\"", kind, name), parameter.name,
                           is_list_alone(parameter.type), !parameter.range.finite});
      }
    }
  }
  return numbers;
}

std::string config_of(const std::vector<Number>& numbers, const std::string& value) {
  std::string text;
  for (const Number& number : numbers) {
    text += fmt::format("[{}]\n{}\n{} = {}\n\n", number.section, number.function, number.key,
                        number.list ? "[" + value + "]" : value);
  }
  return text;
}

// The paths of the errors in what `debug config --json` printed.
std::set<std::string> refused_paths(const std::string& out) {
  std::set<std::string> paths;
  const auto document = parse_json(out);
  if (!document || !document->is_object()) return paths;
  for (const Node& problem : document->as_object().find("problems")->as_list()) {
    const Object& object = problem.as_object();
    if (object.find("severity")->as_string() != "error") continue;
    if (object.find("reason")->as_string() == "missing") continue;
    EXPECT_EQ(object.find("file")->as_string(), "values.cfg");
    EXPECT_GT(object.find("line")->as_integer(), 0);
    paths.insert(object.find("path")->as_string());
  }
  return paths;
}

class ConfigValues : public TrainingFolder {
 protected:
  HostileRun check(const std::string& text, const std::vector<std::string>& more = {}) const {
    write_text(folder_ / "values.cfg", text);
    std::vector<std::string> words = {"debug", "config", "values.cfg", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const HostileRun run = run_hostile(text.substr(0, 200), words, folder_);
    expect_ended_well(run);
    EXPECT_TRUE(run.code == 0 || run.code == 2) << run.code << run.err;
    return run;
  }
};

constexpr const char* kPlain = "[nlp]\nlang = \"en\"\npipeline = []\n\n";

TEST_F(ConfigValues, NumbersOfEveryFunctionAreRefusedWhereTheyStand) {
  const std::vector<Number> numbers = registered_numbers();
  ASSERT_GE(numbers.size(), 60u);
  for (const std::string value : kValues) {
    const auto refused = refused_paths(check(kPlain + config_of(numbers, value)).out);
    const bool never = value.find_first_not_of("-0123456789") != value.npos && value[0] != '1' &&
                       value != "-1e300";
    for (const Number& number : numbers) {
      if (value[0] != '-' && !never) continue;
      if (!never && may_be_negative(number.key)) continue;
      if (value == "Infinity" && number.may_be_infinite) continue;
      EXPECT_TRUE(refused.contains(number.section + "." + number.key) ||
                  refused.contains(number.section + "." + number.key + ".0"))
          << number.function << ' ' << number.key << " = " << value;
    }
  }
}

// Values that are not refused when they are checked are built, each by itself.
TEST_F(ConfigValues, WhatIsAcceptedCanBeBuilt) {
  const std::vector<Number> numbers = registered_numbers();
  for (const std::string value : {"0", "2147483647", "1e300"}) {
    const auto refused = refused_paths(check(kPlain + config_of(numbers, value)).out);
    std::vector<Number> good;
    for (const Number& number : numbers) {
      if (!refused.contains(number.section + "." + number.key)) good.push_back(number);
    }
    check(kPlain + config_of(good, value), {"--resolve"});
  }
}

// The numbers of a filled config, by their dotted names.
void collect(const Object& object, const std::string& prefix, std::vector<std::string>& names) {
  for (const auto& [key, node] : object) {
    const std::string name = prefix + key;
    if (node.is_object()) {
      collect(node.as_object(), name + ".", names);
    } else if (node.is_integer() || node.is_float() || key == "rows") {
      names.push_back(name);
    }
  }
}

TEST_F(ConfigValues, NumbersOfEverySectionAreRefusedOrTrainedWithinBounds) {
  std::string text = read_text(folder_ / "ner.cfg");
  text.replace(text.find("max_steps = 40"), 14, "max_steps = 1\nmax_epochs = 1");
  const HostileRun filled = check(text);
  std::vector<std::string> names;
  collect(parse_json(filled.out)->as_object().find("config")->as_object(), "", names);
  ASSERT_GE(names.size(), 45u);
  for (const std::string& name : names) {
    for (const std::string value : {"-1", "2147483647", "9223372036854775808", "NaN"}) {
      const bool rows = name.ends_with(".rows");
      const HostileRun run = run_hostile(
          name + " = " + value,
          {"train", "values.cfg", "--" + name, rows ? "[" + value + ", 50]" : value}, folder_);
      expect_ended_well(run);
      // A rate that makes sense to nobody may still be a number: the run says that it diverged.
      EXPECT_TRUE(run.code == 0 || run.code == 2 || run.code == 4) << name << " = " << value << '\n'
                                                                   << run.err;
      if (value == "NaN") {
        EXPECT_EQ(run.code, 2) << name;
      }
      const bool is_weight = name.starts_with("training.score_weights.");
      const bool negative =
          value == "-1" && !is_weight && !may_be_negative(name.substr(name.rfind('.') + 1));
      if (negative) {
        EXPECT_EQ(run.code, 2) << name << " = " << value;
      }
    }
  }
}

TEST_F(ConfigValues, TablesThatWouldFillTheMemoryAreRefusedBeforeTheyAreMade) {
  std::string text = read_text(folder_ / "ner.cfg");
  text.replace(text.find("max_steps = 40"), 14, "max_steps = 1");
  const std::string model = "--components.ner.model.";
  write_text(folder_ / "values.cfg", text);
  for (std::int64_t rows = 4000000; rows < 4000000000; rows *= 2) {
    const HostileRun run = run_hostile(
        fmt::format("{} rows", rows),
        {"train", "values.cfg", model + "tok2vec.embed.rows", fmt::format("[{}, 50]", rows)},
        folder_);
    expect_refused(run, rows > 2147483647 ? "does not fit into 32 bits" : "WEFT_MAX_PARAMETERS");
    EXPECT_THAT(run.err, HasSubstr("tok2vec.embed.rows")) << run.err;
    EXPECT_THAT(run.err, HasSubstr("[components.ner.model.tok2vec.embed] rows"));
  }
  for (int width = 4096; width <= 65536; width *= 2) {
    const std::string wide = fmt::format("{}", width);
    expect_refused(run_hostile(wide + " wide",
                               {"train", "values.cfg", model + "tok2vec.embed.width", wide,
                                model + "tok2vec.encode.width", wide},
                               folder_),
                   "WEFT_MAX_PARAMETERS");
  }
  const HostileRun meant =
      run_hostile("meant", {"train", "values.cfg", model + "tok2vec.embed.rows", "[2200000, 50]"},
                  folder_, {"WEFT_MAX_PARAMETERS=40000000"});
  EXPECT_EQ(meant.code, 0) << meant.err;
}

// A layer of copies of a layer of copies.
TEST_F(ConfigValues, CopiesOfCopiesAreBounded) {
  for (int depth = 1; depth <= 6; ++depth) {
    std::string text = kPlain;
    std::string section = "clones";
    for (int i = 0; i < depth; ++i) {
      text += fmt::format("[{}]\n@layers = \"clone.v1\"\nn = 128\n\n", section);
      section += ".orig";
    }
    text += fmt::format("[{}]\n@layers = \"Relu.v1\"\n", section);
    const HostileRun run = check(text, {"--resolve"});
    EXPECT_EQ(run.code, depth == 1 ? 0 : 2) << run.out.substr(0, 500);
  }
}

// An integer that is too long is told as such wherever an integer stands.
TEST_F(ConfigValues, IntegersBeyondTheirBitsAreNamed) {
  const std::string text = read_text(folder_ / "ner.cfg");
  for (const std::string digits : {"1000000000000000000", "10000000000000000000000"}) {
    std::string in_file = text;
    in_file.replace(in_file.find("max_steps = 40"), 14, "max_steps = " + digits + "\npatience = 1");
    in_file.replace(in_file.find("lang ="), 6, "batch_size = " + digits + "\nlang =");
    write_text(folder_ / "values.cfg", in_file);
    write_text(folder_ / "plain.cfg", text);
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"debug", "config", "values.cfg"},
          {"debug", "config", "plain.cfg", "--nlp.batch_size", digits, "--training.max_steps",
           digits}}) {
      const HostileRun run = run_hostile(digits, words, folder_);
      expect_refused(run, digits + " does not fit into 32 bits");
      const bool is_long = digits.size() > 19;
      EXPECT_EQ(run.err.find(digits + " does not fit into 64 bits") != run.err.npos, is_long);
    }
  }
}

TEST_F(ConfigValues, ThreadsAreAPositiveNumber) {
  for (const char* threads : {"-1", "-2147483648", "2147483647", "1000000", "99999999999", "1e3"}) {
    const HostileRun run =
        run_hostile(threads, {"train", "ner.cfg", "--threads", threads}, folder_);
    expect_refused(run, "--threads");
    EXPECT_EQ(run.code, 2) << run.err;
  }
}

}  // namespace
}  // namespace weft::testing_tools
