// The annotation of a document comes over as it is; bytes that are cut short are refused.
#include "framework/pipeline/annotation_message.h"

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "framework/comm/comm_error.h"
#include "framework/text/copy_annotation.h"
#include "framework/text/vocab.h"

namespace weft {
namespace {

Doc words_of(const std::shared_ptr<const Vocab>& vocab) {
  return Doc::from_words(vocab, {"Ada", "wrote", "the", "first", "program"});
}

// Labels and lemmas that only this document knows.
Doc annotated(const std::shared_ptr<const Vocab>& vocab) {
  Doc doc = words_of(vocab);
  auto strings = std::make_shared<StringTable>();
  const auto id = [&](const char* text) { return strings->add(text); };
  doc.set_sent_starts({1, -1, 0, -1, 1});
  doc.set_ents({{.start = 0, .end = 1, .label = id("MY_PERSON"), .kb_id = id("Q7259")}},
               EntsDefault::missing);
  doc.set_column(Attr::lemma, {id("ada"), id("to-write"), id("the"), id("1st"), id("prog")});
  doc.set_column(Attr::tag, {id("X1"), id("X2"), 0, id("X1"), id("X2")});
  doc.set_heads({1, 0, 2, 1, -3});
  doc.set_cats({{"real", 0.25}, {"whole", std::int64_t{3}}, {"yes", true}, {"no", false}});
  doc.set_span_group("sc", {"sc", std::string("\x80", 1), {{1, 4, id("LONG"), 0, id("own")}}});
  doc.set_span_group("empty", {"empty", "", {}});
  doc.set_user_data(std::string("\x81\xa1k\x01", 4));
  doc.set_strings(strings);
  return doc;
}

std::string bytes_of(const Doc& doc) {
  MessageWriter message;
  write_annotation(message, doc);
  return message.take();
}

template <class T>
std::vector<T> values(std::span<const T> span) {
  return {span.begin(), span.end()};
}

void expect_same(const Doc& doc, const Doc& other) {
  EXPECT_EQ(values(doc.sent_starts()), values(other.sent_starts()));
  EXPECT_EQ(values(doc.ent_iobs()), values(other.ent_iobs()));
  for (const Attr attr : kAnnotationColumns) {
    ASSERT_EQ(values(doc.column(attr)), values(other.column(attr)));
    for (const StringId id : doc.column(attr)) EXPECT_EQ(doc.string(id), other.string(id));
  }
  EXPECT_EQ(values(doc.heads()), values(other.heads()));
  EXPECT_EQ(doc.cats(), other.cats());
  ASSERT_EQ(doc.span_groups(), other.span_groups());
  for (const auto& [_, group] : doc.span_groups()) {
    for (const Span& span : group.spans) EXPECT_EQ(doc.string(span.id), other.string(span.id));
  }
  EXPECT_EQ(doc.user_data(), other.user_data());
}

TEST(AnnotationMessage, AllOfItComesOver) {
  // Two processes have a vocabulary each.
  const auto vocab = std::make_shared<Vocab>(), there = std::make_shared<Vocab>();
  const Doc doc = annotated(vocab);
  Doc other = words_of(there);
  const std::string bytes = bytes_of(doc);
  MessageReader message(bytes);
  read_annotation(message, other);
  EXPECT_TRUE(message.is_at_end());
  expect_same(doc, other);
}

TEST(AnnotationMessage, AnnotationThatWasThereIsReplaced) {
  const auto vocab = std::make_shared<Vocab>();
  Doc other = annotated(vocab);
  const std::string bytes = bytes_of(words_of(vocab));
  MessageReader message(bytes);
  read_annotation(message, other);
  EXPECT_FALSE(other.column(Attr::lemma).size() > 0 || !other.cats().empty());
  EXPECT_TRUE(other.heads().empty() && other.span_groups().empty() && other.user_data().empty());
}

TEST(AnnotationMessage, BytesThatAreCutShortOrOfAnotherLengthAreRefused) {
  const auto vocab = std::make_shared<Vocab>();
  const std::string bytes = bytes_of(annotated(vocab));
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    Doc other = words_of(vocab);
    MessageReader message(std::string_view(bytes).substr(0, length));
    EXPECT_THROW(read_annotation(message, other), PeerLost) << length;
  }
  Doc shorter = Doc::from_words(vocab, {"one", "word"});
  MessageReader message(bytes);
  EXPECT_THROW(read_annotation(message, shorter), Error);
}

}  // namespace
}  // namespace weft
