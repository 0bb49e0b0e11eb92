// Rows that wait to be changed, for tests of those who read tables.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/nn/deferred_rows.h"
#include "framework/nn/parameter.h"

namespace weft::testing {

// Becomes `made` where it is asked for.
class WaitingRows final : public DeferredRows {
 public:
  WaitingRows(Parameter& of, Tensor made) : table_(of), made_(std::move(made)) {}
  void change(std::span<const std::int32_t> rows, const TaskRunner*) override {
    const std::int64_t width = made_.dim(1);
    for (const std::int32_t row : rows) {
      std::copy_n(made_.view().row<float>(row), width, table_.value.view().row<float>(row));
    }
    asked.insert(asked.end(), rows.begin(), rows.end());
  }
  void change_all() override { table_.value.copy_from(made_); }

  std::vector<std::int32_t> asked;

 private:
  Parameter& table_;
  Tensor made_;
};

}  // namespace weft::testing
