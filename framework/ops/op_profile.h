// Where time goes: what every op took, in which layer, and how much work that was.
//
//   OpProfile profile;
//   { const ProfileScope scope(profile); nlp.annotate(docs); }
//   for (const OpShare& share : profile.shares()) ...
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/tensor/stream.h"
#include "framework/tensor/view.h"
#include "registry/base/export.h"

namespace weft {

// Time, operations and bytes of one op in one layer.
struct OpShare {
  std::string layer;  // path; "" outside of layers
  std::string op;
  std::int64_t calls = 0;
  double seconds = 0.0;
  double flops = 0.0;  // of GEMMs; 0 for other ops
  double bytes = 0.0;  // of all arrays an op is given: read or written, were nothing in a cache
};

// May be told by several threads at once.
class WEFT_API OpProfile {
 public:
  using Clock = std::chrono::steady_clock;
  // The name of the casts around ops; their time is not part of the ops'.
  static constexpr std::string_view casts = "cast";

  void add(std::string_view layer, std::string_view op, Clock::duration time, double flops,
           double bytes);
  // Of an op that a device runs between two marks of a stream. The time is asked for later, so that
  // the host goes on.
  void add(std::string_view layer, std::string_view op, std::shared_ptr<Stream> stream,
           Stream::Mark begin, Stream::Mark end, double flops, double bytes);
  // The longest first. Waits for the ops of devices.
  std::vector<OpShare> shares();
  // As if nothing had been told.
  void forget();

  // The one that contexts made now report to; null: none does.
  static OpProfile* current();

 private:
  friend class ProfileScope;
  struct Marked {
    OpShare* share;
    std::shared_ptr<Stream> stream;  // outlives its marks
    Stream::Mark begin, end;
  };
  OpShare& counted(std::string_view layer, std::string_view op, double flops, double bytes);
  void read_marks();

  std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, OpShare> shares_;
  std::vector<Marked> marked_;  // whose times are not known yet
};

// Contexts that are made while it lives report to `profile`, which outlives them. One at a time in
// a process: contexts are made deep inside of pipelines, out of reach of the caller.
class WEFT_API ProfileScope {
 public:
  explicit ProfileScope(OpProfile& profile);
  ~ProfileScope();
  ProfileScope(const ProfileScope&) = delete;
  ProfileScope& operator=(const ProfileScope&) = delete;
};

template <class T>
double bytes_of(const T& argument) {
  if constexpr (std::is_convertible_v<const T&, ConstView>) {
    const ConstView view = argument;
    return static_cast<double>(view.size()) * static_cast<double>(size_of(view.dtype));
  } else {
    return 0.0;
  }
}

// The floating-point operations of an op that says how many it needs, else 0.
template <class Op, class... A>
double flops_of(const A&... arguments) {
  if constexpr (requires { Op::flops(arguments...); }) {
    return Op::flops(arguments...);
  } else {
    return 0.0;
  }
}

}  // namespace weft
