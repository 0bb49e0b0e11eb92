// Packages of pipelines, and pipelines that are found by the names of packages.
// tests/spacy/same_package.py installs a package with pip and opens it with spaCy.
#include <cstdlib>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "tests/folders.h"
#include "tests/tools/program.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class PackageTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fresh_folder();
    write_text(folder_ / "v.txt", "cat 1 2\ndog 2 1\n");
    ASSERT_EQ(run_weft({"init", "vectors", "en", path("v.txt"), path("made")}).code, 0);
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  Outcome package(const std::vector<std::string>& more) const {
    std::vector<std::string> words = {"package", path("made"), path("out")};
    words.insert(words.end(), more.begin(), more.end());
    return run_weft(words);
  }

  fs::path folder_;
};

TEST_F(PackageTest, TheSamePipelineGivesTheSameBytes) {
  const std::vector<std::string> words = {"--name", "pets", "--build", "sdist,wheel"};
  ASSERT_EQ(package(words).code, 0);
  const fs::path dist = folder_ / "out/en_pets-0.0.0/dist";
  const std::string wheel = read_text(dist / "en_pets-0.0.0-py3-none-any.whl");
  const std::string sdist = read_text(dist / "en_pets-0.0.0.tar.gz");
  EXPECT_THAT(wheel, HasSubstr("en_pets-0.0.0.dist-info/RECORD"));
  EXPECT_EQ(package(words).code, 2);  // --force is missing
  ASSERT_EQ(package({"--name", "en_pets", "--build", "sdist,wheel", "--force"}).code, 0);
  EXPECT_TRUE(wheel == read_text(dist / "en_pets-0.0.0-py3-none-any.whl"));
  EXPECT_TRUE(sdist == read_text(dist / "en_pets-0.0.0.tar.gz"));
}

TEST_F(PackageTest, ModulesOfNamesThatAreTakenAreRefused) {
  fs::create_directories(folder_ / "other");
  for (const char* name : {"mod.py", "other/mod.py", "__init__.py", "class.py", "Path.py"}) {
    write_text(folder_ / name, "x = 1\n");
  }
  EXPECT_EQ(package({"--code", path("__init__.py")}).code, 2);
  EXPECT_EQ(package({"--code", path("class.py")}).code, 2);
  const Outcome taken = package({"--code", path("Path.py")});
  EXPECT_EQ(taken.code, 2);
  EXPECT_THAT(taken.err, HasSubstr("which has the name Path for something else"));
  EXPECT_EQ(package({"--code", path("mod.py") + "," + path("other/mod.py")}).code, 2);
  EXPECT_EQ(package({"--code", path("mod.py")}).code, 0);
}

TEST_F(PackageTest, ModulesMayLieInFoldersWithSpaces) {
  fs::create_directories(folder_ / "a folder");
  write_text(folder_ / "a folder/mod.py", "x = 1\n");
  write_text(folder_ / "two.py", "x = 2\n");
  const Outcome outcome =
      package({"--code", path("a folder/mod.py") + " , " + path("two.py"), "--build", "none"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(fs::exists(folder_ / "out/en_pipeline-0.0.0/en_pipeline/mod.py"));
}

TEST_F(PackageTest, NamesThatAreNoneAreRefused) {
  for (const char* name : {"../pets", "a b", "x-y", "import os\n", ""}) {
    EXPECT_EQ(package({"--name", name}).code, 2) << name;
  }
  for (const char* version : {"../1", "one", "1.0\n", "1..2"}) {
    EXPECT_EQ(package({"--version", version}).code, 2) << version;
  }
  EXPECT_FALSE(fs::exists(folder_ / "out"));
}

// pip refuses them, or they would be the ends of such names.
TEST_F(PackageTest, NamesThatPipRefusesAreRefused) {
  EXPECT_EQ(package({"--name", "pets_"}).code, 2);
  write_text(folder_ / "no_lang.json", "{\"lang\": \"\"}");
  const Outcome outcome = package({"--meta", path("no_lang.json"), "--name", "pets"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("'_pets' is no name of a Python package"));
  write_text(folder_ / "made/a\xFF.bin", "x");
  write_text(folder_ / "made/meta.json", "{\"lang\": \"en\", \"name\": \"x\", \"version\": \"1\"}");
  const Outcome bytes = package({});
  EXPECT_EQ(bytes.code, 3);
  EXPECT_THAT(bytes.err, HasSubstr("has a name that is no UTF-8"));
  EXPECT_FALSE(fs::exists(folder_ / "out"));
}

// Hashes of another pipeline's files would make damage of this one's.
TEST_F(PackageTest, TheHashesAreThoseOfThePipelineWhateverMetaIsGiven) {
  write_text(folder_ / "other.json",
             "{\"author\": \"Ada\", \"file_sha256\": {\"config.cfg\": \"0\"}, \"vectors\": {}}");
  ASSERT_EQ(package({"--name", "pets", "--meta", path("other.json"), "--build", "none"}).code, 0);
  const fs::path inner = folder_ / "out/en_pets-0.0.0/en_pets/en_pets-0.0.0";
  EXPECT_THAT(read_text(inner / "meta.json"), HasSubstr("Ada"));
  EXPECT_EQ(run_weft({"info", inner.string(), "--verify"}).code, 0);
}

TEST_F(PackageTest, APipelineInTheFolderThatIsReplacedIsRefused) {
  ASSERT_EQ(package({"--name", "pets", "--build", "none"}).code, 0);
  const fs::path mine = folder_ / "out/en_pets-0.0.0/mine";
  fs::create_directories(mine);
  fs::copy(folder_ / "made", mine / "made", fs::copy_options::recursive);
  const Outcome outcome =
      run_weft({"package", (mine / "made").string(), path("out"), "--name", "pets", "--force"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("which would be replaced"));
  EXPECT_TRUE(fs::exists(mine / "made/meta.json"));
}

// setuptools reads names of files as patterns.
TEST_F(PackageTest, SetupTakesNamesAsTheyAre) {
  ASSERT_EQ(package({"--name", "pets", "--build", "none"}).code, 0);
  EXPECT_THAT(read_text(folder_ / "out/en_pets-0.0.0/setup.py"), HasSubstr("[glob.escape(str("));
}

TEST_F(PackageTest, ADamagedPipelineIsRefused) {
  write_text(folder_ / "made/vocab/key2row", "no");
  const Outcome outcome = package({});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("vocab/key2row: changed"));
}

// People put them beside a pipeline that is saved, and a package has a README of its own.
TEST_F(PackageTest, DocumentsAreNoDamage) {
  write_text(folder_ / "made/LICENSE", "MIT\n");
  write_text(folder_ / "made/README.md", "# Pets\n");
  const Outcome outcome = package({"--name", "pets", "--build", "none"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const fs::path made = folder_ / "out/en_pets-0.0.0";
  EXPECT_EQ(read_text(made / "LICENSE"), "MIT\n");
  EXPECT_EQ(read_text(made / "README.md"), "# Pets\n");
  fs::remove(folder_ / "made/README.md");
  ASSERT_EQ(package({"--name", "pets", "--build", "none", "--force"}).code, 0);
  const std::string inner = (made / "en_pets/en_pets-0.0.0").string();
  EXPECT_EQ(run_weft({"info", inner, "--verify"}).code, 0);
  EXPECT_EQ(run_weft({"package", inner, path("again")}).code, 0);
  write_text(fs::path(inner) / "notes.txt", "more");
  EXPECT_EQ(run_weft({"info", inner, "--verify"}).code, 3);
}

// It would be copied into itself, and the pipeline no longer be as it was saved.
TEST_F(PackageTest, APackageInsideOfItsPipelineIsRefused) {
  for (const char* inside : {"made", "made/more"}) {
    const Outcome outcome = run_weft({"package", path("made"), path(inside)});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("would lie in the folder of its pipeline"));
  }
  EXPECT_FALSE(fs::exists(folder_ / "made/more"));
  EXPECT_EQ(package({"--build", "none"}).code, 0);
}

// A folder of somebody else would bring any file of this machine into what is published.
TEST_F(PackageTest, LinksThatLeadOutOfThePipelineAreRefused) {
  write_text(folder_ / "secret", "key\n");
  // As spaCy saves it, without hashes of the files.
  write_text(folder_ / "made/meta.json",
             "{\"lang\": \"en\", \"name\": \"pipeline\", \"version\": \"0.0.0\"}");
  fs::create_directories(folder_ / "made/extra");
  fs::create_symlink("../vocab/key2row", folder_ / "made/extra/rows");
  EXPECT_EQ(package({"--build", "none"}).code, 0) << "a link within the folder";
  EXPECT_EQ(read_text(folder_ / "out/en_pipeline-0.0.0/en_pipeline/en_pipeline-0.0.0/extra/rows"),
            read_text(folder_ / "made/vocab/key2row"));
  for (const fs::path& target : {folder_ / "secret", fs::path("../../secret")}) {
    fs::create_symlink(target, folder_ / "made/extra/more");
    const Outcome outcome = package({"--name", "other"});
    EXPECT_EQ(outcome.code, 3);
    EXPECT_THAT(outcome.err, HasSubstr("made/extra/more is a link that leads out of the folder"));
    EXPECT_FALSE(fs::exists(folder_ / "out/en_other-0.0.0"));
    fs::remove(folder_ / "made/extra/more");
  }
  fs::create_symlink(folder_ / "made/extra/more", folder_ / "made/by-another");
  fs::create_symlink(folder_, folder_ / "made/extra/more");
  EXPECT_EQ(package({"--name", "other"}).code, 3) << "a folder";
  fs::remove(folder_ / "made/extra/more");
  fs::remove(folder_ / "made/by-another");
  fs::create_directory_symlink(folder_ / "made", folder_ / "linked");
  EXPECT_EQ(run_weft({"package", path("linked"), path("out"), "--name", "same"}).code, 0)
      << "the folder itself is a link";
}

TEST_F(PackageTest, VectorsAreNotWrittenOverTheirSource) {
  fs::rename(folder_ / "v.txt", folder_ / "made/v.txt");
  const Outcome outcome = run_weft({"init", "vectors", "en", path("made/v.txt"), path("made")});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("which would be replaced"));
  EXPECT_TRUE(fs::exists(folder_ / "made/v.txt"));
}

TEST_F(PackageTest, AnswersAreShort) {
  write_text(folder_ / "answers", "en\npets\n" + std::string(5000, 'a') + "\n");
  const std::string command = "cd '" + folder_.string() + "' && '" + build_path("bin/weft") +
                              "' package made out --create-meta <answers 2>told";
  const int status = std::system(command.c_str());
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 2);
  EXPECT_THAT(read_text(folder_ / "told"), HasSubstr("an answer has 4096 bytes at most"));
}

TEST_F(PackageTest, RequirementsAreThoseOfSpacy) {
  write_text(folder_ / "meta.json",
             "{\"requirements\": [\"spacy\"], \"setup_requires\": [\"baz\"], \"vectors\": "
             "{\"width\": 9}}");
  const std::vector<std::string> words = {"--name",           "pets",   "--build",        "none",
                                          "--require-parent", "--meta", path("meta.json")};
  ASSERT_EQ(package(words).code, 0);
  const std::string meta = read_text(folder_ / "out/en_pets-0.0.0/meta.json");
  EXPECT_THAT(meta, HasSubstr("\"requirements\":[\n    \"spacy\"\n  ]")) << "named once";
  write_text(folder_ / "meta.json", "{\"requirements\": [\"spacy>=3.8.0,<3.9.0\"]}");
  ASSERT_EQ(package({"--name", "pets", "--build", "none", "--require-parent", "--meta",
                     path("meta.json"), "--force"})
                .code,
            0);
  EXPECT_THAT(read_text(folder_ / "out/en_pets-0.0.0/meta.json"),
              HasSubstr("\"requirements\":[\n    \"spacy>=3.8.0,<3.9.0\"\n  ]"));
  EXPECT_THAT(meta, HasSubstr("\"width\":2")) << "of the pipeline itself";
  EXPECT_THAT(read_text(folder_ / "out/en_pets-0.0.0/setup.py"),
              HasSubstr("(META.get(\"setup_requires\") or []) + (META.get(\"requirements\")"));
}

TEST_F(PackageTest, RequirementsThatAreNoneAreToldWithTheirFile) {
  write_text(folder_ / "more.json", "{\"requirements\": [1]}");
  const Outcome given = package({"--meta", path("more.json")});
  EXPECT_EQ(given.code, 3);
  EXPECT_THAT(given.err, HasSubstr("more.json: requirements holds something else"));
  write_text(folder_ / "made/meta.json",
             "{\"lang\": \"en\", \"name\": \"a\", "
             "\"version\": \"1\", \"requirements\": \"spacy\"}");
  const Outcome own = package({});
  EXPECT_EQ(own.code, 3);
  EXPECT_THAT(own.err, HasSubstr("made/meta.json: requirements is no list"));
}

TEST_F(PackageTest, IsFoundByItsName) {
  ASSERT_EQ(package({"--name", "pets", "--build", "none"}).code, 0);
  write_text(folder_ / "in.txt", "A cat.\n");
  const std::string packages = path("out/en_pets-0.0.0");
  const Outcome tokens = run_weft({"apply", "en_pets", path("in.txt"), "--pipelines", packages});
  EXPECT_EQ(tokens.code, 0) << tokens.err;
  fs::create_directories(folder_ / "venv/lib/python3.11");
  fs::rename(packages, folder_ / "venv/lib/python3.11/site-packages");
  const std::vector<std::string> active = {"VIRTUAL_ENV=" + path("venv")};
  EXPECT_EQ(run_weft({"apply", "en_pets", path("in.txt")}, active).code, 0);
  write_text(folder_ / "a.cfg", small_config());
  const Outcome missing = run_weft({"apply", "en_petz", path("in.txt")}, active);
  EXPECT_EQ(missing.code, 2);
  EXPECT_THAT(missing.err, HasSubstr("--pipelines DIR adds a folder"));
}

TEST_F(PackageTest, ComponentsAreSourcedByName) {
  write_text(folder_ / "ruler.cfg",
             "[nlp]\nlang = \"en\"\npipeline = [\"sentencizer\"]\n[components]\n"
             "[components.sentencizer]\nfactory = \"sentencizer\"\n");
  ASSERT_EQ(run_weft({"assemble", path("ruler.cfg"), path("ruler")}).code, 0);
  ASSERT_EQ(run_weft({"package", path("ruler"), path("out"), "--name", "ruler"}).code, 0);
  write_text(folder_ / "both.cfg",
             "[nlp]\nlang = \"en\"\npipeline = [\"sentencizer\"]\n[components]\n"
             "[components.sentencizer]\nsource = \"en_ruler\"\n");
  const std::string packages = path("out/en_ruler-0.0.0");
  const Outcome made =
      run_weft({"assemble", path("both.cfg"), path("both"), "--pipelines", packages});
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(run_weft({"assemble", path("both.cfg"), path("other")}).code, 2);
}

TEST_F(PackageTest, TheFolderOfARunIsAnsweredWithItsPipeline) {
  fs::create_directories(folder_ / "run/model-best");
  const Outcome outcome = run_weft({"package", path("run"), path("out")});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err,
              HasSubstr("is the folder of a run; a pipeline of it is " + path("run/model-best")));
}

}  // namespace
}  // namespace weft::testing_tools
