// A number that changes while training goes on: a pure function of the step, counted from 0. Where
// a config asks for a schedule, a number stands for a constant one and a list for its values in
// turn. Named by `@schedules`.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "registry/functions/field_traits.h"

namespace weft {

class WEFT_API Schedule {
 public:
  using Function = std::function<double(std::int64_t step)>;
  // The largest number of steps that a setting may name: a double still holds it exactly.
  static constexpr std::int64_t kMostSteps = std::int64_t{1} << 53;

  Schedule(double rate = 0.0) : constant_(rate) {}
  explicit Schedule(Function function) : function_(std::move(function)) {}
  // The values in turn; the last one goes on for ever. Never empty.
  explicit Schedule(std::vector<double> values);

  double operator()(std::int64_t step) const { return function_ ? function_(step) : constant_; }
  bool is_constant() const { return !function_; }
  // Whether it was made of values. A batcher begins them anew in each pass.
  bool is_list() const { return is_list_; }

 private:
  Function function_;
  double constant_ = 0.0;
  bool is_list_ = false;
};

template <>
struct ProductTraits<Schedule> {
  static constexpr std::string_view kind = "schedules", name = "schedule";
};

template <>
struct WEFT_API FieldConversion<Schedule> {
  static Type accepts();
  static Schedule from_node(const Node& data);
  static Node to_node(const Schedule& schedule);
};

}  // namespace weft
