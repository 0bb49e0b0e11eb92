#include "framework/io/pending_syncs.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

#include <unistd.h>

#include "framework/io/file_sink.h"
#include "framework/io/system_error.h"

namespace weft {
namespace {

constexpr std::size_t kMostOpen = 64;
constexpr std::size_t kThreads = 8;  // no faster with 16 or 32

// Calls work() on several threads, this one among them. Where the system gives no more threads, or
// no memory for them, those that there are do all.
template <typename Work>
void run_at_once(std::size_t threads, const Work& work) {
  std::array<std::jthread, kThreads - 1> others;
  try {
    for (std::size_t i = 0; i + 1 < threads; ++i) others[i] = std::jthread(work);
  } catch (const std::system_error&) {
  } catch (const std::bad_alloc&) {
  }
  work();
}

}  // namespace

void PendingSyncs::add_file(Descriptor file, std::filesystem::path shown_as) {
  add({std::move(file), std::move(shown_as)});
}

void PendingSyncs::add_folder(Descriptor folder, std::filesystem::path shown_as) {
  add({std::move(folder), std::move(shown_as), true});
}

void PendingSyncs::add(Entry entry) {
  if (entries_.size() == kMostOpen) flush();
  entries_.push_back(std::move(entry));
}

void PendingSyncs::flush() {
  std::vector<Entry> entries = std::exchange(entries_, {});
  std::atomic<std::size_t> next = 0;
  run_at_once(std::min(entries.size(), kThreads), [&] {
    for (std::size_t i; (i = next.fetch_add(1)) < entries.size();) {
      Entry& entry = entries[i];
      const int fd = entry.opened.get();
      entry.code = entry.is_folder ? sync_folder(fd) : ::fsync(fd) == 0 ? 0 : errno;
    }
  });
  for (const Entry& entry : entries) {
    if (entry.code != 0) fail_on_file("sync", entry.shown_as, entry.code);
  }
}

}  // namespace weft
