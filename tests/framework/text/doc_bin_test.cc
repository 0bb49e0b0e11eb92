#include "framework/text/doc_bin.h"

#include <algorithm>
#include <random>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/text/biluo.h"
#include "registry/base/error.h"
#include "tests/framework/text/text_file.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Doc annotated(const std::shared_ptr<const Vocab>& vocab) {
  TokenTableBuilder builder;
  builder.append("Do", vocab->lexeme("Do"), false);
  builder.append("n't", vocab->lexeme("n't"), true, vocab->strings().add("not"));
  builder.append("leave", vocab->lexeme("leave"), true);
  builder.append("Köln", vocab->lexeme("Köln"), false);
  Doc doc(vocab, builder.finish());
  StringStore& strings = vocab->strings();
  const Span blocked[] = {{0, 1}};
  const Span missing[] = {{1, 2}};
  const Span ents[] = {{3, 4, strings.add("LOC"), strings.add("Q365"), strings.add("e1")}};
  doc.set_ents(ents, EntsDefault::outside, blocked, missing);
  doc.set_sent_starts({1, -1, 0, -1});
  doc.set_column(Attr::lemma, {strings.add("do"), strings.add("not"), strings.add("leave"), 0});
  doc.set_heads({2, 1, 0, -1});
  doc.set_span_group("sc", {"other", "", {{0, 2, strings.add("NEG")}, {2, 2, strings.add("E")}}});
  doc.set_cat("short", 1.0);
  doc.set_user_data("\x81\xa1k\x01");
  return doc;
}

void expect_same(const Doc& a, const Doc& b) {
  EXPECT_EQ(a.text(), b.text());
  EXPECT_EQ(a.has_unknown_spaces(), b.has_unknown_spaces());
  EXPECT_EQ(biluo_strings(a), biluo_strings(b));
  EXPECT_EQ(a.ents(), b.ents());
  EXPECT_TRUE(std::ranges::equal(a.sent_starts(), b.sent_starts()));
  EXPECT_TRUE(std::ranges::equal(a.heads(), b.heads()));
  EXPECT_TRUE(std::ranges::equal(a.column(Attr::lemma), b.column(Attr::lemma)));
  EXPECT_EQ(a.cats(), b.cats());
  for (int i = 0; i < a.size(); ++i) EXPECT_EQ(a.norm(i), b.norm(i));
  ASSERT_EQ(a.span_groups().size(), b.span_groups().size());
  for (std::size_t i = 0; i < a.span_groups().size(); ++i) {
    EXPECT_EQ(a.span_groups()[i].first, b.span_groups()[i].first);
    EXPECT_EQ(a.span_groups()[i].second.spans, b.span_groups()[i].second.spans);
  }
}

TEST(DocBin, EverythingComesBack) {
  const auto vocab = std::make_shared<Vocab>("en");
  const Doc doc = annotated(vocab);
  DocBinWriter writer;
  writer.add(doc);
  writer.add(Doc(vocab));
  writer.add(Doc::from_words(vocab, {"unknown", "spaces"}));
  const std::string path = file_with("all.spacy", writer.to_bytes());
  EXPECT_EQ(writer.size(), 0u);

  const auto fresh = std::make_shared<Vocab>("en");
  DocBinReader reader(path, fresh);
  EXPECT_EQ(reader.size(), 3u);
  EXPECT_EQ(reader.tokens(), 6u);
  const Doc first = *reader.next();
  expect_same(doc, first);
  EXPECT_EQ(first.user_data(), doc.user_data());
  EXPECT_EQ(first.string(first.ents()[0].kb_id), "Q365");
  EXPECT_TRUE(fresh->strings().find(string_id("NEG"))) << "labels outlive the document";
  EXPECT_FALSE(fresh->strings().find(string_id("leave"))) << "words do not";
  EXPECT_TRUE(reader.next()->empty());
  EXPECT_TRUE(reader.next()->has_unknown_spaces());
  EXPECT_FALSE(reader.next());
}

TEST(DocBin, FewColumnsSuffice) {
  const auto vocab = std::make_shared<Vocab>("en");
  DocBinWriter writer({Attr::ent_type, Attr::ent_iob, Attr::spacy, Attr::ent_iob});
  writer.add(annotated(vocab));
  DocBinReader reader(file_with("few.spacy", writer.to_bytes()), vocab);
  EXPECT_THAT(reader.attrs(), ElementsAre(65, 77, 78));
  const Doc doc = *reader.next();
  EXPECT_THAT(biluo_strings(doc), ElementsAre("O", "-", "O", "U-LOC"));
  EXPECT_EQ(doc.norm(1), "n't");
  EXPECT_THAT(doc.sent_starts(), ElementsAre(1, 0, 0, 0));
}

TEST(DocBin, TypesOfEntitiesStayWithoutTheirMarks) {
  const auto vocab = std::make_shared<Vocab>("en");
  DocBinWriter writer({Attr::ent_type, Attr::spacy});
  writer.add(annotated(vocab));
  const auto fresh = std::make_shared<Vocab>("en");
  DocBinReader reader(file_with("types.spacy", writer.to_bytes()), fresh);
  const Doc doc = *reader.next();
  EXPECT_THAT(doc.column(Attr::ent_type), ElementsAre(0, 0, 0, string_id("LOC")));
  EXPECT_TRUE(fresh->strings().find(string_id("LOC")));
}

// Larger than what a cursor holds at a time.
TEST(DocBin, LargeFilesAreStreamed) {
  const auto vocab = std::make_shared<Vocab>("en");
  std::mt19937 random(1);
  std::vector<Doc> docs;
  DocBinWriter writer;
  for (int i = 0; i < 300; ++i) {
    std::vector<std::string> words;
    for (std::uint32_t n = random() % 90; n > 0; --n)
      words.push_back("w" + std::to_string(random()));
    Doc doc = Doc::from_words(vocab, words);
    for (int start = 0; start + 2 < doc.size(); start += 5) {
      doc.set_ents({{start, start + 2, vocab->strings().add("L" + std::to_string(random() % 5))}},
                   EntsDefault::unmodified);
    }
    doc.set_cat("n", static_cast<std::int64_t>(random()));
    doc.set_span_group("sc", {"sc", "", {{0, doc.size(), 5}}});
    docs.push_back(doc);
    writer.add(doc);
  }
  const std::string path = file_with("large.spacy", writer.to_bytes());
  DocBinReader reader(path, std::make_shared<Vocab>("en"));
  ASSERT_EQ(reader.size(), docs.size());
  for (const Doc& doc : docs) expect_same(doc, *reader.next());
  EXPECT_FALSE(reader.next());
}

// More word forms than a reader keeps: those that it forgot are looked up again.
// It is told where it is written: later the text may be gone.
TEST(DocBin, WhatReadersWouldRefuseIsNotWritten) {
  const auto vocab = std::make_shared<Vocab>("en");
  const auto written = [&](int tokens) {
    DocBinWriter writer;
    writer.add(Doc::from_words(vocab, std::vector<std::string>(tokens, "a")));
    return writer.to_bytes();
  };
  EXPECT_NO_THROW(written(200000));
  try {
    written(300000);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_THAT(error.message(), ::testing::HasSubstr("a document of 300000 tokens packs into"));
  }
}

TEST(DocBin, WordFormsMayBeManifold) {
  constexpr int kForms = 40'000;
  const auto vocab = std::make_shared<Vocab>("en");
  DocBinWriter writer;
  const auto words_from = [](int first) {
    std::vector<std::string> words;
    for (int i = 0; i < kForms; ++i) words.push_back("w" + std::to_string(first + i));
    return words;
  };
  for (const int first : {0, kForms, 0, kForms / 2}) {
    writer.add(Doc::from_words(vocab, words_from(first)));
  }
  DocBinReader reader(file_with("forms.spacy", writer.to_bytes()), std::make_shared<Vocab>("en"));
  for (const int first : {0, kForms, 0, kForms / 2}) {
    const auto doc = reader.next();
    const std::vector<std::string> words = words_from(first);
    ASSERT_TRUE(doc);
    for (int i = 0; i < doc->size(); ++i) ASSERT_EQ(doc->word(i), words[i]);
  }
}

// More different rows of attributes than are held in memory, and more word forms than a reader
// keeps: read from the file as it goes.
TEST(DocBin, RowsMayBeManifold) {
  constexpr int kTokens = 40'000;
  const auto vocab = std::make_shared<Vocab>("en");
  DocBinWriter writer;
  std::vector<Doc> docs;
  for (int part = 0; part < 3; ++part) {
    std::vector<std::string> words;
    std::vector<StringId> ids;
    for (int i = part * kTokens; i < (part + 1) * kTokens; ++i) {
      words.push_back("w" + std::to_string(i % 90'000));
      ids.push_back(vocab->strings().add("e" + std::to_string(i)));
    }
    docs.push_back(Doc::from_words(vocab, words));
    docs.back().set_column(Attr::ent_id, ids);
    docs.back().set_ents({{1, 3, vocab->strings().add("LOC")}}, EntsDefault::unmodified);
    writer.add(docs.back());
  }
  DocBinReader reader(file_with("rows.spacy", writer.to_bytes()), std::make_shared<Vocab>("en"));
  for (const Doc& doc : docs) {
    const auto read = reader.next();
    ASSERT_TRUE(read);
    EXPECT_EQ(read->text(), doc.text());
    EXPECT_EQ(read->ents(), doc.ents());
    EXPECT_TRUE(std::ranges::equal(read->column(Attr::ent_id), doc.column(Attr::ent_id)));
    EXPECT_TRUE(std::ranges::equal(read->attr_ids(Attr::norm), doc.attr_ids(Attr::norm)));
  }
  EXPECT_FALSE(reader.next());
}

TEST(DocBin, NoDocumentIsAFileToo) {
  DocBinWriter writer;
  DocBinReader reader(file_with("none.spacy", writer.to_bytes()), std::make_shared<Vocab>());
  EXPECT_EQ(reader.size(), 0u);
  EXPECT_FALSE(reader.next());
}

TEST(DocBin, CutsAndFlippedBytesAreTold) {
  const auto vocab = std::make_shared<Vocab>("en");
  DocBinWriter writer;
  writer.add(annotated(vocab));
  const std::string good = writer.to_bytes();
  const auto read = [&](const std::string& bytes) {
    DocBinReader reader(file_with("bad.spacy", bytes), vocab);
    while (reader.next()) {
    }
  };
  constexpr std::size_t kStep = 5;
  for (std::size_t size = 0; size < good.size(); size += kStep) {
    try {
      read(good.substr(0, size));
      ADD_FAILURE() << "read although cut after " << size << " bytes";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data);
      EXPECT_THAT(error.what(), HasSubstr("bad.spacy"));
    }
  }
  // Some bits only pad the compressed stream; a document that is still read has to be the one that
  // was written.
  for (std::size_t i = 0; i < good.size(); i += kStep) {
    std::string bytes = good;
    bytes[i] = static_cast<char>(bytes[i] ^ 0x10);
    try {
      DocBinReader reader(file_with("bad.spacy", bytes), vocab);
      expect_same(annotated(vocab), *reader.next());
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data);
    }
  }
}

TEST(DocBin, UnknownIdsAreNotWritten) {
  const auto vocab = std::make_shared<Vocab>("en");
  Doc doc = Doc::from_words(vocab, {"a"});
  doc.set_column(Attr::lemma, {12345678901234567890ULL});
  DocBinWriter writer;
  EXPECT_THROW(writer.add(doc), Error);
}

}  // namespace
}  // namespace weft
