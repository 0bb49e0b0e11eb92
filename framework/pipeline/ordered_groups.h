// Groups of documents that threads annotate, begun in their order.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

#include "framework/text/doc.h"
#include "registry/base/export.h"

namespace weft {

class WorkerPool;

// Spans of documents that are annotated at a time; each takes some 40 bytes.
inline constexpr std::size_t kMostSpansAtOnce = std::size_t{1} << 22;

// Groups behind one that failed are left out: a component may have taken seconds to give up, and
// the error that is told is that of the first group whatever the others do. Those behind groups
// with many spans may be left out too. As they are begun in their order, a group is annotated if
// and only if those before it are.
class WEFT_API OrderedGroups {
 public:
  using Groups = std::span<const std::span<Doc* const>>;

  // `most`: no group is begun once those that ended have so many spans.
  explicit OrderedGroups(Groups groups, std::size_t most) : groups_(groups), most_(most) {}

  // Calls `annotate` for groups, on the threads of `pool`. Throws what it threw for the first.
  void run(WorkerPool& pool, const std::function<void(std::span<Doc* const>)>& annotate);
  // How many documents are in the groups that were begun.
  std::size_t documents() const;

 private:
  void run_next(const std::function<void(std::span<Doc* const>)>& annotate);
  bool begin(std::size_t& group);
  void failed(std::size_t group, std::exception_ptr failure);

  Groups groups_;
  std::size_t most_;
  std::mutex mutex_;
  std::size_t begun_ = 0;
  std::size_t spans_ = 0;
  std::size_t first_failed_ = 0;
  std::exception_ptr failure_;
};

}  // namespace weft
