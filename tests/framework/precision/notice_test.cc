#include "framework/precision/notice.h"

#include <cmath>

#include <gtest/gtest.h>

namespace weft {
namespace {

TEST(Notice, ShowsItsCodeIfItHasOne) {
  EXPECT_EQ(notices::patch_ops_belongs_to_o1().str(), "precision: patch_ops belongs to O1 [P004]");
  const Notice plain{"", Severity::note, "precision: something", "key"};
  EXPECT_EQ(plain.str(), "precision: something");
}

TEST(Notice, ErrorsAreToldFromTheRest) {
  EXPECT_FALSE(has_errors(Notices()));
  EXPECT_FALSE(
      has_errors(Notices{notices::fp16_without_scaling(), notices::emulated_on_cpu("fp16")}));
  EXPECT_TRUE(has_errors(Notices{notices::fp16_without_scaling(), notices::unknown_level("O4")}));
}

TEST(Notice, BecomesAProblemOfItsSetting) {
  const Problems problems =
      problems_of({notices::no_meaning_at_o1("master_weights"),
                   notices::undeclared_op("x"),
                   {"", Severity::note, "precision: rules has no effect at O0", "rules"}},
                  "training.precision");
  ASSERT_EQ(problems.size(), 3U);
  EXPECT_EQ(problems[0].path, "training.precision.master_weights");
  EXPECT_EQ(problems[0].severity, Severity::error);
  EXPECT_EQ(problems[0].message,
            "precision: master_weights has no meaning at O1, where weights are f32 [P003]");
  EXPECT_EQ(problems[1].path, "training.precision");
  EXPECT_EQ(problems[1].severity, Severity::warning);
  EXPECT_EQ(problems[2].kind, ProblemKind::ignored);
}

// Which of them end a run, which are said in any case, and which are notes.
TEST(Notice, SeveritiesFollowTheList) {
  for (const Notice& error :
       {notices::late_op("x"), notices::stale_copy("x"), notices::beyond_saved_fp16("x"),
        notices::not_supported("a", "b", "c", "d", "e"), notices::ranks_disagree("1, 2")}) {
    EXPECT_EQ(error.severity, Severity::error) << error.code;
  }
  for (const Notice& warning :
       {notices::no_gradients(1), notices::missing_kernel("x", "fp16"),
        notices::read_scaled_gradients("x"), notices::diverged(3, "stopping")}) {
    EXPECT_EQ(warning.severity, Severity::warning) << warning.code;
  }
  for (const Notice& note : {notices::scale_grew(1, 2, 3), notices::padded("x", 1, 8),
                             notices::own_format("x", "bf16"), notices::emulated_on_cpu("fp16")}) {
    EXPECT_EQ(note.severity, Severity::note) << note.code;
  }
}

TEST(Notice, NumbersAreShownAsShortAsTheyAre) {
  EXPECT_EQ(notices::bad_loss(-INFINITY, 7, "x", "1, 2").text,
            "precision: loss is inf at step 7; first non-finite output: x; batch 1, 2");
  EXPECT_EQ(notices::scale_grew(0.5, 1, 2000).text,
            "precision: scale 0.5 -> 1 after 2000 applied steps");
  EXPECT_EQ(notices::below_fp16("eps", 1e-8).text,
            "precision: eps = 1e-08 is below the smallest fp16 value; applied in f32");
}

}  // namespace
}  // namespace weft
