// Drawings of a small document against files that people looked at, and of hostile ones. With
// WEFT_UPDATE_GOLDEN=1 the files are written again.
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/io/atomic_file.h"
#include "framework/render/arc_svg.h"
#include "framework/render/entity_html.h"
#include "framework/render/escaped.h"
#include "framework/render/page.h"
#include "framework/render/span_html.h"
#include "registry/base/error.h"
#include "tests/folders.h"

namespace weft {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kHostile = "</b><script>x()</script>\"onmouseover='x()\xE2\x80\xAE\x01";

Doc small_doc(const std::string& label = "PERSON") {
  const auto vocab = std::make_shared<Vocab>("en");
  Doc doc = Doc::from_words(vocab, {"Ada", "Lovelace", "saw", "<Oslo>", "&", "Bergen", "."},
                            {true, true, true, true, true, false, false});
  const auto ids = [&](std::initializer_list<const char*> names) {
    std::vector<StringId> column;
    for (const char* name : names) column.push_back(vocab->strings().add(name));
    return column;
  };
  doc.set_heads({1, 1, 0, -1, -1, -2, -4});
  doc.set_column(Attr::dep, ids({"compound", "nsubj", "ROOT", "dobj", "cc", "conj", "punct"}));
  doc.set_column(Attr::pos, ids({"PROPN", "PROPN", "VERB", "PROPN", "CCONJ", "PROPN", "PUNCT"}));
  doc.set_column(Attr::lemma, ids({"Ada", "Lovelace", "see", "Oslo", "and", "Bergen", "."}));
  const StringId name = vocab->strings().add(label), place = vocab->strings().add("GPE");
  const StringId kb = vocab->strings().add("Q7259/x");
  doc.set_ents({{0, 2, name, kb}, {3, 4, place}});
  doc.set_span_group("sc", {"sc", "", {{0, 2, name, kb}, {1, 6, place}, {1, 2, name}}});
  return doc;
}

std::string tree_of(const Doc& doc, const RenderOptions& options = {}) {
  return arc_svg(arc_drawing(doc, {0, doc.size()}, options), options, "en", "weft-0");
}

void expect_golden(const std::string& drawing, const std::string& name) {
  const std::filesystem::path file =
      std::filesystem::path(source_path("tests/framework/render/golden")) / name;
  if (std::getenv("WEFT_UPDATE_GOLDEN") != nullptr) write_file(file, drawing);
  EXPECT_EQ(drawing, read_file(file)) << name;
}

TEST(Drawings, AreThoseOfTheGoldenFiles) {
  const Doc doc = small_doc();
  LabelColors colors;
  RenderOptions options{.link = "https://kb.example/{}"};
  expect_golden(page_head({"T", "en"}) + page_figure(entity_html(doc, options, colors)) +
                    page_figure(span_html(doc, options, colors)) + page_end(),
                "page.html");
  expect_golden(tree_of(doc), "tree.svg");
  options = {.right_to_left = true, .compact = true, .lemmas = true};
  options.collapse_noun_chunks = true;
  expect_golden(tree_of(doc, options), "compact.svg");
}

TEST(Drawings, TextsAndLabelsAreNoMarkup) {
  const Doc doc = small_doc(kHostile);
  LabelColors colors;
  const RenderOptions options{.link = "https://kb.example/{}"};
  const std::string drawn = page_head({kHostile, kHostile}) + entity_html(doc, options, colors) +
                            span_html(doc, options, colors);
  EXPECT_THAT(drawn, Not(HasSubstr("<script")));
  EXPECT_THAT(drawn, Not(HasSubstr("\"onmouseover")));
  EXPECT_THAT(drawn, Not(HasSubstr("\xE2\x80\xAE")));
  EXPECT_THAT(drawn, HasSubstr("\\u{202E}\\u{1}"));
  EXPECT_THAT(drawn, HasSubstr("https://kb.example/Q7259%2Fx"));
  ArcDrawing arcs = arc_drawing(doc, {0, 7}, {});
  for (DrawnArc& arc : arcs.arcs) arc.label = kHostile;
  EXPECT_THAT(arc_svg(arcs, {}, kHostile, "x"), Not(HasSubstr("<script")));
}

TEST(Drawings, AreBounded) {
  const auto vocab = std::make_shared<Vocab>("en");
  const std::vector<std::string> words(50'000, std::string(300, 'x'));
  const StringId label = vocab->strings().add("LONG");
  Doc doc = Doc::from_words(vocab, words);
  doc.set_column(Attr::dep, std::vector<StringId>(words.size(), label));
  SpanGroup group{"sc", "", {}};
  for (int i = 0; i < 1000; ++i) group.spans.push_back({0, 19'000, label});
  doc.set_span_group("sc", group);
  LabelColors colors;
  EXPECT_THAT(entity_html(doc, {}, colors), HasSubstr("… 30000 more tokens are not drawn"));
  EXPECT_THAT(span_html(doc, {}, colors), HasSubstr("… 995 more spans are not drawn"));
  EXPECT_THAT(tree_of(doc), HasSubstr("… 49000 more"));
  EXPECT_LT(tree_of(doc).size(), 2'000'000U);
}

// A label, a tag and an id of a megabyte each, at every word.
TEST(Drawings, LongNamesAreBoundedEverywhere) {
  const auto vocab = std::make_shared<Vocab>("en");
  const std::vector<std::string> words(1000, "x");
  const StringId name = vocab->strings().add(std::string(1'000'000, 'n'));
  Doc doc = Doc::from_words(vocab, words);
  for (const Attr attr : {Attr::dep, Attr::tag, Attr::lemma}) {
    doc.set_column(attr, std::vector<StringId>(words.size(), name));
  }
  std::vector<Span> ents;
  for (int i = 0; i < 1000; ++i) ents.push_back({i, i + 1, name, name});
  doc.set_span_group("sc", {"sc", "", ents});
  doc.set_ents(std::move(ents));
  const RenderOptions options{
      .labels = {}, .link = "https://kb.example/{}", .lemmas = true, .fine_grained = true};
  LabelColors colors;
  const std::string shown = std::string(kLongestName, 'n') + "…";
  for (const std::string& drawn : {entity_html(doc, options, colors),
                                   span_html(doc, options, colors), tree_of(doc, options)}) {
    EXPECT_LT(drawn.size(), 2'000'000U);
    EXPECT_THAT(drawn, HasSubstr(shown));
    EXPECT_THAT(drawn, Not(HasSubstr("kb.example")));
  }
  const ArcDrawing tree = arc_drawing(doc, {0, 1000}, options);
  EXPECT_LE(tree.words.front().tag.size() + tree.words.front().lemma.size(), 3 * kLongestName);
}

TEST(Drawings, AnArcLiesAboveThoseBetweenItsEnds) {
  EXPECT_EQ(arc_levels({{0, 3}, {0, 1}, {1, 3}, {2, 4}}), (std::vector<int>{3, 1, 1, 2}));
  EXPECT_TRUE(arc_levels({}).empty());
}

// As in spaCy: a mark before a phrase belongs to it, and not to the word before.
TEST(Drawings, PhrasesAreJoinedBeforeMarks) {
  const auto vocab = std::make_shared<Vocab>("en");
  Doc doc =
      Doc::from_words(vocab, {"She", "saw", "\"", "Ada", "\""}, {true, true, false, false, false});
  const auto ids = [&](std::initializer_list<const char*> names) {
    std::vector<StringId> column;
    for (const char* name : names) column.push_back(vocab->strings().add(name));
    return column;
  };
  doc.set_heads({1, 0, 1, -2, -1});
  doc.set_column(Attr::dep, ids({"nsubj", "ROOT", "punct", "dobj", "punct"}));
  doc.set_column(Attr::pos, ids({"PRON", "VERB", "PUNCT", "PROPN", "PUNCT"}));
  const ArcDrawing drawing =
      arc_drawing(doc, {0, 5}, {.collapse_punctuation = true, .collapse_noun_chunks = true});
  std::vector<std::string> words;
  for (const DrawnWord& word : drawing.words) words.push_back(word.text);
  EXPECT_EQ(words, (std::vector<std::string>{"She", "saw", "\"Ada\""}));
}

TEST(Drawings, WithoutAnnotationTheWordsAreDrawn) {
  const Doc plain = Doc::from_words(std::make_shared<Vocab>("en"), {"a", "b"});
  EXPECT_FALSE(has_dependencies(plain));
  const ArcDrawing words = arc_drawing(plain, {0, 2}, {.collapse_noun_chunks = true});
  EXPECT_EQ(words.words.size(), 2u);
  EXPECT_TRUE(words.arcs.empty());
  LabelColors colors;
  EXPECT_EQ(span_html(small_doc(), {.spans_key = "ruler"}, colors),
            span_html(small_doc(), {.labels = {"NOBODY"}}, colors));
}

// As in spaCy, whatever head the file says.
TEST(Drawings, AWordWithoutALabelHasNoArc) {
  const auto vocab = std::make_shared<Vocab>("en");
  Doc doc = Doc::from_words(vocab, {"a", "b", "c"});
  doc.set_heads({1, 0, -1});
  doc.set_column(Attr::dep, {vocab->strings().add("det"), vocab->strings().add("ROOT"), 0});
  const ArcDrawing drawing = arc_drawing(doc, {0, 3}, {});
  ASSERT_EQ(drawing.arcs.size(), 1u);
  EXPECT_EQ(drawing.arcs[0].label, "det");
}

TEST(Drawings, LabelsThatAreLeftOutAreText) {
  LabelColors colors;
  const std::string drawn = entity_html(small_doc(), {.labels = {"GPE"}}, colors);
  EXPECT_THAT(drawn, HasSubstr("\">Ada Lovelace saw \n<mark"));
  EXPECT_THAT(drawn, Not(HasSubstr("PERSON")));
}

TEST(Drawings, ColorsAndLinksAreChecked) {
  LabelColors colors;
  EXPECT_EQ(colors.of("org"), "#7aecec");
  const std::string first = colors.of("NEW"), second = colors.of("OTHER");
  EXPECT_NE(first, second);
  EXPECT_EQ(colors.of("new"), first);
  EXPECT_THROW(colors.set("A", "red;}"), Error);
  EXPECT_THROW(check_link({.link = "javascript:x({})"}), Error);
  EXPECT_NO_THROW(check_link({.link = "https://a.example/{}"}));
}

TEST(Escaped, BytesThatAreNoTextAreShown) {
  EXPECT_EQ(markup_text("a\xFF<"), "a\\x{FF}&lt;");
  EXPECT_EQ(markup_text("é\t\n\x7F"), "é\t\n\\u{7F}");
}

}  // namespace
}  // namespace weft
