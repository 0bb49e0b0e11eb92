// Nothing that a terminal obeys comes out of any command, wherever a stranger may have put it:
// labels, names, texts, files' names, keys and values of configs, arguments, cards of pipelines,
// layers and plugins.
#include <algorithm>
#include <functional>
#include <map>
#include <sstream>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "registry/value/json.h"
#include "tests/folders.h"
#include "tests/tools/hostile/hostile_run.h"
#include "tests/tools/hostile/hostile_strings.h"
#include "tests/tools/program.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using Words = std::vector<std::string>;

// As `weft --help` lists them, so that a new command fails here until it has its inputs.
std::vector<std::string> commands() {
  std::istringstream lines(run_weft({"--help"}).out);
  std::vector<std::string> names;
  std::string line;
  while (std::getline(lines, line)) {
    if (line.starts_with("  ") && !line.starts_with("  -") && line.size() > 22) {
      const std::string name = line.substr(2, 20);
      names.push_back(name.substr(0, name.find_last_not_of(' ') + 1));
    }
  }
  return names;
}

Words split(const std::string& command) {
  std::istringstream stream(command);
  Words words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::string json_line(const std::string& text, const std::string& label, int start, int end) {
  Object object;
  object.set("text", text);
  List entity;
  entity.emplace_back(start);
  entity.emplace_back(end);
  entity.emplace_back(label);
  object.set("entities", List{Node(std::move(entity))});
  return to_json(object) + '\n';
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != text.npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// Small files that hold the strings in all places, and a pipeline trained with them as labels.
class ControlCharacters : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    // Tests of one suite may run side by side, each in a process that makes all of this.
    folder_ = fs::path(testing::TempDir()) / ("ControlCharacters" + std::to_string(::getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    write_corpora();
    write_configs();
    const Outcome trained = run_weft(with_data({"train", path("ner.cfg"), "-o", path("out")}));
    ASSERT_EQ(trained.code, 0) << trained.err;
    write_pipelines();
    write_plugin();
  }

  static void TearDownTestSuite() { fs::remove_all(folder_); }

  static std::string path(const std::string& name) { return (folder_ / name).string(); }

  static Words with_data(Words words) {
    words.insert(words.end(), {"--paths.train", path("train.jsonl"), "--paths.dev",
                               path("dev.jsonl"), "--training.max_steps", "1"});
    return words;
  }

  static void write_corpora() {
    std::string train, dev, broken, lines;
    for (const std::string& text : hostile_texts()) {
      train += json_line("Ada saw " + text + " there.", text, 0, 3);
      dev += json_line("Ada saw " + text + " there.", "dev " + text, 0, 3);
      dev += json_line("Ada saw " + text + " there.", text, 1, 11);  // on no tokens
      broken += json_line("Ada saw " + text, text, 1, 11);
      lines += "Ada saw " + text + " there.\n";
    }
    write_text(folder_ / "train.jsonl", train);
    write_text(folder_ / "dev.jsonl", dev);
    write_text(folder_ / "broken.jsonl", broken);
    write_text(folder_ / "texts.txt", lines);
    write_text(folder_ / "bytes.txt", joined(hostile_bytes()) + "\n");
    std::string conll;
    for (const std::string& label : hostile_texts()) conll += "Ada\tB-" + label + "\n\n";
    write_text(folder_ / "labels.conll", conll);
    write_text(folder_ / name_of_file("train.jsonl"), train);
  }

  // A file name cannot be longer than 255 bytes.
  static std::string name_of_file(const std::string& ending) {
    return "\x1B[2J\x9B"
           "31m\u202E\u009B\r\b" +
           ending;
  }

  static void write_configs() {
    const std::string config = replaced(small_config(), "weft.ConllCorpus.v1\"",
                                        "spacy.JsonlCorpus.v1\"\non_misaligned = \"drop\"");
    write_text(folder_ / "ner.cfg", config);
    std::string notes;
    int number = 0;
    for (const std::string& text : hostile_texts()) {
      const std::string key = "note" + std::to_string(number++);
      notes += key + " = " + to_json_string(text) + "\n";
      if (text.find_first_of("\r\v\f$") != text.npos) continue;  // they end lines
      notes += "# " + text + "\nraw_" + key + " = ${nlp.lang}" + text + "\n";
    }
    write_text(folder_ / "noted.cfg", replaced(config, "dev = null\n", "dev = null\n" + notes));
    write_text(folder_ / "noted.toml",
               "[nlp]\nlang = \"en\"\npipeline = []\n[paths]\nx = \"é\u009B\u202E\u2028\"\n"
               "\"k\u009B\u202E\" = 1\n");
    number = 0;
    for (const std::string& text : all_hostile()) {
      write_text(folder_ / ("broken" + std::to_string(number++) + ".cfg"), broken_config(text));
    }
    write_text(folder_ / "broken.toml", "[nlp]\n\"\u009B\u202E\" = \x1B[2J\n");
  }

  static std::string broken_config(const std::string& text) {
    return "# " + text + "\n[nlp]\nlang = \"" + text + "\"\npipeline = [\"" + text + "\"]\n" +
           text + " = 1\n[" + text + "]\nx = ${" + text + "}\n[components]\n[components." + text +
           "]\nfactory = \"" + text + "\"\n[training]\n" + text + " = '" + text +
           "'\n[training.optimizer]\n@optimizers = \"" + text + "\"\n";
  }

  // Copies whose cards and layers hold the strings.
  static void write_pipelines() {
    const fs::path model = folder_ / "out/model-last";
    for (const char* copy : {"card", "layers", "files", "damaged"}) {
      fs::copy(model, folder_ / copy, fs::copy_options::recursive);
    }
    auto meta = parse_json(read_text(model / "meta.json"));
    for (const std::string& text : hostile_texts()) meta->as_object().set(text, text);
    meta->as_object().set("name", joined(hostile_texts()));
    write_text(folder_ / "card/meta.json", to_json(*meta, JsonText::utf8));
    const fs::path layers = folder_ / "layers/ner/model";
    write_text(layers, replaced(read_text(layers), "tok2vec", "\x1B[2J\u009B!"));
    write_text(folder_ / "files" / name_of_file("x"), "x");
    write_text(folder_ / "files/ner/cfg", "{\"\x1B\u202E\": 1}");
    write_text(folder_ / "damaged/meta.json", joined(all_hostile()));
  }

  // The name of a plugin stands in its file.
  static void write_plugin() {
    write_text(folder_ / "named.so",
               replaced(read_text(build_path("tests/test_plugin_good.so")), "test_plugin_good",
                        "\x1B[2J\u009B\u202E\x9B\x07plug!"));
  }

  static std::map<std::string, std::vector<Words>> runs();
  static Object paths_of(const std::string& file);

  static inline fs::path folder_;
};

std::vector<Words> training_runs(const std::function<std::string(const std::string&)>& path,
                                 const std::string& odd_name) {
  const Words data = {"--paths.train",   path(odd_name),         "--paths.dev",
                      path("dev.jsonl"), "--training.max_steps", "1"};
  std::vector<Words> runs = {{path("ner.cfg"), "-o", path("again"), "--profile", "--verbose"},
                             {path("ner.cfg"), "--dry-run", "-V", "--paths.x=\x1B[2J"},
                             {path("noted.cfg"), "-o", path("\x1B[2J\u202Eout")}};
  for (Words& run : runs) run.insert(run.end(), data.begin(), data.end());
  runs.push_back({"--resume", "--output", path("\x1B[2Jnone")});
  runs.push_back({"--resume", "--output", path("out"), "--training.max_steps", "2"});
  return runs;
}

// The words behind the name of each command.
std::map<std::string, std::vector<Words>> ControlCharacters::runs() {
  const std::string model = path("out/model-last");
  const std::string dev = path("dev.jsonl");
  const std::string odd = name_of_file("train.jsonl");
  const std::vector<Words> scored = {{model, dev},
                                     {model, dev, "--json"},
                                     {model, dev, "-o", "-"},
                                     {path("card"), dev, "--precision", "O2"},
                                     {model, path("bytes.txt")},
                                     {path("damaged"), dev},
                                     {model, dev, "--precision", "O2", "--compare-precision"}};
  const std::vector<Words> applied = {{model, path("texts.txt")},
                                      {model, path("texts.txt"), "--entities"},
                                      {model, path("bytes.txt")},
                                      {path("layers"), path(odd)},
                                      {model, path(odd), "-o", path("\x1B[2J\u202E.jsonl")},
                                      {model, path(odd), "-o", path("x.\x1B[2J\x9B")}};
  const Words data = with_data({});
  const auto on_data = [&](Words words) {
    words.insert(words.end(), data.begin(), data.end());
    return words;
  };
  return {
      {"train", training_runs(path, odd)},
      {"evaluate", scored},
      {"benchmark accuracy", scored},
      {"apply", applied},
      {"predict", applied},
      {"serve", {{"\x1B[2J"}, {path("damaged")}, {model, "--port", "\x1B[2J"}}},
      {"tokenize",
       {{model, path("texts.txt")},
        {"--lang", "en", path("texts.txt")},
        {"--lang", "en", path("bytes.txt")},
        {"--lang", "\x1B[2J", path("texts.txt")}}},
      {"convert",
       {{path("broken.jsonl"), path("a.spacy"), "--lang", "en", "--misaligned", "expand"},
        {path("broken.jsonl"), path("a.spacy"), "--lang", "en"},
        {path("labels.conll"), path("\x1B[2J\u202E.jsonl"), "--json"},
        {path("labels.conll"), path("\x1B[2J\u202E.conll")},
        {path("bytes.txt"), path("b.spacy"), "--lang", "en"}}},
      {"render",
       {{path(odd), "--lang", "en", "-o", path("\x1B[2J\u202E.html")},
        {path("texts.txt"), "--lang", "\x1B[2J"},
        {path("texts.txt"), "--lang", "en", "--style", "\x1B[2J\u202E"},
        {path(odd + odd)}}},
      {"calibrate",
       {{model, dev, "--component", "\x1B[2J\u202E"},
        {path("layers"), path(odd), "--json"},
        {model, path(odd + odd)}}},
      {"ray train", {{path("x.cfg"), "--n-workers", "\x1B[2J\u202E"}}},
      {"pretrain",
       {{path("noted.cfg"), path("\x1B[2J\u202E")},
        {path("broken1.cfg"), path("x")},
        {path("ner.cfg"), path("raw"), "--paths.raw_text", path(odd + odd)}}},
      {"init vectors",
       {{"\x1B[2J", path(odd), path("vectors")},
        {"en", path("bytes.txt"), path("vectors\x1B[2J\u202E")},
        {"en", path(odd + odd), path("vectors")}}},
      {"init nlp",
       {{path("noted.cfg"), path("\x1B[2J\u202E")},
        {path("broken1.cfg"), path("x")},
        on_data({path("ner.cfg"), path("start\x1B[2J\u202E")})}},
      {"package",
       {{path("card"), path("packages")},
        {model, path("packages\x1B[2J\u202E")},
        {model, path("packages"), "--name", "\x1B[2J\u202E"},
        {path(odd + odd), path("packages")}}},
      {"find-threshold",
       {{model, dev, "\x1B[2J\u202E", "threshold", "ents_f"},
        {model, path(odd + odd), "ner", "threshold", "ents_f"},
        {path("damaged"), dev, "ner", "threshold", "ents_f"}}},
      {"serve",
       {{path(odd + odd)}, {model, "--host", "\x1B[2J\u202E"}, {path("damaged"), "--port", "0"}}},
      {"assemble", {{path("noted.cfg"), path("\x1B[2J")}, {path("broken1.cfg"), path("x")}}},
      {"benchmark speed",
       {{model, path(odd), "--repeats", "1"},
        {path("layers"), path("bytes.txt")},
        {path("layers"), path(odd + odd)}}},
      {"init config",
       {{"-", "--lang", "\x1B[2J"}, {path("\x1B[2J\u202E.cfg")}, {"-", "-p", "\x1B[2J,\u202E"}}},
      {"init fill-config",
       {{path("noted.cfg")}, {path("noted.toml")}, {path("noted.cfg"), path("\x1B[2J/x.toml")}}},
      {"init labels", {on_data({path("ner.cfg"), path("\x1B[2J\u202E")})}},
      {"debug config",
       {{path("noted.cfg")},
        {path("noted.cfg"), "--format", "toml"},
        {path("noted.cfg"), "--interpolate"},
        {path("noted.cfg"), "--json"},
        {path("noted.cfg"), "--explain", "paths.raw_note1"},
        {path("noted.cfg"), "--explain", "\x1B[2J"},
        {path("noted.toml")},
        {path("broken.toml")},
        {path("broken3.cfg"), "--json"}}},
      {"debug diff-config", {{path("noted.cfg")}, {path("noted.cfg"), "--json"}}},
      {"debug model",
       {{path("layers")},
        {path("layers"), "--json"},
        on_data({path("ner.cfg")}),
        {model, "--component", "\x1B[2J"}}},
      {"debug profile",
       {{model, dev},
        {path("layers"), path(odd), "--train", "50", "--json"},
        {model, path(odd + odd)}}},
      {"debug data", {on_data({path("ner.cfg")}), on_data({path("ner.cfg"), "--json"})}},
      {"debug step", {{path("out")}, {path("out"), "--json"}}},
      {"precision plan",
       {on_data({path("ner.cfg"), "--training.precision.level", "O1"}),
        on_data({path("ner.cfg"), "--json"}),
        {path("ner.cfg"), "--paths.train", path(odd + odd)}}},
      {"registry",
       {{"\x1B[2J"},
        {"schedules", "\u202E"},
        {"test_plugin_kind", "--code", path("named.so")},
        {"schedules", "--code", path("named.so@sha256:\x1B[2J")}}},
      {"compare", {{path("out"), path("card")}, {path(odd), path("out"), "--json"}}},
      {"info",
       {{"--code", path("named.so")},
        {path("card")},
        {path("card"), "--json"},
        {path("files"), "--verify"},
        {path("files"), "--verify", "--json"},
        {path("damaged")}}},
  };
}

bool shows_escapes(const HostileRun& run) {
  const std::string all = run.out + run.err;
  return all.find("\\u{") != all.npos || all.find("\\u001b") != all.npos ||
         all.find("\\x{") != all.npos;
}

TEST_F(ControlCharacters, AreShownAsEscapesByEveryCommand) {
  const auto all = runs();
  for (const std::string& command : commands()) {
    const auto of_command = all.find(command);
    ASSERT_NE(of_command, all.end()) << command << " has no inputs in this test";
    bool escaped = false;
    for (const Words& more : of_command->second) {
      Words words = split(command);
      words.insert(words.end(), more.begin(), more.end());
      const HostileRun run = run_hostile(command + " " + joined(more), words, folder_);
      expect_ended_well(run);
      escaped = escaped || shows_escapes(run);
    }
    EXPECT_TRUE(escaped) << command << " has shown none of the strings";
  }
}

TEST_F(ControlCharacters, OfArgumentsAreShownAsEscapesByEveryCommand) {
  const std::string word = joined(all_hostile());
  for (const std::string& command : commands()) {
    for (const Words& more :
         {Words{"--" + word}, Words{"--x." + word, "1"}, Words{word, word, word},
          Words{"--threads", word}, Words{"--code", word}, Words{"-" + word}}) {
      Words words = split(command);
      words.insert(words.end(), more.begin(), more.end());
      expect_ended_well(run_hostile(command + " with odd arguments", words, folder_));
    }
    Words words = split(command);
    words.push_back("--" + word);
    EXPECT_TRUE(shows_escapes(run_hostile(command, words, folder_))) << command;
  }
  for (const Words& words : {Words{word}, Words{"debug", word}, Words{word, "--help"}}) {
    const HostileRun run = run_hostile("odd command", words, folder_);
    expect_refused(run, "there is no command");
    EXPECT_TRUE(shows_escapes(run));
  }
}

TEST_F(ControlCharacters, OfConfigsAreShownAsEscapesInProblems) {
  const auto all = all_hostile();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string file = path("broken" + std::to_string(i) + ".cfg");
    const HostileRun run = run_hostile("config " + all[i], {"debug", "config", file}, folder_);
    expect_refused(run, "broken" + std::to_string(i) + ".cfg");
    const bool readable =
        i < hostile_texts().size() && all[i].find_first_of("\r\v\f") == all[i].npos;
    // Of the others a line is refused that quotes nothing.
    EXPECT_TRUE(shows_escapes(run) || !readable) << run.err;
  }
}

TEST_F(ControlCharacters, OfVariablesOfTheEnvironmentAreShownAsEscapes) {
  for (const char* name : {"SPACY_CONFIG_OVERRIDES=", "WEFT_CONFIG_OVERRIDES="}) {
    for (const std::string& text : all_hostile()) {
      expect_ended_well(run_hostile("overrides", {"debug", "config", path("ner.cfg")}, folder_,
                                    {name + ("--paths." + text) + "=" + text}));
    }
  }
}

// [paths] as `debug config` reads it, values in the place of variables.
Object ControlCharacters::paths_of(const std::string& file) {
  const HostileRun run =
      run_hostile("values", {"debug", "config", path(file), "--json", "--interpolate"}, folder_);
  const auto document = parse_json(run.out);
  if (!document || !document->is_object()) throw std::runtime_error(run.out + run.err);
  return document->as_object().find("config")->as_object().find("paths")->as_object();
}

// Escapes of JSON and TOML are the same values, so that a program that reads them loses nothing.
TEST_F(ControlCharacters, DataForProgramsKeepsItsValues) {
  const HostileRun applied =
      run_hostile("apply", {"apply", path("out/model-last"), path("texts.txt")}, folder_);
  std::istringstream lines(applied.out);
  for (const std::string& text : hostile_texts()) {
    std::string line;
    ASSERT_TRUE(std::getline(lines, line));
    const auto doc = parse_json(line);
    ASSERT_TRUE(doc) << line;
    EXPECT_EQ(doc->as_object().find("text")->as_string(), "Ada saw " + text + " there.");
  }
  const Object paths = paths_of("noted.cfg");
  EXPECT_EQ(paths.find("note0")->as_string(), hostile_texts()[0]);
  EXPECT_EQ(paths.find("raw_note0")->as_string(), "en" + hostile_texts()[0]);
  for (const std::string format : {"cfg", "toml"}) {
    const HostileRun printed =
        run_hostile("config", {"debug", "config", path("noted.cfg"), "--format", format}, folder_);
    write_text(folder_ / ("again." + format), printed.out);
    EXPECT_EQ(to_json(paths_of("again." + format)), to_json(paths)) << format;
  }
}

TEST_F(ControlCharacters, OrdinaryTextStaysAsItIs) {
  const std::string text = "Zürich 東京 e\u0301 😀 — naïve \u00A0 Ωμέγα";
  write_text(folder_ / "plain.txt", text + "\n");
  const Words words = {"apply", path("out/model-last"), path("plain.txt")};
  EXPECT_THAT(run_hostile("apply", words, folder_).out, HasSubstr("{\"text\": \"" + text + "\""));
}

}  // namespace
}  // namespace weft::testing_tools
