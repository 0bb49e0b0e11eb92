// Each shape of records reads its records, and records of none are named.
#include "framework/text/records/shapes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/base/error.h"
#include "registry/value/json.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Node parsed(const std::string& json) {
  auto node = parse_json(json);
  EXPECT_TRUE(node) << json;
  return node ? *node : Node();
}

AnnotatedRecord read(const std::string& json, const RecordOptions& options = {}) {
  return read_record(parsed(json), options);
}

std::string shape(const std::string& json) {
  return std::string(shape_of(parsed(json)).name());
}

std::string error_of(const std::string& json, const RecordOptions& options = {}) {
  try {
    read(json, options);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    return error.what();
  }
  return "no error";
}

std::vector<std::string> spans(const AnnotatedRecord& record) {
  std::vector<std::string> found;
  for (const RecordSpan& span : record.spans.value_or(std::vector<RecordSpan>())) {
    found.push_back(std::to_string(span.start) + "-" + std::to_string(span.end) + " " + span.label);
  }
  return found;
}

TEST(RecordShapes, AreRecognised) {
  EXPECT_EQ(shape(R"(["a", {"entities": []}])"), "spaCy 2");
  EXPECT_EQ(shape(R"({"text": "a", "tokens": ["a"], "ents": [], "cats": {}})"), "weft");
  EXPECT_EQ(shape(R"({"data": {"text": "a"}, "annotations": []})"), "Label Studio");
  EXPECT_EQ(shape(R"({"text": "a", "lead_time": 1.5})"), "Label Studio JSON-MIN");
  EXPECT_EQ(shape(R"({"text": "a", "spans": [], "answer": "accept"})"), "Prodigy");
  EXPECT_EQ(shape(R"({"tokens": ["a"], "ner_tags": [0]})"), "Hugging Face");
  EXPECT_EQ(shape(R"({"text": "a", "label": ["x"]})"), "doccano");
  EXPECT_EQ(shape(R"({"text": "a", "spans": []})"), "plain");
}

TEST(RecordShapes, OnlyAcceptedTasksOfProdigyAreGold) {
  EXPECT_EQ(read(R"({"text": "a", "spans": [], "answer": "accept"})").verdict, Verdict::gold);
  EXPECT_EQ(read(R"({"text": "a", "spans": [], "answer": "reject"})").verdict, Verdict::rejected);
  EXPECT_EQ(read(R"({"text": "a", "spans": [], "answer": "ignore"})").verdict, Verdict::ignored);
  EXPECT_THAT(error_of(R"({"text": "a", "answer": "maybe"})"), HasSubstr("\"maybe\""));
}

TEST(RecordShapes, ChoicesOfProdigyAreCategories) {
  const AnnotatedRecord record = read(
      R"({"text": "a", "options": [{"id": "x"}, {"id": 2}], "accept": [2], "answer": "accept"})");
  ASSERT_EQ(record.cats.size(), 2u);
  EXPECT_EQ(record.cats[0].first, "x");
  EXPECT_EQ(std::get<double>(record.cats[0].second), 0.0);
  EXPECT_EQ(record.cats[1].first, "2");
  EXPECT_EQ(std::get<double>(record.cats[1].second), 1.0);
  EXPECT_THAT(*read(R"({"text": "a", "label": "X", "answer": "accept"})").classes,
              ElementsAre("X"));
}

TEST(RecordShapes, DoccanoHasSpansOrClasses) {
  EXPECT_THAT(spans(read(R"({"text": "a b", "label": [[0, 1, "X"]]})")), ElementsAre("0-1 X"));
  EXPECT_THAT(spans(read(R"({"data": "a b", "labels": [[0, 1, "X"]]})")), ElementsAre("0-1 X"));
  EXPECT_THAT(
      spans(read(
          R"({"text": "a", "entities": [{"start_offset": 0, "end_offset": 1, "label": "X"}]})")),
      ElementsAre("0-1 X"));
  const AnnotatedRecord classes = read(R"({"text": "a", "label": ["ORG", "PER"]})");
  EXPECT_FALSE(classes.spans);
  EXPECT_THAT(*classes.classes, ElementsAre("ORG", "PER"));
  EXPECT_THAT(*read(R"({"text": "a", "label": "ORG"})").classes, ElementsAre("ORG"));
  EXPECT_TRUE(read(R"({"text": "a", "label": []})").is_undecided);
  EXPECT_THAT(error_of(R"({"text": "a", "label": 3})"), HasSubstr("\"label\" is an integer"));
  EXPECT_THAT(error_of(R"({"text": "a", "label": [3]})"), HasSubstr("\"label\" is a list"));
}

TEST(RecordShapes, LabelStudioTakesTheAnnotationThatCounts) {
  const std::string one =
      R"({"result": [{"value": {"start": 0, "end": 1, "text": "a", "labels": ["X"]}}]})";
  const std::string truth =
      R"({"ground_truth": true, "result": [{"value": {"start": 2, "end": 3, "labels": ["Y"]}}]})";
  const std::string skipped = R"({"was_cancelled": true, "result": []})";
  const auto task = [](const std::string& annotations) {
    return R"({"data": {"text": "a b"}, "annotations": [)" + annotations + "]}";
  };
  EXPECT_THAT(spans(read(task(skipped + ", " + one))), ElementsAre("0-1 X"));
  EXPECT_THAT(spans(read(task(one + ", " + truth))), ElementsAre("2-3 Y"));
  EXPECT_EQ(read(task(skipped)).verdict, Verdict::ignored);
  EXPECT_FALSE(read(task("")).is_annotated());
  EXPECT_EQ(read(task(one)).spans->front().quote, "a");
  EXPECT_THAT(*read(task(R"({"result": [{"value": {"choices": ["x"]}}]})")).classes,
              ElementsAre("x"));
  EXPECT_THAT(error_of(R"({"data": {"a": "x", "b": "y"}, "annotations": []})"),
              HasSubstr("a or b"));
}

TEST(RecordShapes, LabelStudiosOtherAnnotationsAreNamed) {
  const auto task = [](const std::string& result) {
    return R"({"data": {"text": "a b"}, "annotations": [{"result": [)" + result + "]}]}";
  };
  const std::string speech = R"({"start": "0", "end": "1", "paragraphlabels": ["X"]})";
  const std::string label = R"({"value": {"start": 0, "end": 1, "labels": ["X"]}})";
  EXPECT_THAT(error_of(task(R"({"type": "textarea", "value": {"text": ["a"]}})")),
              HasSubstr("of type \"textarea\" that has neither labels nor choices"));
  EXPECT_THAT(error_of(task(label + R"(, {"value": )" + speech + "}")),
              HasSubstr("regions with \"paragraphlabels\" are not read"));
  EXPECT_THAT(error_of(R"({"text": "a", "lead_time": 1, "who": [)" + speech + "]}"),
              HasSubstr("regions with \"paragraphlabels\" are not read"));
  EXPECT_THAT(spans(read(task(label + R"(, {"type": "relation"})"))), ElementsAre("0-1 X"));
}

TEST(RecordShapes, LabelStudioMinHasRegionsUnderAnyName) {
  const AnnotatedRecord record = read(
      R"({"id": 1, "body": "a b", "lead_time": 2.5, "sentiment": "bad",
          "entity": [{"start": 0, "end": 1, "labels": ["X"]}]})");
  EXPECT_EQ(*record.text, "a b");
  EXPECT_THAT(spans(record), ElementsAre("0-1 X"));
  EXPECT_THAT(*record.classes, ElementsAre("bad"));
}

TEST(RecordShapes, TagsMayBeNumbersOfNames) {
  const std::string row = R"({"tokens": ["a", "b", "c"], "ner_tags": [1, 0, -100]})";
  EXPECT_THAT(*read(row, {{"O", "B-X"}}).tags, ElementsAre("B-X", "O", "-"));
  EXPECT_THAT(error_of(row), HasSubstr("--tag-names"));
  EXPECT_THAT(error_of(row, {{"O"}}), HasSubstr("\"ner_tags\" holds 1"));
  EXPECT_THAT(*read(R"({"tokens": ["a"], "labels": ["B-X"]})").tags, ElementsAre("B-X"));
}

TEST(RecordShapes, TuplesHaveKnownKeysOnly) {
  const AnnotatedRecord record = read(R"(["a b", {"entities": [[0, 1, "X"]], "cats": {"c": 1}}])");
  EXPECT_THAT(spans(record), ElementsAre("0-1 X"));
  EXPECT_EQ(record.cats.size(), 1u);
  EXPECT_THAT(*read(R"(["a b", {"entities": ["U-X", "O"]}])").tags, ElementsAre("U-X", "O"));
  EXPECT_THAT(error_of(R"(["a", {"entitys": []}])"), HasSubstr("did you mean entities?"));
}

TEST(RecordShapes, MistypedKeysAreNamed) {
  for (const char* record : {R"({"text": "a", "lables": [[0, 1, "X"]]})",
                             R"({"text": "a", "lables": []})", R"({"text": "a", "LABELS": []})"}) {
    EXPECT_THAT(error_of(record), HasSubstr("did you mean labels?")) << record;
  }
  EXPECT_THAT(error_of(R"({"text": "a", "entites": []})"), HasSubstr("did you mean entities?"));
  EXPECT_THAT(error_of(R"({"text": "a", "annos": [{"begin": 0, "end": 1, "type": "X"}]})"),
              HasSubstr("unknown key \"annos\", which seems to hold entities"));
  EXPECT_THAT(error_of(R"({"txt": "a", "entities": []})"), HasSubstr("did you mean text?"));
  EXPECT_THAT(error_of(R"({"body": "a"})"), HasSubstr("its keys are \"body\""));
  EXPECT_THAT(error_of("7"), HasSubstr("neither a JSON object"));
  EXPECT_THAT(error_of(R"({"id": 1, "text": null})"), HasSubstr("\"text\" is null, not a text"));
}

TEST(RecordShapes, LossesWithoutAWordAreRefused) {
  const char* const words = "has tags of words, and the record has no \"tokens\"";
  EXPECT_THAT(error_of(R"({"text": "a b", "tags": ["B-X", "O"]})"), HasSubstr(words));
  EXPECT_THAT(error_of(R"({"text": "a b", "labels": ["O", "B-X"]})"), HasSubstr(words));
  EXPECT_EQ(error_of(R"({"text": "a b", "tags": ["news", "sports"]})"), "no error");
  EXPECT_THAT(error_of(R"({"text": "a", "entities": [[0, 1, ""]]})"),
              HasSubstr("the label of an entity is empty"));
  EXPECT_EQ(error_of(R"({"text": "a", "spans": {"sc": [[0, 1, ""]]}})"), "no error");
  EXPECT_THAT(error_of(R"({"text": "a", "entities": [], "lables": [[0, 1, "X"]]})"),
              HasSubstr("did you mean labels?"));
  EXPECT_THAT(error_of(R"({"text": "a", "entities": [{"start": 0, "end": 1, "type": "X"}]})"),
              HasSubstr(R"(an entity without "label"; its keys are "start", "end", "type")"));
  EXPECT_THAT(error_of(R"({"text": "a", "labels": {"X": ["a"]}})"),
              HasSubstr("\"labels\" is an object"));
  EXPECT_THAT(error_of(R"({"TEXT": "a"})"), HasSubstr("did you mean text?"));
}

TEST(RecordShapes, FieldsOfTheUserAreNoMistakes) {
  for (const char* key :
       {"id",      "meta",     "name",  "title", "url",  "date",     "source",    "lang",
        "author",  "level",    "topic", "score", "user", "doc_id",   "section",   "page",
        "comment", "sentence", "split", "table", "type", "language", "word_count"}) {
    const std::string record = "{\"text\": \"a\", \"" + std::string(key) + "\": \"x\"}";
    EXPECT_EQ(error_of(record), "no error") << key;
  }
  EXPECT_EQ(error_of(R"({"text": "a", "entities": [], "guesses": [[0, 1, "X"]], "lables": 1})"),
            "no error");
}

TEST(RecordShapes, WhatWeftWroteIsReadWhateverItCarriesAlong) {
  const AnnotatedRecord record =
      read(R"({"text": "a", "tokens": ["a"], "spaces": [false], "ents": [[0, 1, "X"]], "cats": {},
               "entities": [[0, 1, "Y"]], "answer": "reject"})");
  EXPECT_EQ(record.verdict, Verdict::gold);
  EXPECT_THAT(spans(record), ElementsAre("0-1 X"));
}

TEST(RecordShapes, CategoriesAreFinite) {
  for (const char* value : {"NaN", "Infinity", "-Infinity", "1e400"}) {
    EXPECT_NE(error_of(R"({"text": "a", "cats": {"x": )" + std::string(value) + "}}")
                  .find("the category \"x\" has a value that is not finite"),
              std::string::npos)
        << value;
  }
}

}  // namespace
}  // namespace weft
