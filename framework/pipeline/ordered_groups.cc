#include "framework/pipeline/ordered_groups.h"

#include <utility>

#include "framework/pipeline/worker_pool.h"

namespace weft {
namespace {

std::size_t spans_of(std::span<Doc* const> docs) {
  std::size_t spans = 0;
  for (const Doc* doc : docs) {
    for (const auto& [key, group] : doc->span_groups()) spans += group.spans.size();
  }
  return spans;
}

}  // namespace

bool OrderedGroups::begin(std::size_t& group) {
  const std::scoped_lock lock(mutex_);
  if (failure_ || spans_ >= most_) return false;
  group = begun_++;
  return true;
}

void OrderedGroups::failed(std::size_t group, std::exception_ptr failure) {
  const std::scoped_lock lock(mutex_);
  if (failure_ && first_failed_ < group) return;
  first_failed_ = group;
  failure_ = std::move(failure);
}

void OrderedGroups::run_next(const std::function<void(std::span<Doc* const>)>& annotate) {
  std::size_t group = 0;
  if (!begin(group)) return;
  try {
    annotate(groups_[group]);
    const std::size_t spans = spans_of(groups_[group]);
    const std::scoped_lock lock(mutex_);
    spans_ += spans;
  } catch (...) {
    failed(group, std::current_exception());
  }
}

void OrderedGroups::run(WorkerPool& pool,
                        const std::function<void(std::span<Doc* const>)>& annotate) {
  pool.run(groups_.size(), [&](std::size_t) { run_next(annotate); });
  if (failure_) std::rethrow_exception(failure_);
}

std::size_t OrderedGroups::documents() const {
  std::size_t documents = 0;
  for (const auto& group : groups_.first(begun_)) documents += group.size();
  return documents;
}

}  // namespace weft
