#include "tests/tools/program.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/components/small_config.h"
#include "tests/folders.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;

std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) {
    if (c == '\'') {
      text += "'\\''";
    } else {
      text += c;
    }
  }
  return text + "'";
}

}  // namespace

Outcome run_weft(const std::vector<std::string>& words,
                 const std::vector<std::string>& environment) {
  const fs::path folder = fs::path(testing::TempDir());
  const std::string stem = (folder / ("run" + std::to_string(::getpid()))).string();
  std::string command = "env";
  for (const std::string& entry : environment) command += " " + quoted(entry);
  command += " " + quoted(build_path("bin/weft"));
  for (const std::string& word : words) command += " " + quoted(word);
  command += " >" + quoted(stem + ".out") + " 2>" + quoted(stem + ".err");
  const int status = std::system(command.c_str());
  Outcome outcome{WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_text(stem + ".out"),
                  read_text(stem + ".err")};
  fs::remove(stem + ".out");
  fs::remove(stem + ".err");
  return outcome;
}

fs::path fresh_folder() {
  const auto* info = testing::UnitTest::GetInstance()->current_test_info();
  const fs::path folder =
      fs::path(testing::TempDir()) / (std::string(info->test_suite_name()) + "." + info->name());
  fs::remove_all(folder);
  fs::create_directories(folder);
  return folder;
}

std::string read_text(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw std::runtime_error("cannot read " + file.string());
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write_text(const fs::path& file, const std::string& text) {
  std::ofstream stream(file, std::ios::binary);
  stream << text;
}

std::string small_corpus(int count) {
  static constexpr std::array kPeople = {"Ada", "Grace", "Alan", "Edsger", "Barbara"};
  static constexpr std::array kPlaces = {"London", "Oslo", "Lima", "Kyoto"};
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += std::string(kPeople[static_cast<std::size_t>(i) % kPeople.size()]) + "\tB-person\n";
    if (i % 3 == 0) text += "Smith\tI-person\n";
    text += "went\tO\nto\tO\n";
    text += std::string(kPlaces[static_cast<std::size_t>(i * 7) % kPlaces.size()]) + "\tB-place\n";
    if (i % 2 == 0) text += "yesterday\tO\n";
    text += ".\tO\n\n";
  }
  return text;
}

std::string small_config(const std::string& more) {
  return "[paths]\ntrain = null\ndev = null\n\n" + small::nlp_section(R"(["ner"])") +
         small::ner_section(small::two_attributes("components.ner.model.tok2vec")) + R"(
[corpora]

[corpora.train]
@readers = "weft.ConllCorpus.v1"
path = ${paths.train}

[corpora.dev]
@readers = "weft.ConllCorpus.v1"
path = ${paths.dev}

[training]
max_steps = 40
eval_frequency = 20

[training.batcher]
@batchers = "spacy.batch_by_words.v1"
size = 700
discard_oversize = false
tolerance = 0.2
)" + more;
}

}  // namespace weft::testing_tools
