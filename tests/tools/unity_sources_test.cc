// Sources that are compiled as one mean the same as alone (cmake/unity_sources.py): names of their
// own never meet.
#include <cstdlib>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/folders.h"
#include "tests/tools/program.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class UnitySourcesTest : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("command -v python3 >/dev/null") != 0) GTEST_SKIP() << "no python3";
    folder_ = fresh_folder();
  }
  void plant(const std::string& file, const std::string& text) {
    fs::create_directories((folder_ / file).parent_path());
    write_text(folder_ / file, text);
    if (fs::path(file).extension() != ".h") sources_ += (folder_ / file).string() + "\n";
  }
  // The sources that are to be compiled for the planted ones, relative to their folder.
  std::vector<std::string> compiled(int most = 16) const {
    write_text(folder_ / "sources", sources_);
    const std::string place = "'" + folder_.string() + "'";
    const std::string command = "python3 '" + source_path("cmake/unity_sources.py") + "' --root " +
                                place + further_ + " --folder " + place + "/units --most " +
                                std::to_string(most) + " <" + place + "/sources >" + place + "/out";
    EXPECT_EQ(std::system(command.c_str()), 0);
    std::vector<std::string> paths;
    std::istringstream lines(read_text(folder_ / "out"));
    for (std::string line; std::getline(lines, line);) {
      paths.push_back(fs::path(line).lexically_relative(folder_).string());
    }
    return paths;
  }

  fs::path folder_;
  std::string sources_, further_;
};

TEST_F(UnitySourcesTest, HeadersComeFirst) {
  plant("a/x.h", "namespace weft { int shown(); }\n");
  plant("a/x.cc",
        "#include \"a/x.h\"\n#include <map>\nnamespace weft { int shown() { return 1; } }\n");
  plant("b/y.cc", "#include <map>\n#include <set>\nnamespace weft { int other() { return 2; } }\n");
  EXPECT_THAT(compiled(), ElementsAre("units/a_x.cc"));
  EXPECT_EQ(read_text(folder_ / "units/a_x.cc"),
            "#include \"a/x.h\"\n#include <map>\n#include <set>\n"
            "#define registered registered_0\n#include \"a/x.cc\"\n#undef registered\n"
            "#define registered registered_1\n#include \"b/y.cc\"\n#undef registered\n");
}

TEST_F(UnitySourcesTest, NamesOfOneSourceDoNotMeetThoseOfAnother) {
  plant("x.cc", "namespace weft { namespace {\nint read(int a) { return a; }\n} }\n");
  plant("y.cc", "namespace weft { namespace {\nlong read(long a) { return a; }\n} }\n");
  // Not declared here, only used: alone, it is another `read` that is meant.
  plant("z.cc", "namespace weft { int z() { return read('1'); } }\n");
  plant("free.cc", "namespace weft { int w() { return 1; }  // read\nauto t = \"read\"; }\n");
  EXPECT_THAT(compiled(), ElementsAre("units/x.cc", "y.cc", "z.cc"));
  EXPECT_THAT(read_text(folder_ / "units/x.cc"), HasSubstr("free.cc"));
}

TEST_F(UnitySourcesTest, EveryKindOfNameCounts) {
  const std::string use = "namespace weft { auto used = NAME; }\n";
  const std::vector<std::pair<std::string, std::string>> kinds = {
      {"kFirst", "namespace {\nconstexpr int kFirst = 1, kSecond = 2;\n}\n"},
      {"kSecond", "namespace {\nconstexpr int kFirst = 1, kSecond = 2;\n}\n"},
      {"Kind", "namespace {\nenum class Kind { a, b };\n}\n"},
      {"Part", "namespace {\ntemplate <class T, int n = 1>\nstruct Part { T part[n]; };\n}\n"},
      {"table", "namespace {\nconst std::map<int, std::pair<int, int>> table{{1, {2, 3}}};\n}\n"},
      {"at", "static int at(int place) { return place; }\n"},
      {"Names", "namespace {\nusing Names = int;\n}\n"},
      {"fs", "namespace fs = std::filesystem;\n"}};
  for (const auto& [name, code] : kinds) {
    SCOPED_TRACE(name);
    sources_.clear();
    plant("declares.cc", code);
    std::string uses = use;
    plant("uses.cc", uses.replace(uses.find("NAME"), 4, name));
    EXPECT_THAT(compiled(), ElementsAre("declares.cc", "uses.cc"));
  }
}

TEST_F(UnitySourcesTest, TheSameAliasIsNoConflict) {
  plant("x.cc", "namespace fs = std::filesystem;\nfs::path x;\n");
  plant("y.cc", "namespace fs = std::filesystem;\nfs::path y;\n");
  EXPECT_THAT(compiled(), ElementsAre("units/x.cc"));
}

TEST_F(UnitySourcesTest, AHeaderOfAnotherSourceCounts) {
  plant("low.h", "namespace weft {\nconstexpr bool is_low(int a) { return a < 1; }\n}\n");
  plant("x.cc", "#include \"low.h\"\nnamespace weft { int x() { return 1; } }\n");
  plant("y.cc", "namespace weft { namespace {\nbool is_low(long a) { return a < 2; }\n} }\n");
  EXPECT_THAT(compiled(), ElementsAre("x.cc", "y.cc"));
}

TEST_F(UnitySourcesTest, TestingMeansOneNamespace) {
  plant("fixture.h", "namespace weft::testing {\nint made();\n}\n");
  plant("with.cc", "#include \"fixture.h\"\nnamespace weft { int x = testing::made(); }\n");
  plant("without.cc", "namespace weft { class Y : testing::Test {}; }\n");
  EXPECT_THAT(compiled(), ElementsAre("with.cc", "without.cc"));
}

TEST_F(UnitySourcesTest, MacrosAndOperatorsStayAlone) {
  plant("a.cc", "int a;\n");
  plant("macro.cc", "#define N 1\nint b;\n");
  plant("operator.cc", "namespace {\nint operator+(A, B) { return 1; }\n}\n");
  plant("whole.cc", "using namespace std;\n");
  plant("c.cc", "int c;\n");
  EXPECT_THAT(compiled(), ElementsAre("macro.cc", "operator.cc", "whole.cc", "units/a.cc"));
}

// In the order of paths `c` and `d` would find a full unit, and be compiled alone.
TEST_F(UnitySourcesTest, SourcesThatFitBesideFewChooseFirst) {
  plant("a.cc", "int a;\n");
  plant("b.cc", "int b;\n");
  plant("c.cc", "namespace { int own; }\n");
  plant("d.cc", "namespace { int own; }\n");
  EXPECT_THAT(compiled(2), ElementsAre("units/c.cc", "units/d.cc"));
}

TEST_F(UnitySourcesTest, EachLanguageHasItsUnits) {
  plant("a.cc", "int a;\n");
  plant("b.cu", "int b;\n");
  plant("c.cc", "int c;\n");
  plant("d.cu", "int d;\n");
  EXPECT_THAT(compiled(), ElementsAre("units/a.cc", "units/b.cu"));
}

TEST_F(UnitySourcesTest, HeadersMayLieBelowAnotherRoot) {
  plant("python/x.h", "namespace weft { int shown(); }\n");
  plant("python/x.cc", "#include \"x.h\"\n");
  plant("python/y.cc", "namespace weft { namespace { int shown() { return 1; } } }\n");
  EXPECT_THAT(compiled(), ElementsAre("units/python_x.cc"));
  further_ = " --root '" + (folder_ / "python").string() + "'";
  EXPECT_THAT(compiled(), ElementsAre("python/x.cc", "python/y.cc"));
}

TEST_F(UnitySourcesTest, UnitsHaveASizeAndStayWhereTheyAre) {
  for (const std::string name : {"a", "b", "c", "d", "e"})
    plant(name + ".cc", "int " + name + ";\n");
  EXPECT_THAT(compiled(2), ElementsAre("units/a.cc", "units/c.cc", "e.cc"));
  const auto before = fs::last_write_time(folder_ / "units/a.cc");
  EXPECT_THAT(compiled(2), ElementsAre("units/a.cc", "units/c.cc", "e.cc"));
  EXPECT_EQ(fs::last_write_time(folder_ / "units/a.cc"), before);
}

}  // namespace
}  // namespace weft::testing_tools
