#include "framework/pipeline/data_problem.h"

#include <set>

#include <gtest/gtest.h>

namespace weft {
namespace {

TEST(DataProblem, EveryFaultHasANameOfItsOwn) {
  std::set<std::string_view> names;
  const int last = static_cast<int>(DataFault::inconsistent_label);
  for (int fault = 0; fault <= last; ++fault) {
    EXPECT_TRUE(names.insert(name_of(static_cast<DataFault>(fault))).second) << fault;
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(last) + 1);
  EXPECT_EQ(name_of(DataFault::unreadable), "unreadable");
  EXPECT_EQ(name_of(DataFault::train_dev_overlap), "train_dev_overlap");
  EXPECT_EQ(name_of(DataFault::similar_labels), "similar_labels");
  EXPECT_EQ(name_of(DataFault::inconsistent_label), "inconsistent_label");
}

TEST(DataProblem, WhatMakesAnnotationUnusableIsAnError) {
  for (const DataFault fault : {DataFault::unreadable, DataFault::misaligned, DataFault::overlap,
                                DataFault::outside, DataFault::white_space}) {
    EXPECT_TRUE(is_error(fault)) << name_of(fault);
  }
  for (const DataFault fault :
       {DataFault::punctuation, DataFault::duplicate, DataFault::rare_label}) {
    EXPECT_FALSE(is_error(fault)) << name_of(fault);
  }
}

TEST(DataProblem, WhatIsNotKnownIsNull) {
  const Object bare = to_object({.fault = DataFault::rare_label, .corpus = "corpora.train"});
  EXPECT_EQ(bare.find("severity")->as_string(), "warning");
  for (const char* key : {"file", "line", "document", "start", "end", "label"}) {
    EXPECT_TRUE(bare.find(key)->is_null()) << key;
  }
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
