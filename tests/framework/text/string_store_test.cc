#include "framework/text/string_store.h"

#include <atomic>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/text/hash.h"

namespace weft {
namespace {

TEST(StringId, IsTheHashOrTheReservedNumber) {
  EXPECT_EQ(string_id(""), 0u);
  EXPECT_EQ(string_id("a"), 0xa52be5b3f6674b2aULL);
  EXPECT_EQ(string_id("the"), 0x670e66a635739a92ULL);
  EXPECT_EQ(string_id("coffee"), 0x2c6152fc1342ce91ULL);
  EXPECT_EQ(string_id("New York"), 0xeaafe00d6cb1cfa0ULL);
  EXPECT_EQ(string_id("über"), 0x14d9a737a69c060bULL);
  EXPECT_EQ(string_id("internationalization"), 0xbb1ae845ad3ae0e2ULL);
  EXPECT_EQ(string_id("X"), 101u);
  EXPECT_EQ(string_id("ORG"), 383u);
  EXPECT_EQ(string_id("_"), 456u);
}

TEST(Symbols, NamesAndNumbersAgree) {
  for (StringId id = 0; id <= kSymbolCount; ++id) EXPECT_EQ(string_id(*symbol_name(id)), id);
  EXPECT_FALSE(symbol_name(kSymbolCount + 1));
  EXPECT_EQ(*symbol_name(19), "FLAG19");
  EXPECT_EQ(*symbol_name(104), "DEPRECATED001");
}

TEST(StringStore, KnowsTheNamesOfAttributes) {
  EXPECT_EQ(attr_of("NORM"), Attr::norm);
  EXPECT_EQ(attr_of("ent_kb_id"), Attr::ent_kb_id);
  EXPECT_EQ(attr_of("LIKE_NUM"), Attr::like_num);
  EXPECT_FALSE(attr_of("NOUN"));
  EXPECT_FALSE(attr_of("coffee"));
}

TEST(StringTable, KeepsTexts) {
  StringTable table;
  const StringId id = table.add("Berlin");
  EXPECT_EQ(table.add("Berlin"), id);
  EXPECT_EQ(table.add("ORG"), 383u);
  EXPECT_EQ(table.size(), 1u) << "reserved names take no room";
  EXPECT_EQ(*table.find(id), "Berlin");
  EXPECT_EQ(*table.find(383), "ORG");
  EXPECT_FALSE(table.find(12345678));
  table.add("Aachen");
  EXPECT_THAT(table.sorted(), ::testing::ElementsAre("Aachen", "Berlin"));
}

TEST(StringTable, BytesBehindATextCanBeRead) {
  StringTable table;
  for (int i = 0; i < 2000; ++i) {
    const std::string text(1 + i % 70, static_cast<char>('a' + i % 26));
    const std::string_view kept = *table.find(table.add(text + std::to_string(i)));
    const std::string with_more(kept.data(), kept.size() + StringTable::kSlack);
    EXPECT_EQ(with_more.substr(0, text.size()), text);
  }
}

TEST(StringStore, AddsManyAtOnce) {
  StringStore store;
  store.add("known");
  store.add_all(std::vector<std::string>{"Berlin", "known", "", "ORG", "Aachen", "Berlin"});
  EXPECT_THAT(store.sorted(), ::testing::ElementsAre("Aachen", "Berlin", "known"));
  store.add_all({});
  EXPECT_EQ(store.size(), 3u);
}

TEST(StringStore, ReadsLateTextsWhenTheyAreAskedFor) {
  StringStore store;
  int reads = 0;
  store.add_later([&] {
    ++reads;
    return std::vector<std::string>{"Berlin", "known", "", "ORG"};
  });
  const StringId known = store.add("known");
  EXPECT_EQ(*store.find(known), "known");
  EXPECT_EQ(*store.find(383), "ORG");
  EXPECT_EQ(reads, 0);
  EXPECT_EQ(*store.find(string_id("Berlin")), "Berlin");
  EXPECT_EQ(reads, 1);
  EXPECT_FALSE(store.find(string_id("Aachen")));
  EXPECT_EQ(store.size(), 2u);
  EXPECT_EQ(reads, 1);
}

TEST(StringStore, LateTextsAreAmongAll) {
  StringStore store;
  store.add("b");
  store.add_later([] { return std::vector<std::string>{"c", "b"}; });
  store.add_later([] { return std::vector<std::string>{"a"}; });
  EXPECT_THAT(store.sorted(), ::testing::ElementsAre("a", "b", "c"));
  StringStore other;
  other.add_later([] { return std::vector<std::string>{"a", "b", "a"}; });
  EXPECT_EQ(other.size(), 2u);
}

TEST(StringStore, LateTextsAreKeptWhereReadingThemFails) {
  StringStore store;
  bool fails = true;
  store.add_later([&] {
    if (fails) throw std::bad_alloc();
    return std::vector<std::string>{"a"};
  });
  EXPECT_THROW(store.size(), std::bad_alloc);
  fails = false;
  EXPECT_EQ(store.size(), 1u);
}

TEST(StringStore, SeveralThreadsAskForLateTexts) {
  StringStore store;
  std::atomic<int> reads = 0;
  store.add_later([&] {
    ++reads;
    return std::vector<std::string>{"a", "b"};
  });
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] { EXPECT_EQ(*store.find(string_id("b")), "b"); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(reads, 1);
}

TEST(StringStore, SeveralThreadsAdd) {
  StringStore store;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (int i = 0; i < 1000; ++i) {
        const std::string text = "label" + std::to_string(i);
        ASSERT_EQ(*store.find(store.add(text)), text);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(store.size(), 1000u);
}

}  // namespace
}  // namespace weft
