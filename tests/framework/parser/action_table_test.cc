#include "framework/parser/action_table.h"

#include <string>

#include <gtest/gtest.h>

#include "registry/base/error.h"

namespace weft {
namespace {

std::string names(const ActionTable& table) {
  std::string text;
  for (int k = 0; k < table.size(); ++k) text += (k == 0 ? "" : " ") + table.name(k);
  return text;
}

TEST(ActionTable, StartsWithTheTwoClassesThatAreAlwaysThere) {
  EXPECT_EQ(names(ActionTable()), "U- O");
}

TEST(ActionTable, SortsByFrequencyAndPutsAppendedLabelsLast) {
  const char* json = R"({"1":{"A":2,"D":1,"B-x":-2,"C":-3},"2":{"A":2,"D":1,"B-x":-2,"C":-3},
      "3":{"A":2,"D":1,"B-x":-2,"C":-3},"4":{"A":2,"D":1,"B-x":-2,"C":-3,"":1},"5":{"":1}})";
  EXPECT_EQ(names(ActionTable::from_json(json, "moves")),
            "B-A B-D I-A I-D L-A L-D U-A U-D U- O "
            "B-B-x I-B-x L-B-x U-B-x B-C I-C L-C U-C");
}

TEST(ActionTable, BreaksTiesByNameDescending) {
  ActionTable table;
  for (const char* label : {"LOC", "PER", "PER", "ORG", "LOC"}) table.count(label);
  EXPECT_EQ(names(table).substr(0, 17), "B-PER B-LOC B-ORG");
  table.count("ORG");
  EXPECT_EQ(names(table).substr(0, 17), "B-PER B-ORG B-LOC");
}

TEST(ActionTable, EmptyUnitSortsAmongItsOwnMove) {
  ActionTable table;
  table.count("A");
  EXPECT_EQ(names(table), "B-A I-A L-A U-A U- O");
}

TEST(ActionTable, AppendsBehindWhatIsThereAndKeepsThatOrderInTheFile) {
  ActionTable table;
  table.count("A", 5);
  EXPECT_TRUE(table.append("X"));
  EXPECT_TRUE(table.append("B"));
  EXPECT_FALSE(table.append("A"));
  const std::string order = "B-A I-A L-A U-A U- O B-X I-X L-X U-X B-B I-B L-B U-B";
  EXPECT_EQ(names(table), order);
  EXPECT_EQ(names(ActionTable::from_bytes(table.to_bytes(), "moves")), order);
  EXPECT_THROW(ActionTable::from_bytes(table.to_bytes() + "x", "moves"), Error);
}

TEST(ActionTable, IgnoresMissingAndLabelledOut) {
  const char* json = R"({"0":{"":3,"A":1},"1":{},"4":{"":1},"5":{"":2,"A":9}})";
  EXPECT_EQ(names(ActionTable::from_json(json, "moves")), "U- O");
}

TEST(ActionTable, KeepsTheNegativeKey) {
  ActionTable table;
  EXPECT_FALSE(ActionTable::from_bytes(table.to_bytes(), "moves").negative_key().has_value());
  table.set_negative_key("wrong");
  EXPECT_EQ(ActionTable::from_bytes(table.to_bytes(), "moves").negative_key(), "wrong");
}

TEST(ActionTable, RefusesWhatIsNoTable) {
  for (const char* json :
       {"", "[]", "{\"7\":{}}", "{\"1\":[]}", "{\"1\":{\"A\":\"x\"}}", "{\"1\":{\"A\":1.5}}"}) {
    EXPECT_THROW(ActionTable::from_json(json, "ner/moves"), Error) << json;
  }
  for (const char* bytes :
       {"", "\xc0", "\x81\xa5moves\x01", "\xdd\xff\xff\xff\xff", "\x82\xa5mo"}) {
    EXPECT_THROW(ActionTable::from_bytes(bytes, "ner/moves"), Error) << bytes;
  }
}

TEST(ActionTable, ManyLabelsAreAddedAsOneByOne) {
  ActionTable together, single;
  together.count({{"A", 3}, {"B", 5}});
  single.count("A", 3);
  single.count("B", 5);
  const std::vector<std::string> labels = {"X", "A", "", "Y", "X"};
  EXPECT_EQ(together.append(labels), 2);
  for (const std::string& label : labels) single.append(label);
  EXPECT_EQ(names(together), names(single));
  EXPECT_EQ(together.to_json(), single.to_json());
}

TEST(ActionTable, RefusesFrequenciesThatNothingCanBeBelow) {
  EXPECT_THROW(ActionTable::from_json(R"({"1":{"A":-9223372036854775808}})", "moves"), Error);
  EXPECT_THROW(ActionTable::from_json(R"({"1":{"A":18446744073709551615}})", "moves"), Error);
}

}  // namespace
}  // namespace weft
