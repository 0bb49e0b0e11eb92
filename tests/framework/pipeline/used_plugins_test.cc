// Which plugins a config's functions come from, and what a pipeline without them is told.
#include "framework/pipeline/used_plugins.h"

#include <gtest/gtest.h>

#include "registry/reading/cfg_reader.h"
#include "registry/value/json.h"

namespace weft {
namespace {

// A catalogue with functions of two libraries: one built in, one of a plugin.
class UsedPlugins : public ::testing::Test {
 protected:
  void add(const char* kind, const char* name, const char* library) {
    Function function(kind, name, "", Signature(), Type::any(),
                      [](Arguments&) { return Argument(); });
    function.set_library(library);
    catalogue_.add(std::move(function));
  }
  void SetUp() override {
    add("factories", "ner", "libweft");
    add("factories", "acme.counter", "acme 1.2.0 (/home/me/acme.so)");
    add("schedules", "acme.halving.v1", "acme 1.2.0 (/home/me/acme.so)");
    add("loggers", "other.v1", "other 0.1.0 (/tmp/other.so)");
  }
  Object used(const std::string& text) const {
    Problems problems;
    const Config config = read_cfg(text, "test.cfg", problems);
    EXPECT_TRUE(problems.empty());
    return used_plugins(config, catalogue_);
  }

  Catalogue catalogue_;
};

TEST_F(UsedPlugins, ListsFunctionsByPluginWithoutThePathOfTheFile) {
  const Object plugins = used(
      "[components]\n[components.a]\nfactory = \"acme.counter\"\n[components.b]\nfactory = "
      "\"ner\"\n"
      "[components.b.model]\n@schedules = \"acme.halving.v1\"\n"
      "[training]\n[training.logger]\n@loggers = \"other.v1\"\n");
  EXPECT_EQ(to_json(Node(plugins)),
            "{\"acme 1.2.0\": [\"acme.counter\", \"acme.halving.v1\"], \"other 0.1.0\": "
            "[\"other.v1\"]}");
}

TEST_F(UsedPlugins, IsEmptyWhereEverythingIsBuiltIn) {
  EXPECT_TRUE(used("[components]\n[components.b]\nfactory = \"ner\"\n").empty());
  // A factory is one only in [components]; an unknown name is nobody's.
  EXPECT_TRUE(
      used("[custom]\nfactory = \"acme.counter\"\n[x]\n@schedules = \"nobodys.v1\"\n").empty());
}

TEST_F(UsedPlugins, FunctionsThatAreMissingAreToldTheirPlugin) {
  Problem lost;
  lost.kind = ProblemKind::unknown_function;
  lost.function = "acme.counter";
  lost.message = "no function \"acme.counter\" in factories";
  Problem other = lost;
  other.function = "nobodys.v1";
  Problem reserved = lost;
  reserved.kind = ProblemKind::not_built;
  Problem wrong = lost;
  wrong.kind = ProblemKind::validation;
  Problems problems = {lost, other, reserved, wrong};
  name_plugins(problems,
               parse_json(R"({"plugins": {"acme 1.2.0": ["acme.counter"]}})")->as_object());
  EXPECT_EQ(problems[0].message, lost.message + "; it came from the plugin acme 1.2.0");
  EXPECT_EQ(problems[1].message, lost.message);
  EXPECT_EQ(problems[2].message, lost.message + "; it came from the plugin acme 1.2.0");
  EXPECT_EQ(problems[3].message, lost.message);
  Problems untouched = {lost};
  for (const char* meta : {"{}", R"({"plugins": 3})", R"({"plugins": {"a": "acme.counter"}})"}) {
    name_plugins(untouched, parse_json(meta)->as_object());
    EXPECT_EQ(untouched[0].message, lost.message) << meta;
  }
}

}  // namespace
}  // namespace weft
