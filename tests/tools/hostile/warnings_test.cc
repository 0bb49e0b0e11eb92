// A flood of faults is no flood of lines: of each kind the first are shown, the others counted, and
// what a message quotes is cut.
#include <algorithm>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/value/json.h"
#include "tests/tools/hostile/hostile_run.h"
#include "tests/tools/program.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using Words = std::vector<std::string>;

constexpr std::int64_t kFewBytes = 150'000;  // of all output, where kinds are few

std::string repeated(const std::string& part, int count) {
  std::string text;
  text.reserve(part.size() * static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) text += part;
  return text;
}

// One document with `count` entities from 1 to its last character but one.
std::string overlapping(const std::string& word, int words, int count, const std::string& label) {
  const std::string text = repeated(word + " ", words);
  const std::string end = std::to_string(words * 4 - 2);
  std::string ents;
  for (int i = 0; i < count; ++i) {
    ents += std::string(i > 0 ? "," : "") + "[1," + end + ",\"" + label + "\"]";
  }
  return "{\"text\": \"" + text + "\", \"entities\": [" + ents + "]}\n";
}

class Warnings : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fresh_folder();
    write_text(folder_ / "train.conll", small_corpus(10));
    write_text(folder_ / "ner.cfg", small_config());
    std::string config = small_config();
    for (auto at = config.find("weft.ConllCorpus.v1\""); at != config.npos;
         at = config.find("weft.ConllCorpus.v1\"")) {
      config.replace(at, 20, "spacy.JsonlCorpus.v1\"\non_misaligned = \"drop\"");
    }
    write_text(folder_ / "jsonl.cfg", config);
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  HostileRun expect_few(const std::string& name, const Words& words,
                        std::int64_t most = kFewBytes) const {
    const HostileRun run = run_hostile(name, words, folder_);
    expect_ended_well(run);
    EXPECT_LE(static_cast<std::int64_t>(run.out.size() + run.err.size()), most) << name;
    return run;
  }

  fs::path folder_;
};

TEST_F(Warnings, OfConvertAreCounted) {
  for (const int rows : {1000, 2000, 4000, 8000}) {
    write_text(folder_ / "in.jsonl", repeated(overlapping("xyz", 20, 3, "PER"), rows));
    const HostileRun run = expect_few("rows", {"convert", path("in.jsonl"), path("out.spacy"),
                                               "--lang", "en", "--misaligned", "drop"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_THAT(run.err, HasSubstr("... and " + std::to_string(3 * rows - 20) + " more"));
  }
}

TEST_F(Warnings, OfLongTextsTakeLinearTime) {
  for (const std::string word : {"xyz", "é漢o"}) {
    for (const int size : {5000, 10'000, 20'000, 40'000}) {
      write_text(folder_ / "in.jsonl", overlapping(word, size, size, "PER"));
      for (const char* policy : {"drop", "expand", "contract"}) {
        const HostileRun run =
            expect_few("long text", {"convert", path("in.jsonl"), path("out.jsonl"), "--lang", "en",
                                     "--misaligned", policy});
        EXPECT_EQ(run.code, 0) << run.err;
      }
      expect_refused(
          run_hostile("error", {"convert", path("in.jsonl"), path("x.spacy"), "--lang", "en"},
                      folder_),
          "does not fall on token boundaries");
    }
  }
}

TEST_F(Warnings, QuoteLittleOfLongLabels) {
  for (const int size : {100'000, 1'000'000, 4'000'000}) {
    const std::string label(static_cast<std::size_t>(size), 'L');
    write_text(folder_ / "in.jsonl", repeated(overlapping("xyz", 20, 2, label), 2));
    for (const char* policy : {"drop", "error"}) {
      expect_few("label", {"convert", path("in.jsonl"), path("out.spacy"), "--lang", "en",
                           "--misaligned", policy});
    }
    expect_few("debug data", {"debug", "data", path("jsonl.cfg"), "--paths.train", path("in.jsonl"),
                              "--paths.dev", path("in.jsonl")});
  }
}

TEST_F(Warnings, OfTrainingAreCounted) {
  std::string dev;
  std::string many;
  for (int i = 0; i < 3000; ++i) {
    many += R"({"text": "Ada saw it", "entities": [[0, 3, "label)" + std::to_string(i) + "\"]]}\n";
    dev += R"({"text": "Ada saw it", "entities": [[0, 3, "label)" + std::to_string(i) +
           R"("], [1, 5, "X"]]})" + "\n";
  }
  const std::string longest =
      R"({"text": "Ada saw it", "entities": [[0, 3, ")" + std::string(200'000, 'L') + "\"]]}\n";
  write_text(folder_ / "many.jsonl", many + longest);
  dev += longest;
  write_text(folder_ / "dev.jsonl", dev);
  write_text(folder_ / "train.jsonl", R"({"text": "Ada saw it", "entities": [[0, 3, "PER"]]})");
  const HostileRun run = expect_few(
      "train", {"train", path("jsonl.cfg"), "--paths.train", path("train.jsonl"), "--paths.dev",
                path("dev.jsonl"), "--training.max_steps", "1", "-o", path("out")});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("more of this kind: a label that only the development data has"));
  const HostileRun scores =
      expect_few("evaluate", {"evaluate", path("out/model-last"), path("many.jsonl")}, 600'000);
  EXPECT_EQ(scores.code, 0) << scores.err;
  expect_few("debug data", {"debug", "data", path("jsonl.cfg"), "--paths.train",
                            path("train.jsonl"), "--paths.dev", path("dev.jsonl")});
}

// The text of a config of so many faulty lines.
using MakeConfig = std::function<std::string(int)>;

std::string numbered(int count, const std::function<std::string(const std::string&)>& line) {
  std::string text;
  for (int i = 0; i < count; ++i) text += line(std::to_string(i)) + "\n";
  return text;
}

TEST_F(Warnings, OfConfigsAreCounted) {
  const std::string nlp = "[nlp]\nlang = \"en\"\npipeline = []\n";
  const std::string name(20'000, 'n');
  const std::vector<std::pair<std::string, MakeConfig>> kinds = {
      {"unknown keys",
       [&](int n) { return nlp + numbered(n, [](const auto& i) { return "key" + i + " = 1"; }); }},
      {"long keys",
       [&](int n) {
         return nlp + numbered(n / 100, [&](const auto& i) { return name + i + " = 1"; });
       }},
      {"keys of a long section",
       [&](int n) {
         return nlp + "[training]\n[training." + name + "]\n" +
                numbered(n, [](const auto& i) { return "key" + i + " = ${a.b" + i + "}"; });
       }},
      {"variables",
       [&](int n) {
         return nlp + "x = \"" + numbered(n, [](const auto& i) { return " ${a" + i + ".b} "; }) +
                "\"\n";
       }},
      {"single quotes",
       [&](int n) {
         return nlp + "[paths]\n" + numbered(n, [](const auto& i) { return "k" + i + " = 'x'"; });
       }},
      {"a long value in single quotes",
       [&](int n) {
         return nlp + "[paths]\nx = '" + std::string(static_cast<std::size_t>(n) * 100, 'x') +
                "'\n";
       }},
      {"unknown sections",
       [&](int n) { return nlp + numbered(n, [](const auto& i) { return "[s" + i + ".x]"; }); }},
      {"unknown functions",
       [&](int n) {
         return nlp + "[components]\n" + numbered(n / 10, [](const auto& i) {
                  return "[components.c" + i + "]\nfactory = \"nothing" + i + "\"";
                });
       }},
      {"lines that are none",
       [&](int n) { return nlp + numbered(n, [](const auto& i) { return "word" + i; }); }},
      {"a long word",
       [&](int n) {
         return nlp + "[training]\nseed = \"" +
                std::string(static_cast<std::size_t>(n) * 100, 's') + "\"\n";
       }},
      {"the same key",
       [&](int n) { return nlp + numbered(n, [](const auto&) { return "lang = \"en\""; }); }},
  };
  for (const auto& [kind, make] : kinds) {
    for (const int size : {2000, 4000, 8000}) {
      write_text(folder_ / "flood.cfg", make(size));
      const std::string title = kind + ", " + std::to_string(size);
      const HostileRun run = expect_few(title, {"debug", "config", path("flood.cfg")}, 1 << 20);
      if (run.code == 2 && std::count(run.err.begin(), run.err.end(), '\n') > 90) {
        EXPECT_THAT(run.err, HasSubstr(" more of this kind: ")) << title;
      }
      if (size == 2000) expect_few(title, {"train", path("flood.cfg")}, 1 << 20);
    }
  }
}

TEST_F(Warnings, OfArgumentsAreCut) {
  const std::string word(100'000, 'w');
  for (const Words& words :
       {Words{word}, Words{"train", word}, Words{"train", path("ner.cfg"), "--" + word},
        Words{"train", path("ner.cfg"), "--paths." + word, "1"},
        Words{"debug", "config", path("ner.cfg"), "--explain", word},
        Words{"debug", "config", path("ner.cfg"), "--training.seed", word}, Words{"registry", word},
        Words{"registry", "schedules", word}, Words{"info", word},
        Words{"tokenize", "--lang", word}, Words{"convert", word, "x"},
        Words{"registry", "--code", word}}) {
    const HostileRun run = expect_few("argument of " + words.front().substr(0, 20), words, 20'000);
    EXPECT_GT(run.code, 0);
  }
}

TEST_F(Warnings, LongCardsAreCut) {
  write_text(folder_ / "meta.json", "{\"name\": \"" + std::string(3'000'000, 'n') + "\"}");
  const HostileRun run = expect_few("info", {"info", folder_.string()}, 20'000);
  EXPECT_EQ(run.code, 0);
  EXPECT_THAT(run.out, HasSubstr("nnn…\n"));
}

}  // namespace
}  // namespace weft::testing_tools
