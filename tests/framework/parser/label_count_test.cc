#include "framework/parser/label_count.h"

#include <map>
#include <string>

#include <gtest/gtest.h>

#include "framework/parser/action_table.h"
#include "framework/parser/arc_table.h"
#include "framework/pipeline/label_limit.h"
#include "registry/base/error.h"
#include "registry/value/config.h"

namespace weft {
namespace {

template <class Action>
std::string refusal_of(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.message();
  }
  return "none";
}

// {"1": {"0": 1, "1": 1, ...}, "2": {the further half}}
std::string moves_of(std::int64_t labels) {
  std::string json = "{";
  for (int move = 1; move <= 2; ++move) {
    json += move == 1 ? "\"1\":{" : ",\"2\":{";
    const std::int64_t first = move == 1 ? 0 : labels / 2, end = move == 1 ? labels / 2 : labels;
    for (std::int64_t i = first; i < end; ++i) {
      json += (i == first ? "\"" : ",\"") + std::to_string(i) + "\":1";
    }
    json += "}";
  }
  return json + "}";
}

TEST(LabelCount, CountsEachLabelOfAllMovesOnce) {
  LabelCount count("moves");
  std::map<std::string, int> labels;
  for (std::int64_t i = 0; i < kMostClasses; ++i) labels[std::to_string(i)] = 0;
  for (int move = 0; move < 4; ++move) {
    for (const auto& [label, times] : labels) count.add(label);
    count.add("");
  }
  EXPECT_EQ(refusal_of([&] { count.add("one more"); }), "moves: more than 65536 labels");
}

TEST(LabelCount, BoundsTheTextOfAllLabels) {
  const std::string half(LabelCount::kMostBytes / 2, 'a');
  const std::string other(LabelCount::kMostBytes / 2, 'b');
  LabelCount count("moves");
  count.add(half);
  count.add(half);
  count.add(other);
  EXPECT_EQ(refusal_of([&] { count.add("c"); }),
            "moves: its labels have more than 8388608 bytes together");
}

TEST(LabelCount, LooksIntoListsAndTables) {
  List list;
  Object table, begin, last;
  for (std::int64_t i = 0; i <= kMostClasses; ++i) {
    list.emplace_back(std::to_string(i));
    (i % 2 == 0 ? begin : last).set(std::to_string(i), 1);
  }
  table.set("1", std::move(begin));
  table.set("3", std::move(last));
  for (const Node& labels : {Node(std::move(list)), Node(std::move(table))}) {
    EXPECT_EQ(refusal_of([&] { LabelCount("[x]").add_all(labels); }),
              "[x]: more than 65536 labels");
  }
  EXPECT_EQ(refusal_of([] { LabelCount("[x]").add_all(Node(5)); }), "none");
}

TEST(LabelCount, BoundsTheMovesThatAFileBrings) {
  EXPECT_EQ(refusal_of([] { ActionTable::from_json(moves_of(kMostClasses), "moves"); }), "none");
  const std::string more = moves_of(kMostClasses + 1);
  EXPECT_EQ(refusal_of([&] { ActionTable::from_json(more, "ner/moves"); }),
            "ner/moves: more than 65536 labels");
  EXPECT_EQ(refusal_of([&] { ArcTable::from_json(more, "parser/moves"); }),
            "parser/moves: more than 65536 labels");
}

TEST(LabelCount, BoundsTheLabelsOfTrees) {
  ArcCounts counts;
  DependencyTree tree;
  for (std::int64_t i = 0; i < kMostClasses; ++i) {
    tree.heads.push_back(static_cast<std::int32_t>(i));
    tree.labels.push_back("label" + std::to_string(i));
  }
  counts.add(tree);
  EXPECT_EQ(refusal_of([&] { counts.table(1, false); }),  // "ROOT" and "dep" come to them
            "the training data: more than 65536 labels");
  EXPECT_EQ(refusal_of([&] { counts.table(2, false); }), "none");
}

}  // namespace
}  // namespace weft
