// Faults planted in data: each is reported once, in its place.
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/value/json.h"
#include "tests/tools/program.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

// A line of JSON lines, and what is to be said about it: "kind" or "kind start-end", several
// separated by commas; "" for a line without a fault.
struct Line {
  std::string json;
  std::string faults;
};

std::string entity(const std::string& text, const std::string& ents) {
  return R"({"text": ")" + text + R"(", "entities": [)" + ents + "]}";
}

const std::vector<Line>& train_lines() {
  static const std::vector<Line> lines = {
      // Edges that are no edges of tokens.
      {entity("Ada Lovelace wrote it.", R"([0, 11, "PER"])"), "misaligned 0-11"},
      {entity("In London she lived.", R"([4, 9, "LOC"])"), "misaligned 4-9"},
      {entity("A street in Oslo, Norway.", R"([12, 15, "LOC"], [18, 24, "LOC"])"),
       "misaligned 12-15"},
      {entity("Grace Hopper sailed.", R"([1, 12, "PER"])"), "misaligned 1-12"},
      {entity("Both Anna and Berta left.", R"([5, 8, "PER"], [14, 18, "PER"])"),
       "misaligned 5-8,misaligned 14-18"},
      {entity("Über München flog er.", R"([5, 11, "LOC"])"), "misaligned 5-11"},
      {entity("\\ud83d\\ude00 Edsger smiled.", R"([2, 7, "PER"])"), "misaligned 2-7"},
      {entity("I saw Alan.", R"([6, 9, "PER"])"), "misaligned 6-9"},
      // Blanks at the edge.
      {entity("Then Barbara spoke up.", R"([4, 12, "PER"])"), "white_space 4-12"},
      {entity("Later Kyoto was big.", R"([6, 12, "LOC"])"), "white_space 6-12"},
      {entity("We met  Carl there.", R"([7, 12, "PER"])"), "white_space 7-12"},
      {entity("Twice Dora  came by.", R"([6, 11, "PER"])"), "white_space 6-11"},
      // Entities on the same tokens.
      {entity("Emil Noether taught.", R"([0, 12, "PER"], [5, 12, "PER"])"), "overlap 5-12"},
      {entity("New York Times won.", R"([0, 8, "LOC"], [0, 14, "ORG"])"), "overlap 0-14"},
      {entity("See Lima and go.", R"([4, 8, "LOC"], [4, 8, "LOC"])"), "overlap 4-8"},
      {entity("Fritz Bauer asked.", R"([6, 11, "PER"], [0, 11, "PER"])"), "overlap 0-11"},
      // Outside of the text, or nothing.
      {entity("Gone too far", R"([9, 40, "LOC"])"), "outside 9-40"},
      {entity("Empty is this.", R"([3, 3, "LOC"])"), "outside 3-3"},
      {entity("Backwards it runs.", R"([9, 4, "LOC"])"), "outside 9-4"},
      {entity("Far behind it.", R"([100, 104, "LOC"])"), "outside 100-104"},
      // Lines that are no documents.
      {R"({"text": "Broken here", "entities": [[0, 6)", "unreadable"},
      {R"(["a list"])", "unreadable"},
      {R"({"text": 7, "entities": []})", "unreadable"},
      {R"({"note": "neither text nor words"})", "unreadable"},
      {R"({"text": "Bad ents", "entities": [[0, "x", "PER"]]})", "unreadable"},
      {R"({"words": ["a", "b"], "ner_tags": ["O"]})", "unreadable"},
      {R"({"words": ["a", "b"], "ner_tags": ["B-PER", "X-PER"]})", "unreadable"},
      // Punctuation at the edge.
      {entity("He said Oslo, quietly.", R"([8, 13, "LOC"])"), "punctuation 8-13"},
      {entity("A (Lima) trip again.", R"([2, 7, "LOC"])"), "punctuation 2-7"},
      {entity("What ! she cried.", R"([5, 6, "PER"])"), "punctuation 5-6"},
      {entity("She said \\\"Ada\\\" twice.", R"([9, 14, "PER"])"), "punctuation 9-14"},
      // Documents.
      {R"({"text": "", "entities": []})", "empty_document"},
      {R"({"text": "Nobody annotated this one."})", "not_annotated"},
      {R"({"words": ["Nobody", "annotated", "these"]})", "not_annotated"},
      {entity("one two three four five six seven eight nine ten eleven", ""), "too_long"},
      {entity("Red \\u001b[31m alert came.", ""), "control_characters"},
      {entity("Turned \\u202e around here.", ""), "control_characters"},
      {entity("A bell \\u0007 rings.", ""), "control_characters"},
      // Copies.
      {entity("Ada sleeps now.", R"([0, 3, "PER"])"), ""},
      {entity("Ada sleeps now.", R"([0, 3, "PER"])"), "duplicate"},
      {entity("Ada sleeps now.", ""), "conflict"},
      {entity("Ada sleeps now.", R"([0, 3, "LOC"])"), "conflict"},
      {entity("Oslo is trained on.", R"([0, 4, "LOC"])"), ""},
      // Labels that differ in spelling; both are rare, and in one corpus only.
      {entity("An Acme thing.", R"([3, 7, "Org_Name"])"), ""},
      {entity("A Bcme thing.", R"([2, 6, "org name"])"), ""},
  };
  return lines;
}

const std::vector<Line>& dev_lines() {
  static const std::vector<Line> lines = {
      {entity("Oslo is trained on.", R"([0, 4, "LOC"])"), "train_dev_overlap"},
      {entity("Somebody went to Kyoto.", R"([17, 22, "LOC"])"), ""},
      {entity("A Product here.", R"([2, 9, "PRODUCT"])"), ""},
      {entity("Carl, again.", R"([0, 3, "PER"])"), "misaligned 0-3"},
  };
  return lines;
}

class DebugDataTest : public testing::Test {
 protected:
  void SetUp() override { folder_ = fresh_folder(); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  void write(const std::string& name, const std::vector<Line>& lines) const {
    std::string text;
    for (const Line& line : lines) text += line.json + "\n";
    write_text(folder_ / name, text);
  }
  // The config reads JSON lines.
  std::string config() const {
    std::string text = small_config();
    const std::string old = "@readers = \"weft.ConllCorpus.v1\"\n";
    for (const char* fresh : {"@readers = \"spacy.JsonlCorpus.v1\"\nmax_length = 11\n",
                              "@readers = \"spacy.JsonlCorpus.v1\"\n"}) {
      text.replace(text.find(old), old.size(), fresh);
    }
    write_text(folder_ / "ner.cfg", text);
    return path("ner.cfg");
  }
  Outcome check(const std::string& config, const std::string& ending,
                std::vector<std::string> more = {}) const {
    std::vector<std::string> words = {"debug",
                                      "data",
                                      config,
                                      "--paths.train",
                                      path("train." + ending),
                                      "--paths.dev",
                                      path("dev." + ending)};
    words.insert(words.end(), more.begin(), more.end());
    return run_weft(words);
  }

  fs::path folder_;
};

std::vector<Node> lines_of(const std::string& text) {
  std::vector<Node> lines;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = text.find('\n', start);
    lines.push_back(*parse_json(text.substr(start, end - start)));
    start = end + 1;
  }
  return lines;
}

// "train.jsonl:3 misaligned 12-15"
std::string summary_of(const Object& problem) {
  const auto text = [&](const char* key) { return problem.find(key)->as_string(); };
  std::string summary;
  if (problem.find("line")->is_null()) {
    summary = "[" + text("corpus") + "]";
    if (!problem.find("label")->is_null()) summary += " " + text("label");
  } else {
    summary = fs::path(text("file")).filename().string() + ":" +
              std::to_string(problem.find("line")->as_integer());
  }
  summary += " " + text("kind");
  if (!problem.find("start")->is_null()) {
    summary += " " + std::to_string(problem.find("start")->as_integer()) + "-" +
               std::to_string(problem.find("end")->as_integer());
  }
  return summary;
}

void expect_of(const std::string& file, const std::vector<Line>& lines,
               std::multiset<std::string>& expected) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string rest = lines[i].faults;
    while (!rest.empty()) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      expected.insert(file + ":" + std::to_string(i + 1) + " " + rest.substr(0, comma));
      rest = rest.substr(std::min(comma + 1, rest.size()));
    }
  }
}

// It has no second way through its files: its examples are looked at.
TEST_F(DebugDataTest, AReaderOfTextsAloneHasNothingAnnotated) {
  write_text(folder_ / "train.txt", "Ada was here.\nAda was here.\n");
  write_text(folder_ / "dev.txt", "So was Bob.\n");
  std::string text = small_config();
  const std::string old = "\"weft.ConllCorpus.v1\"";
  for (std::size_t at = text.find(old); at != std::string::npos; at = text.find(old)) {
    text.replace(at, old.size(), "\"spacy.PlainTextCorpus.v1\"");
  }
  write_text(folder_ / "ner.cfg", text);
  const Outcome outcome = check(path("ner.cfg"), "txt");
  EXPECT_EQ(outcome.code, 3) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("train 2 documents, 8 tokens"));
  EXPECT_THAT(outcome.out, HasSubstr("3  not_annotated"));
  EXPECT_THAT(outcome.out, HasSubstr("the same text as document 1 of " + path("train.txt")));
}

TEST_F(DebugDataTest, BothCorporaWithoutAPathAreTold) {
  write_text(folder_ / "ner.cfg", small_config());
  const Outcome outcome = run_weft({"debug", "data", path("ner.cfg")});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("[corpora.train] path: no file is given"));
  EXPECT_THAT(outcome.err, HasSubstr("[corpora.dev] path: no file is given"));
}

TEST_F(DebugDataTest, EveryPlantedFaultIsReportedOnceInItsPlace) {
  write("train.jsonl", train_lines());
  write("dev.jsonl", dev_lines());
  const Outcome outcome = check(config(), "jsonl", {"--json", "--rare", "2"});
  EXPECT_EQ(outcome.code, 3) << outcome.err;
  std::multiset<std::string> expected = {"[corpora.train] Org_Name rare_label",
                                         "[corpora.train] Org_Name one_sided_label",
                                         "[corpora.train] org name rare_label",
                                         "[corpora.train] org name one_sided_label",
                                         "[corpora.train] org name similar_labels",
                                         "[corpora.dev] PRODUCT one_sided_label",
                                         "[corpora.train] few_documents"};
  expect_of("train.jsonl", train_lines(), expected);
  expect_of("dev.jsonl", dev_lines(), expected);
  EXPECT_GE(expected.size(), 46u);
  std::multiset<std::string> found;
  const std::vector<Node> lines = lines_of(outcome.out);
  for (const Node& line : lines) {
    const Object& problem = line.as_object();
    if (problem.contains("summary")) continue;
    found.insert(summary_of(problem));
    EXPECT_NE(problem.find("message")->as_string(), "");
    EXPECT_NE(problem.find("repair")->as_string(), "");
  }
  EXPECT_EQ(found, expected);
  ASSERT_TRUE(lines.back().as_object().contains("summary"));
}

TEST_F(DebugDataTest, RepairsAreProposed) {
  write("train.jsonl", train_lines());
  write("dev.jsonl", dev_lines());
  const Outcome outcome = check(config(), "jsonl", {"--json"});
  EXPECT_THAT(outcome.out, HasSubstr(R"(take \"Ada Lovelace\")"));
  EXPECT_THAT(outcome.out, HasSubstr(R"(take \"Barbara\")"));
  EXPECT_THAT(outcome.out, HasSubstr(R"(take \"Oslo\")"));
}

TEST_F(DebugDataTest, TheTableShowsNothingRaw) {
  write("train.jsonl", train_lines());
  write("dev.jsonl", dev_lines());
  const Outcome outcome = check(config(), "jsonl");
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.out, HasSubstr("train.jsonl:1 document 1 characters 0-11"));
  EXPECT_THAT(
      outcome.out,
      HasSubstr("on token boundaries (tokens \"Ada\" \"Lovelace\"); take \"Ada Lovelace\"\n"));
  EXPECT_EQ(outcome.out.find('\x1b'), std::string::npos);
  EXPECT_EQ(outcome.out.find("\xE2\x80\xAE"), std::string::npos);
  EXPECT_THAT(outcome.out, HasSubstr("train "));
}

TEST_F(DebugDataTest, GoodDataAndAcceptedErrorsEndWithZero) {
  std::vector<Line> lines;
  for (int i = 1001; i <= 2000; ++i) {  // of fewer documents it is told that they are few
    const std::string number = std::to_string(i);
    const char* ents = R"([0, 3, "PER"], [12, 16, "LOC"])";
    lines.push_back({entity("Ada went to Oslo " + number + " times.", ents), ""});
    lines.push_back({entity("Nobody did so " + number + " times.", ""), ""});
  }
  write("train.jsonl", lines);
  write("dev.jsonl", {{entity("Bob left Lima.", R"([0, 3, "PER"], [9, 13, "LOC"])"), ""}});
  const Outcome good = check(config(), "jsonl", {"--rare", "1"});
  EXPECT_EQ(good.code, 0) << good.out << good.err;
  EXPECT_THAT(good.out, HasSubstr("no problems"));
  write("dev.jsonl", {{entity("Bob left Lima.", R"([0, 2, "PER"], [9, 13, "LOC"])"), ""}});
  EXPECT_EQ(check(config(), "jsonl").code, 3);
  EXPECT_EQ(check(config(), "jsonl", {"--max-errors", "0.5"}).code, 0);
  EXPECT_EQ(check(config(), "jsonl", {"--max-errors", "few"}).code, 2);
}

TEST_F(DebugDataTest, OfManyLabelsAndProblemsTheFirstAreShownAndTheRestCounted) {
  std::vector<Line> lines;
  for (int i = 0; i < 112; ++i) {
    lines.push_back({entity("Ada saw it " + std::to_string(i) + ".",
                            R"([0, 3, "L)" + std::to_string(1000 + i) + R"("])"),
                     ""});
  }
  write("train.jsonl", lines);
  write("dev.jsonl", {lines[0]});
  const Outcome table = check(config(), "jsonl", {"--rare", "10"});
  EXPECT_THAT(table.out, HasSubstr("\"L1099\" 1 ... and 12 more labels; --json has all\n"));
  EXPECT_THAT(table.out, HasSubstr("... and 92 more of rare_label; --json has all\n"));
  const Outcome json = check(config(), "jsonl", {"--rare", "10", "--json"});
  EXPECT_THAT(json.out, HasSubstr("\"L1111\""));
  EXPECT_THAT(json.out, testing::Not(HasSubstr("--json has all")));
}

// Data without any fault of its own from which a run would not get to its first step.
TEST_F(DebugDataTest, DataThatTrainingRefusesIsAnError) {
  const std::vector<Line> good = {{entity("Ada sleeps.", R"([0, 3, "PER"])"), ""}};
  const std::vector<Line> outside = {{entity("Nobody is here.", ""), ""}};
  const auto told = [&](const std::vector<Line>& train, const std::vector<Line>& dev) {
    write("train.jsonl", train);
    write("dev.jsonl", dev);
    const Outcome outcome = check(config(), "jsonl", {"--rare", "0"});
    EXPECT_EQ(outcome.code, 3) << outcome.out;
    return outcome.out;
  };
  EXPECT_THAT(told(outside, good),
              AllOf(HasSubstr("no_set_up"), HasSubstr("no entity in the training data")));
  EXPECT_THAT(told({{R"({"text": ""})", ""}}, good),
              HasSubstr("no document of the corpus has a token"));
  EXPECT_THAT(told(good, {{R"({"text": ""})", ""}}), HasSubstr("[corpora.dev]"));
  // Other errors that training would end with are told beside the findings, which are not lost.
  write("dev.jsonl", good);
  const Outcome vectors = check(config(), "jsonl", {"--initialize.vectors", "nowhere"});
  EXPECT_EQ(vectors.code, 3) << vectors.err;
  EXPECT_THAT(vectors.out, AllOf(HasSubstr("no_set_up"), HasSubstr("train 1 documents")));
}

TEST_F(DebugDataTest, OtherFormatsAreNamedWithTheirPlaces) {
  write_text(folder_ / "train.conll", "Ada\tB-PER\nwent\tO\n\nOslo\tB-LOC\nwon\tO\nbroken\n\n");
  write_text(folder_ / "dev.conll", "Ada\tB-PER\nsang\tO\n\n");
  write_text(folder_ / "conll.cfg", small_config());
  const Outcome conll = check(path("conll.cfg"), "conll", {"--json"});
  EXPECT_EQ(conll.code, 3);
  EXPECT_THAT(conll.out, HasSubstr(R"("kind": "unreadable")"));
  EXPECT_THAT(conll.out, HasSubstr(R"("line": 6)"));
  const Outcome missing = run_weft({"debug", "data", path("conll.cfg"), "--paths.train",
                                    path("absent"), "--paths.dev", path("dev.conll")});
  EXPECT_NE(missing.code, 0);
  EXPECT_THAT(missing.err, HasSubstr("absent"));
}

}  // namespace
}  // namespace weft::testing_tools
