#include "framework/text/doc_shards.h"

#include <utility>

#include <fmt/format.h>

#include "registry/base/error.h"

namespace weft {
namespace fs = std::filesystem;
namespace {

fs::path checked(fs::path folder) {
  std::error_code unknown;
  const bool is_free = !fs::exists(fs::symlink_status(folder, unknown)) ||
                       (fs::is_directory(folder, unknown) && fs::is_empty(folder, unknown));
  if (is_free) return folder;
  throw Error(
      ErrorKind::usage,
      fmt::format("{} is there already; several files go into a new folder, or an empty one",
                  folder.string()));
}

}  // namespace

DocShards::DocShards(fs::path folder, std::int64_t most_docs)
    : folder_(checked(std::move(folder))), most_docs_(most_docs) {}

void DocShards::add(const Doc& doc) {
  const bool is_full = static_cast<std::int64_t>(writer_.size()) == most_docs_;
  if (writer_.size() > 0 && (is_full || !writer_.fits(doc))) write_shard();
  writer_.add(doc);
}

void DocShards::write_shard() {
  writer_.write((folder_.path() / fmt::format("part-{:05}.spacy", ++files_)).string());
}

void DocShards::finish() {
  if (writer_.size() > 0) write_shard();
  folder_.commit();
}

}  // namespace weft
