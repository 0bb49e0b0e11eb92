#include "framework/training/rank_identity.h"

#include <utility>

#include <fmt/format.h>

#include "framework/ops/gemm_description.h"
#include "framework/training/data_facts.h"
#include "framework/training/manifest.h"
#include "framework/training/setting_differences.h"
#include "registry/plugins/plugin.h"
#include "registry/value/json.h"

namespace weft {
namespace {

// "training.dropout is 0.2 there and 0.1 on rank 0"; "" where nothing differs.
// The first setting that differs is enough: one sentence names it. Paths of data may differ between
// machines; the data itself is compared by its hash.
std::string config_difference(const Node& root, const Node& other) {
  for (const SettingDifference& difference : setting_differences("", &root, &other)) {
    const std::string& path = difference.path;
    if (is_path_of_corpus(path) || path.starts_with("paths.")) continue;
    return fmt::format("{} is {} there and {} on rank 0", path, difference.after_text(),
                       difference.before_text());
  }
  return "";
}

std::string data_difference(const Object& root, const Object& other) {
  try {
    check_same_data(root, other);
  } catch (const Error& error) {
    return "its data is not that of rank 0: " + error.message();
  }
  return "";
}

std::string told(const char* what, const std::string& root, const std::string& other) {
  if (root == other) return "";
  const auto shown = [](const std::string& text) { return text.empty() ? "none" : text; };
  return fmt::format("its {} differs: {} there and {} on rank 0", what, shown(other), shown(root));
}

constexpr const char* kFailed = "failed";

std::string text_of(const RankIdentity& identity) {
  Object object;
  object.set("host", host_name());
  object.set("config", identity.config);
  object.set("data", identity.data);
  object.set("version", identity.version);
  object.set("processor", identity.processor);
  object.set("plugins", identity.plugins);
  object.set("checkpoint", identity.checkpoint);
  return to_json(Node(std::move(object)));
}

std::string text_of(const Error& error) {
  Object object;
  object.set("host", host_name());
  object.set(kFailed, std::string(error.what()));
  object.set("kind", static_cast<std::int64_t>(error.kind()));
  return to_json(Node(std::move(object)));
}

std::string string_in(const Object& object, const char* key) {
  const Node* node = object.find(key);
  return node != nullptr && node->is_string() ? node->as_string() : std::string();
}

RankIdentity identity_in(const Object& object) {
  RankIdentity identity;
  if (const Node* config = object.find("config")) identity.config = *config;
  const Node* data = object.find("data");
  if (data != nullptr && data->is_object()) identity.data = data->as_object();
  identity.version = string_in(object, "version");
  identity.processor = string_in(object, "processor");
  identity.plugins = string_in(object, "plugins");
  identity.checkpoint = string_in(object, "checkpoint");
  return identity;
}

std::vector<Object> objects_of_all(Communicator& comm, const std::string& mine) {
  std::vector<Object> objects;
  for (const std::string& text : all_gather_texts(comm, mine)) {
    auto node = parse_json(text);
    if (!node || !node->is_object()) throw PeerLost("a rank does not say who it is");
    objects.push_back(std::move(node->as_object()));
  }
  return objects;
}

[[noreturn]] void fail(const Communicator& comm, const Error& error) {
  if (comm.is_root()) throw Error(error);
  throw AgreedFailure(error);
}

ErrorKind kind_in(const Object& object) {
  const Node* kind = object.find("kind");
  const auto* number = kind == nullptr ? nullptr : std::get_if<std::int64_t>(&kind->value());
  const bool is_known = number != nullptr && *number >= 0 &&
                        *number <= static_cast<std::int64_t>(ErrorKind::internal);
  return is_known ? static_cast<ErrorKind>(*number) : ErrorKind::internal;
}

// Of the lowest rank that failed; none: nothing.
void throw_failure(const Communicator& comm, const std::vector<Object>& all) {
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    if (all[rank].find(kFailed) == nullptr) continue;
    fail(comm, Error(kind_in(all[rank]),
                     fmt::format("rank {} ({}): {}", rank, string_in(all[rank], "host"),
                                 string_in(all[rank], kFailed))));
  }
}

}  // namespace

std::string difference_of(const RankIdentity& root, const RankIdentity& other,
                          bool allow_mixed_hardware) {
  // From the coarsest to the finest: another version or config explains later differences as well.
  std::string found = told("version of weft", root.version, other.version);
  if (found.empty()) {
    found = config_difference(root.config, other.config);
    if (!found.empty()) found = "its config differs: " + found;
  }
  if (found.empty()) found = data_difference(root.data, other.data);
  if (found.empty()) found = told("list of plugins", root.plugins, other.plugins);
  if (found.empty()) found = told("checkpoint", root.checkpoint, other.checkpoint);
  if (found.empty() && !allow_mixed_hardware) {
    found = told("processor", root.processor, other.processor);
    if (!found.empty()) {
      found +=
          "; --allow-mixed-hardware trains all the same and gives up that any number of ranks "
          "gives the same bytes";
    }
  }
  return found;
}

std::string version_of_build() {
  return std::string(abi_tag());
}

std::string processor_of_rank() {
  return fmt::format("{}, {}", string_in(machine_facts(), "processor"), gemm_description());
}

// Each rank computes the verdict from the same texts, so all of them end, and with the same reason.
void meet(Communicator& comm, const RankIdentity& mine, bool allow_mixed_hardware) {
  const std::vector<Object> all = objects_of_all(comm, text_of(mine));
  throw_failure(comm, all);
  const RankIdentity root = identity_in(all.front());
  for (std::size_t rank = 1; rank < all.size(); ++rank) {
    const std::string found = difference_of(root, identity_in(all[rank]), allow_mixed_hardware);
    if (found.empty()) continue;
    fail(comm, Error(ErrorKind::config, fmt::format("rank {} ({}) cannot take part in the run: {}",
                                                    rank, string_in(all[rank], "host"), found)));
  }
}

void meet_after_failure(Communicator& comm, const Error& error) {
  const std::vector<Object> all = objects_of_all(comm, text_of(error));
  if (comm.is_root()) throw Error(error);
  throw_failure(comm, all);
  throw AgreedFailure(error);
}

}  // namespace weft
