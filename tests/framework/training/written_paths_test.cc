#include "framework/training/written_paths.h"

#include <optional>

#include <gtest/gtest.h>

#include "registry/functions/fields.h"
#include "registry/reading/cfg_reader.h"

namespace weft {
namespace {

struct Writes {
  bool first = false;
  std::optional<std::filesystem::path> file;
  std::filesystem::path read;
};
template <class V>
void fields(V& v, Writes& c) {
  v("first", c.first, "no path");
  v("file", c.file, "is written", written);
  v("read", c.read, "is read");
}

class WrittenPaths : public testing::Test {
 protected:
  WrittenPaths() {
    catalogue_.add(Function("loggers", "writes", "", signature_of<Writes>(), Type::any(), {}));
  }
  // The setting after placing, or the complaints.
  std::string placed(const std::string& setting, const std::string& output = "/out") {
    Problems problems;
    Config config =
        read_cfg("[a]\n\n[a.b]\n@loggers = \"writes\"\n" + setting + "\n", "x.cfg", problems);
    place_written_paths(config, catalogue_, output, problems);
    if (!problems.empty()) return problems.front().str();
    const Node* file = config.find("a.b.file");
    return file != nullptr && file->is_string() ? file->as_string() : "none";
  }

  Catalogue catalogue_;
};

TEST_F(WrittenPaths, LieBelowTheOutput) {
  EXPECT_EQ(placed("file = \"log\""), "/out/log");
  EXPECT_EQ(placed("file = \"sub/./log\""), "/out/sub/log");
  EXPECT_EQ(placed("file = \"/out/log\""), "/out/log");
  EXPECT_EQ(placed("file = null"), "none");
  EXPECT_EQ(placed("read = \"/etc/passwd\""), "none");
}

TEST_F(WrittenPaths, ElsewhereTheyAreRefusedWithTheirPlace) {
  EXPECT_EQ(placed("file = \"/etc/x\""),
            "x.cfg:5:8  [a.b] file: \"/etc/x\" lies outside of the run's output; if that is meant, "
            "give it on the command line: --a.b.file FILE");
  for (const char* path : {"../x", "..", "a/../../x", "a/../x", ".", "/out", "/outer/x"}) {
    EXPECT_NE(placed(std::string("file = \"") + path + "\"").find("outside"), std::string::npos)
        << path;
  }
  for (const char* own : {"log.jsonl", "RUN.json", "config.cfg", "model-last/x", "model-best",
                          "checkpoint", "checkpoint-9/x", "diverged/x", "/out/./log.jsonl"}) {
    EXPECT_NE(placed(std::string("file = \"") + own + "\"").find("itself"), std::string::npos)
        << own;
  }
  for (const char* none : {"", "a/", "a\\nb", "a\\u0000"}) {
    EXPECT_NE(placed(std::string("file = \"") + none + "\"").find("no name"), std::string::npos)
        << none;
  }
  EXPECT_NE(placed("* = [true, \"x\"]").find("by its name"), std::string::npos);
  EXPECT_NE(placed("file = \"log\"", "").find("no --output"), std::string::npos);
}

TEST_F(WrittenPaths, TheCommandLineAllowsMore) {
  for (const Origin& origin : {Origin::command_line("--a.b.file"), Origin::environment("X")}) {
    Problems problems;
    Config config = read_cfg("[a]\n@loggers = \"writes\"\nfile = \"../x\"\n", "x.cfg", problems);
    config.find("a.file")->origin = origin;
    place_written_paths(config, catalogue_, "/out", problems);
    EXPECT_TRUE(problems.empty());
    EXPECT_EQ(config.find("a.file")->as_string(), "../x");
  }
}

TEST_F(WrittenPaths, EachIsWrittenByOne) {
  Problems problems;
  Config config = read_cfg(
      "[a]\n@loggers = \"writes\"\nfile = \"x\"\n\n[b]\n@loggers = \"writes\"\nfile = \"./x\"\n",
      "x.cfg", problems);
  place_written_paths(config, catalogue_, "/out", problems);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].path, "b.file");
}

// Without a run nobody knows where its output lies.
TEST_F(WrittenPaths, AnAbsolutePathIsAWarningWhereNoRunIsThere) {
  Problems problems;
  const Config config = read_cfg(
      "[a]\n@loggers = \"writes\"\nfile = \"/x\"\n\n[b]\n@loggers = \"writes\"\nfile = \"../x\"\n",
      "x.cfg", problems);
  check_written_paths(config, catalogue_, problems);
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_EQ(problems[0].severity, Severity::warning);
  EXPECT_EQ(problems[1].severity, Severity::error);
}

}  // namespace
}  // namespace weft
