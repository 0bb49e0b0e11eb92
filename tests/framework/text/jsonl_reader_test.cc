#include "framework/text/jsonl_reader.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/text/biluo.h"
#include "registry/base/error.h"
#include "tests/framework/text/text_file.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Jsonl : public ::testing::Test {
 protected:
  // Cuts at spaces.
  Doc make_doc(std::string_view text) {
    TokenTableBuilder builder;
    while (!text.empty()) {
      const std::size_t end = text.find(' ');
      builder.append(text.substr(0, end), vocab_->lexeme(text.substr(0, end)), end != text.npos);
      text = end == text.npos ? std::string_view() : text.substr(end + 1);
    }
    return Doc(vocab_, builder.finish());
  }

  std::vector<Doc> docs(const std::string& text, AlignmentPolicy policy = AlignmentPolicy::error) {
    JsonlReader reader(file_with("in.jsonl", text), vocab_,
                       [this](std::string_view line) { return make_doc(line); },
                       {policy, [this](const Misaligned& m) { told_.push_back(m.str()); }});
    std::vector<Doc> docs;
    while (auto doc = reader.next()) docs.push_back(std::move(*doc));
    return docs;
  }

  std::string error_of(const std::string& text) {
    try {
      docs(text);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data);
      return error.what();
    }
    return "no error";
  }

  std::shared_ptr<const Vocab> vocab_ = std::make_shared<Vocab>("en");
  std::vector<std::string> told_;
};

TEST_F(Jsonl, EntitiesByCharacters) {
  const auto all = docs(
      R"({"text": "Zoë lives in Köln", "entities": [[0, 3, "PER"], [13, 17, "LOC"]]})"
      "\n\n"
      R"({"text": "a b", "spans": [{"start": 2, "end": 3, "label": "X", "kb_id": "Q1"}], "other": 1})"
      "\n"
      R"({"text": "a b", "labels": [{"start_offset": 0, "end_offset": 1, "label": "X"}]})"
      "\n"
      R"({"text": "a b", "ents": [{"start": 1, "end": 2, "start_char": 2, "end_char": 3, "label": "X"}]})");
  ASSERT_EQ(all.size(), 4u);
  EXPECT_THAT(biluo_strings(all[0]), ElementsAre("U-PER", "O", "O", "U-LOC"));
  EXPECT_EQ(all[1].string(all[1].ents()[0].kb_id), "Q1");
  EXPECT_THAT(biluo_strings(all[2]), ElementsAre("U-X", "O"));
  EXPECT_THAT(biluo_strings(all[3]), ElementsAre("O", "U-X"));
}

TEST_F(Jsonl, NoKeyIsNoAnnotation) {
  const auto all =
      docs("{\"text\": \"a b\"}\n{\"text\": \"a b\", \"ents\": []}\n{\"text\": \"\"}\n");
  EXPECT_FALSE(all[0].has_ents());
  EXPECT_THAT(biluo_strings(all[1]), ElementsAre("O", "O"));
  EXPECT_TRUE(all[2].empty());
}

TEST_F(Jsonl, WordsAreTakenAsTheyAre) {
  const auto all = docs(
      R"({"words": ["New", "York", "!"], "spaces": [true, false, false], "ents": [[0, 2, "GPE"]]})"
      "\n"
      R"({"tokens": ["New", "York"], "ner_tags": ["B-GPE", "I-GPE"]})"
      "\n"
      R"({"text": "New York!", "tokens": [{"text": "New York", "ws": false}, {"text": "!", "ws": false}],)"
      R"( "spans": [{"start": 0, "end": 8, "label": "GPE"}]})"
      "\n"
      R"({"text": "New York!", "tokens": ["New", "York", "!"], "cats": {"a": 1, "b": 0.5, "c": true}})");
  EXPECT_EQ(all[0].text(), "New York!");
  EXPECT_THAT(biluo_strings(all[0]), ElementsAre("B-GPE", "L-GPE", "O"));
  EXPECT_TRUE(all[1].has_unknown_spaces());
  EXPECT_THAT(biluo_strings(all[1]), ElementsAre("B-GPE", "L-GPE"));
  EXPECT_THAT(biluo_strings(all[2]), ElementsAre("U-GPE", "O"));
  EXPECT_EQ(all[3].text(), "New York!");
  EXPECT_THAT(all[3].cats(), ElementsAre(TextCategory{"a", std::int64_t{1}}, TextCategory{"b", 0.5},
                                         TextCategory{"c", true}));
}

TEST_F(Jsonl, MisalignedEntitiesFollowThePolicy) {
  const std::string line = R"({"text": "New York!", "ents": [[0, 8, "GPE"]]})";
  EXPECT_THAT(error_of("\n" + line), HasSubstr("in.jsonl:2"));
  EXPECT_THAT(biluo_strings(docs(line, AlignmentPolicy::expand)[0]), ElementsAre("B-GPE", "L-GPE"));
  EXPECT_THAT(told_, ElementsAre(HasSubstr("in.jsonl:1  document 1: GPE at characters 0 to 8")));
}

TEST_F(Jsonl, ATextBelongsToNoOtherClassOfItsFile) {
  const auto all = docs(
      "{\"text\": \"a\", \"label\": [\"x\"]}\n{\"text\": \"b\", \"label\": []}\n"
      "{\"text\": \"c\", \"label\": [\"y\", \"x\"]}\n");
  EXPECT_THAT(all[0].cats(), ElementsAre(TextCategory{"x", 1.0}, TextCategory{"y", 0.0}));
  EXPECT_THAT(all[1].cats(), ElementsAre(TextCategory{"x", 0.0}, TextCategory{"y", 0.0}));
  EXPECT_THAT(all[2].cats(), ElementsAre(TextCategory{"x", 1.0}, TextCategory{"y", 1.0}));
  EXPECT_FALSE(all[1].has_ents());
}

TEST_F(Jsonl, AnEmptyListOfAFileWithoutClassesIsATextWithoutEntities) {
  const auto all =
      docs("{\"text\": \"a\", \"label\": []}\n{\"text\": \"b\", \"label\": [[0, 1, \"X\"]]}");
  EXPECT_TRUE(all[0].has_ents());
  EXPECT_TRUE(all[0].cats().empty());
}

TEST_F(Jsonl, AListIsReadLikeLines) {
  const auto all =
      docs("[{\"text\": \"a b\",\n \"label\": [[2, 3, \"X\"]]},\n[\"c\", {\"entities\": []}]]");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_THAT(biluo_strings(all[0]), ElementsAre("O", "U-X"));
  EXPECT_THAT(error_of("[{\"text\": \"a\"},\n\n {\"txt\": \"b\"}]"),
              HasSubstr("in.jsonl:3  a record"));
}

TEST_F(Jsonl, QuotedTextIsComparedButForWhiteSpace) {
  const auto read = [&](const std::string& quote) {
    told_.clear();
    return docs(R"({"text": "New York", "spans": [{"start": 0, "end": 8, "label": "X", "text": ")" +
                    quote + "\"}]}",
                AlignmentPolicy::drop)[0]
        .ents()
        .size();
  };
  EXPECT_EQ(read("New York"), 1u);
  EXPECT_EQ(read("New\\nYork"), 1u);
  EXPECT_EQ(read("NewYork "), 1u);
  EXPECT_TRUE(told_.empty());
  EXPECT_EQ(read("ew York!"), 0u);
  EXPECT_THAT(told_, ElementsAre(HasSubstr("\"New York\", is not \"ew York!\"")));
  const auto all = docs(
      R"({"text": "New York", "spans": [{"start": 4, "end": 8, "label": "X", "text": "New"}]})",
      AlignmentPolicy::drop);
  EXPECT_THAT(biluo_strings(all[0]), ElementsAre("O", "-")) << "nothing is known of it";
}

// White space is passed over for each quote that it may belong to.
TEST_F(Jsonl, QuotesThatOverlapAreComparedWithinALimit) {
  const auto record = [](int entities) {
    std::string text, spans;
    for (int i = 0; i < 100'000; ++i) text += R"(\t)";
    for (int i = 0; i < entities; ++i) {
      spans += i == 0 ? "" : ", ";
      spans += R"({"start": 0, "end": 100000, "label": "X", "text": " "})";
    }
    return R"({"text": ")" + text + R"(", "spans": [)" + spans + "]}";
  };
  EXPECT_EQ(docs(record(500), AlignmentPolicy::drop).size(), 1U);
  EXPECT_THAT(error_of("\n" + record(1000)),
              HasSubstr("in.jsonl:2  too many entities with quotes overlap in the text"));
}

TEST_F(Jsonl, RecordsThatAreNoGoldAreLeftOutAndTold) {
  std::vector<Verdict> told;
  JsonlReader reader(file_with("in.jsonl",
                               "{\"text\": \"a\", \"answer\": \"reject\", \"spans\": 7}\n"
                               "{\"text\": \"b\", \"answer\": \"ignore\"}\n"
                               "{\"text\": \"c\", \"answer\": \"accept\", \"spans\": []}\n"),
                     vocab_, [this](std::string_view line) { return make_doc(line); },
                     {.left_out = [&](Verdict verdict) { told.push_back(verdict); }});
  const auto doc = reader.next();
  ASSERT_TRUE(doc);
  EXPECT_EQ(doc->text(), "c");
  EXPECT_EQ(reader.line(), 3);
  EXPECT_FALSE(reader.next());
  EXPECT_THAT(told, ElementsAre(Verdict::rejected, Verdict::ignored));
}

TEST_F(Jsonl, FaultsHaveALine) {
  EXPECT_THAT(error_of("{\"text\": \"a\"}\n{\"text\": \"a\""),
              HasSubstr("in.jsonl:2  no valid JSON"));
  for (const char* line : {"[1]",
                           "{}",
                           "{\"text\": 1}",
                           "{\"words\": 1}",
                           "{\"words\": [1]}",
                           "{\"words\": [\"\"]}",
                           "{\"words\": [\"a\"], \"spaces\": [1]}",
                           "{\"words\": [\"a\"], \"spaces\": []}x",
                           "{\"words\": [\"a\"], \"spaces\": [true, true]}",
                           "{\"text\": \"a\", \"ents\": [[0, 1]]}",
                           "{\"text\": \"a\", \"ents\": [[-1, 1, \"X\"]]}",
                           "{\"text\": \"a\", \"ents\": [[0, 1, 5]]}",
                           "{\"text\": \"a\", \"ents\": [{\"start\": 0, \"label\": \"X\"}]}",
                           "{\"words\": [\"a\"], \"ents\": [[0, 2, \"X\"]]}",
                           "{\"words\": [\"a\"], \"ner_tags\": [\"Q\"]}",
                           "{\"text\": \"a b\", \"words\": [\"a\", \"c\"]}",
                           "{\"text\": \"a\", \"cats\": {\"x\": \"y\"}}",
                           "{\"text\": \"\\ud800\"}",
                           "{\"text\": \"\xFF\"}",
                           "{\"text\": \"a\", \"ents\": [[0, 1, \"X\"]], \"ents\": []}"}) {
    EXPECT_THAT(error_of(line), HasSubstr("in.jsonl:1  ")) << line;
  }
  EXPECT_THROW(JsonlReader("/no/such/file", vocab_, {}), Error);
}

TEST_F(Jsonl, EscapesInQuotesAreWhiteSpace) {
  for (const char* escape : {"n", "t", "r"}) {
    const std::string line =
        R"({"text": "New York", "spans": [{"start": 0, "end": 8, "label": "X", "text": "New\\)" +
        std::string(escape) + "York\"}]}";
    EXPECT_THAT(biluo_strings(docs(line)[0]), ElementsAre("B-X", "L-X")) << escape;
  }
  EXPECT_THAT(error_of(R"({"text": "a b", "spans": [{"start": 0, "end": 1, "label": "X",)"
                       R"( "text": "\\x"}]})"),
              HasSubstr("is not \"\\x\""));
}

TEST_F(Jsonl, TheErrorOfAQuoteNamesTheFileOnce) {
  const std::string error = error_of(
      R"({"text": "New York", "spans": [{"start": 0, "end": 3, "label": "X", "text": "York"}]})");
  const std::size_t first = error.find("in.jsonl");
  ASSERT_NE(first, error.npos);
  EXPECT_EQ(error.find("in.jsonl", first + 1), error.npos) << error;
}

}  // namespace
}  // namespace weft
