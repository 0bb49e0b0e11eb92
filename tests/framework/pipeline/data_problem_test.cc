#include "framework/pipeline/data_problem.h"

#include <array>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace weft {
namespace {

constexpr std::array kFaults = {DataFault::unreadable,      DataFault::misaligned,
                                DataFault::overlap,         DataFault::outside,
                                DataFault::white_space,     DataFault::punctuation,
                                DataFault::too_long,        DataFault::crosses_sentence,
                                DataFault::empty_document,  DataFault::not_annotated,
                                DataFault::duplicate,       DataFault::control_characters,
                                DataFault::conflict,        DataFault::train_dev_overlap,
                                DataFault::rare_label,      DataFault::similar_labels,
                                DataFault::one_sided_label, DataFault::inconsistent_label,
                                DataFault::contradiction,   DataFault::cycle,
                                DataFault::out_of_reach,    DataFault::crossing_arcs,
                                DataFault::bad_pattern,     DataFault::dead_pattern,
                                DataFault::too_few_labels,  DataFault::no_example,
                                DataFault::no_set_up,       DataFault::void_condition};

TEST(DataProblem, EveryFaultHasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (const DataFault& fault : kFaults) EXPECT_TRUE(names.insert(fault.name).second) << fault.name;
}

TEST(DataProblem, ErrorsComeBeforeWarnings) {
  std::set<DataFault> sorted(kFaults.begin(), kFaults.end());
  sorted.insert({"a_fault_of_a_plugin"});
  std::vector<std::string_view> names;
  for (const DataFault& fault : sorted) names.push_back(fault.name);
  ASSERT_EQ(names.size(), kFaults.size() + 1);
  EXPECT_EQ(names.front(), "bad_pattern");
  EXPECT_EQ(names[10], "white_space");
  EXPECT_EQ(names[11], "a_fault_of_a_plugin");
  EXPECT_EQ(names.back(), "void_condition");
}

TEST(DataProblem, WhatMakesAnnotationUnusableIsAnError) {
  for (const DataFault fault : {DataFault::unreadable, DataFault::misaligned, DataFault::overlap,
                                DataFault::outside, DataFault::white_space}) {
    EXPECT_TRUE(fault.is_error) << fault.name;
  }
  for (const DataFault fault :
       {DataFault::punctuation, DataFault::duplicate, DataFault::rare_label}) {
    EXPECT_FALSE(fault.is_error) << fault.name;
  }
}

TEST(DataProblem, WhatIsNotKnownIsNull) {
  const Object bare = to_object({.fault = DataFault::rare_label, .corpus = "corpora.train"});
  EXPECT_EQ(bare.find("severity")->as_string(), "warning");
  for (const char* key : {"file", "line", "document", "start", "end", "label"}) {
    EXPECT_TRUE(bare.find(key)->is_null()) << key;
  }
  EXPECT_EQ(to_object({.fault = {"two_roots", true}, .corpus = "corpora.dev"})
                .find("severity")
                ->as_string(),
            "error");
  const Object whole = to_object({.fault = DataFault::overlap,
                                  .corpus = "corpora.dev",
                                  .file = "dev.jsonl",
                                  .line = 3,
                                  .document = 3,
                                  .start = 0,
                                  .end = 5,
                                  .label = "ORG",
                                  .text = "Apple"});
  EXPECT_EQ(whole.find("kind")->as_string(), "overlap");
  EXPECT_EQ(whole.find("severity")->as_string(), "error");
  EXPECT_EQ(whole.find("line")->as_integer(), 3);
  EXPECT_EQ(whole.find("start")->as_integer(), 0);  // a span may begin at the first character
  EXPECT_EQ(whole.find("label")->as_string(), "ORG");
}

}  // namespace
}  // namespace weft
