#include "framework/ops/op_profile.h"

#include <algorithm>
#include <atomic>

#include "framework/ops/work_record.h"

namespace weft {
namespace {

std::atomic<OpProfile*> current_profile = nullptr;

}  // namespace

void OpProfile::add(std::string_view layer, std::string_view op, Clock::duration time, double flops,
                    double bytes) {
  const WorkRecord::WatchScope watching;
  WorkRecord::add_op(layer, op, time);
  const std::lock_guard lock(mutex_);
  counted(layer, op, flops, bytes).seconds += std::chrono::duration<double>(time).count();
}

void OpProfile::add(std::string_view layer, std::string_view op, std::shared_ptr<Stream> stream,
                    Stream::Mark begin, Stream::Mark end, double flops, double bytes) {
  constexpr std::size_t kMostMarked = 4096;
  const std::lock_guard lock(mutex_);
  if (marked_.size() == kMostMarked) read_marks();
  OpShare& share = counted(layer, op, flops, bytes);
  marked_.push_back({&share, std::move(stream), std::move(begin), std::move(end)});
}

OpShare& OpProfile::counted(std::string_view layer, std::string_view op, double flops,
                            double bytes) {
  OpShare& share = shares_[{std::string(layer), std::string(op)}];
  ++share.calls;
  share.flops += flops;
  share.bytes += bytes;
  return share;
}

void OpProfile::read_marks() {
  for (const Marked& one : marked_) {
    one.share->seconds += one.stream->seconds_between(one.begin, one.end);
  }
  marked_.clear();
}

std::vector<OpShare> OpProfile::shares() {
  const std::lock_guard lock(mutex_);
  read_marks();
  std::vector<OpShare> all;
  for (const auto& [place, share] : shares_) {
    all.push_back(share);
    all.back().layer = place.first;
    all.back().op = place.second;
  }
  std::stable_sort(all.begin(), all.end(), [](const OpShare& left, const OpShare& right) {
    return left.seconds > right.seconds;
  });
  return all;
}

void OpProfile::forget() {
  const std::lock_guard lock(mutex_);
  read_marks();
  shares_.clear();
}

OpProfile* OpProfile::current() {
  return current_profile.load();
}

ProfileScope::ProfileScope(OpProfile& profile) {
  current_profile = &profile;
}

ProfileScope::~ProfileScope() {
  current_profile = nullptr;
}

}  // namespace weft
