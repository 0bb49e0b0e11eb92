// Every command of docs/shell.md, run by a shell in a folder with the files that the page names.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "tests/folders.h"
#include "tests/tools/program.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;

struct Recipe {
  std::string command;
  std::string output;  // of standard output; "" is not looked at
};

// In blocks of `sh`, a line "$ COMMAND" and the lines below it that it prints.
std::vector<Recipe> recipes_of(const fs::path& page) {
  std::ifstream file(page);
  std::vector<Recipe> recipes;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("```")) {
      inside = line == "```sh";
    } else if (inside && line.starts_with("$ ")) {
      recipes.push_back({line.substr(2), ""});
    } else if (inside) {
      recipes.back().output += line + "\n";
    }
  }
  return recipes;
}

class ShellPage : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fresh_folder();
    write_text(folder_ / "train.conll", small_corpus(40));
    write_text(folder_ / "texts.txt", "Ada left Oslo.\nNobody came.\nBob saw Rome.\n");
    write_text(folder_ / "ner.cfg", small_config());
    const std::string data = (folder_ / "train.conll").string();
    const Outcome trained =
        run_weft({"train", (folder_ / "ner.cfg").string(), "--output", (folder_ / "run").string(),
                  "--paths.train", data, "--paths.dev", data});
    ASSERT_EQ(trained.code, 0) << trained.err;
    fs::rename(folder_ / "run" / "model-best", folder_ / "model");
  }

  // The exit code of a shell for which each part of a pipeline has to succeed, and what it prints.
  std::pair<int, std::string> run(const std::string& command) const {
    write_text(folder_ / "command.sh",
               "set -o pipefail; PATH='" + build_path("bin") + "':$PATH\n" + command + "\n");
    const std::string shell = "cd '" + folder_.string() + "' && bash command.sh 2> errors.txt";
    std::FILE* out = ::popen(shell.c_str(), "r");
    std::string printed;
    for (int c = 0; (c = std::fgetc(out)) != EOF;) printed += static_cast<char>(c);
    const int status = ::pclose(out);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, printed};
  }

  fs::path folder_;
};

TEST_F(ShellPage, EveryCommandWorksAndPrintsWhatThePageShows) {
  const auto recipes = recipes_of(source_path("docs/shell.md"));
  EXPECT_GE(recipes.size(), 16u);
  for (const Recipe& recipe : recipes) {
    const auto [code, printed] = run(recipe.command);
    const bool is_cut = recipe.command.find("| head") != std::string::npos;
    EXPECT_TRUE(code == 0 || (is_cut && code == 141))
        << recipe.command << " gives " << code << ": " << read_text(folder_ / "errors.txt");
    if (recipe.output.empty()) continue;
    EXPECT_EQ(printed, recipe.output) << recipe.command;
  }
}

// Ten thousand texts do not fit into a pipe, so that the program meets its closed end.
TEST_F(ShellPage, AReaderThatHasHadEnoughEndsAProgramWithoutAWord) {
  std::string many;
  for (int i = 0; i < 10000; ++i) many += "Ada left Oslo.\n";
  write_text(folder_ / "many.txt", many);
  write_text(folder_ / "many.conll", small_corpus(4000));
  for (const char* command :
       {"weft apply model many.txt | head -n 1", "weft apply model many.txt --entities | head -n 1",
        "weft tokenize model many.txt | head -n 1", "weft tokenize --lang en many.txt | head -n 1",
        "weft convert many.conll - | head -n 1", "weft convert many.conll - -t conllu | head -n 1",
        "weft convert many.conll /dev/stdout -t conll | head -n 1"}) {
    const auto [code, printed] = run(command);
    EXPECT_TRUE(code == 0 || code == 141) << command << " gives " << code;
    EXPECT_EQ(std::count(printed.begin(), printed.end(), '\n'), 1) << command;
    EXPECT_EQ(read_text(folder_ / "errors.txt"), "") << command;
  }
  EXPECT_EQ(run("weft tokenize --lang en many.txt | head -n 1").first, 141);
  // A pipe that is not standard output is an error like any other.
  const auto [code, printed] =
      run("mkfifo fifo; head -n 1 fifo > /dev/null & "
          "weft apply model many.txt -o fifo -t jsonl");
  EXPECT_EQ(code, 1);
  EXPECT_THAT(read_text(folder_ / "errors.txt"), testing::HasSubstr("cannot write fifo"));
}

TEST_F(ShellPage, PipesSayTheirFormatByTheirFirstLines) {
  const auto same = [&](const std::string& file, const std::string& words) {
    const auto piped = run("cat " + file + " | weft convert - - " + words);
    const auto named = run("weft convert " + file + " - " + words);
    EXPECT_EQ(piped.first, 0) << file << ": " << read_text(folder_ / "errors.txt");
    EXPECT_EQ(piped, named) << file;
    EXPECT_EQ(run("weft convert - - " + words + " < " + file), named) << file;
  };
  for (const char* name : {"a.jsonl", "a.spacy", "a.conllu"}) {
    ASSERT_EQ(run(std::string("weft convert train.conll ") + name).first, 0);
  }
  same("train.conll", "-n 7");
  same("train.conll", "-t conllu -n 2");
  same("train.conll", "-t conll -n 2");
  same("a.jsonl", "");
  same("a.spacy", "");
  same("a.conllu", "-t conllu");
  same("texts.txt", "--lang en");
  // Input of no known form is refused as before.
  EXPECT_EQ(run("weft convert - x.spacy < /dev/null").first, 3);
  EXPECT_EQ(run("cp texts.txt texts; weft convert texts x.spacy --lang en").first, 2);
  EXPECT_EQ(run("weft convert a.jsonl - --json").first, 2);
}

}  // namespace
}  // namespace weft::testing_tools
