// The order of the rooms: tools > components > framework > registry, and of the folders inside of
// registry and framework. A file includes what comes before its own folder, never what comes after.
// The lists below are the only place where the order is written down.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace {

namespace fs = std::filesystem;

const std::map<std::string, std::set<std::string>> allowed = {
    {"registry", {"registry"}},
    {"framework", {"framework", "registry"}},
    {"components", {"components", "framework", "registry"}},
    {"tools", {"tools", "components", "framework", "registry"}},
};

// Folders of a room, each after all that it may include. Folders on one line stand side by side.
using Order = std::vector<std::set<std::string>>;
const std::map<std::string, Order> folders = {
    {"registry",
     {{"base"},
      {"value"},
      {"variables"},
      {"overrides"},
      {"reading"},
      {"functions"},
      {"checking"},
      {"filling"},
      {"building"},
      {"plugins", "writing"}}},
    {"framework",
     {{"unicode"},
      {"tensor"},
      {"io"},
      {"regex"},
      {"text"},
      {"precision"},
      {"ops"},
      {"backends"},
      {"nn"},
      {"pipeline"},
      {"parser", "training"}}},
};

struct Include {
  std::string from;  // path from the root of the project
  std::string to;    // as written between the quotes
  int line;
};

std::vector<Include> includes_of(const fs::path& root, const fs::path& file) {
  static const std::regex pattern(R"re(^\s*#\s*include\s*"([^"]+)")re");
  std::vector<Include> found;
  std::ifstream in(file);
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    std::smatch match;
    if (std::regex_search(line, match, pattern)) {
      found.push_back({fs::relative(file, root).string(), match[1], number});
    }
  }
  return found;
}

std::vector<Include> all_includes() {
  const fs::path root = WEFT_SOURCE_DIR;
  std::vector<Include> found;
  for (const auto& [room, _] : allowed) {
    for (const auto& entry : fs::recursive_directory_iterator(root / room)) {
      const std::string ending = entry.path().extension().string();
      if (ending != ".h" && ending != ".cc" && ending != ".cu" && ending != ".cuh") continue;
      for (Include& include : includes_of(root, entry.path())) found.push_back(std::move(include));
    }
  }
  return found;
}

std::string room_of(const std::string& path) {
  return path.substr(0, path.find('/'));
}

TEST(IncludeOrder, NoRoomReachesUpwards) {
  const std::vector<Include> includes = all_includes();
  ASSERT_GT(includes.size(), 20U) << "the scan found nothing: is WEFT_SOURCE_DIR right?";
  for (const Include& include : includes) {
    EXPECT_TRUE(allowed.at(room_of(include.from)).count(room_of(include.to)))
        << include.from << ":" << include.line << " includes \"" << include.to << "\"";
  }
}

// The place of a file's folder in the order of its room; none for files that lie in no folder.
std::optional<std::size_t> place_in(const Order& order, const std::string& path) {
  const std::size_t begin = path.find('/') + 1;
  const std::string folder = path.substr(begin, path.find('/', begin) - begin);
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (order[i].contains(folder)) return i;
  }
  return std::nullopt;
}

std::string folder_of(const std::string& path) {
  return path.substr(0, path.find('/', path.find('/') + 1));
}

TEST(IncludeOrder, NoFolderReachesUpwards) {
  std::size_t looked_at = 0;
  for (const Include& include : all_includes()) {
    const auto order = folders.find(room_of(include.from));
    if (order == folders.end() || room_of(include.to) != order->first) continue;
    const auto from = place_in(order->second, include.from),
               to = place_in(order->second, include.to);
    ASSERT_TRUE(from.has_value()) << include.from << " lies in a folder that has no place";
    ASSERT_TRUE(to.has_value()) << include.to << " lies in a folder that has no place";
    ++looked_at;
    if (folder_of(include.from) == folder_of(include.to)) continue;
    EXPECT_LT(*to, *from) << include.from << ":" << include.line << " includes \"" << include.to
                          << "\"";
  }
  EXPECT_GT(looked_at, 100U);
}

// A backend is chosen when its kernels register: who uses ops names none. Benchmarks measure one.
TEST(IncludeOrder, NobodyNamesABackend) {
  for (const Include& include : all_includes()) {
    if (include.to.rfind("framework/backends/", 0) != 0) continue;
    const bool is_own = include.from.rfind("framework/backends/", 0) == 0;
    EXPECT_TRUE(is_own || include.from.rfind("tools/bench/", 0) == 0)
        << include.from << ":" << include.line << " includes \"" << include.to << "\"";
  }
}

// A layer computes with ops wherever it runs.
TEST(IncludeOrder, NoLayerAsksForADevice) {
  const fs::path root = WEFT_SOURCE_DIR;
  std::size_t looked_at = 0;
  for (const auto& entry : fs::directory_iterator(root / "components/layers")) {
    std::ifstream in(entry.path());
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    ++looked_at;
    for (const char* question : {"on_cpu()", "DeviceKind", ".device()"}) {
      EXPECT_EQ(text.find(question), std::string::npos) << entry.path() << ": " << question;
    }
  }
  EXPECT_GT(looked_at, 20U);
}

// Depth-first search for a header that reaches itself; `path` holds the headers being visited.
bool has_cycle(const std::string& file,
               const std::map<std::string, std::vector<std::string>>& edges,
               std::set<std::string>& done, std::vector<std::string>& path) {
  if (std::find(path.begin(), path.end(), file) != path.end()) {
    path.push_back(file);
    return true;
  }
  if (done.count(file)) return false;
  path.push_back(file);
  const auto found = edges.find(file);
  if (found != edges.end()) {
    for (const std::string& next : found->second) {
      if (has_cycle(next, edges, done, path)) return true;
    }
  }
  path.pop_back();
  done.insert(file);
  return false;
}

TEST(IncludeOrder, NoHeaderReachesItself) {
  std::map<std::string, std::vector<std::string>> edges;
  for (const Include& include : all_includes()) edges[include.from].push_back(include.to);
  std::set<std::string> done;
  for (const auto& [file, _] : edges) {
    std::vector<std::string> path;
    const bool cycle = has_cycle(file, edges, done, path);
    std::string shown;
    for (const std::string& step : path) shown += step + " ";
    EXPECT_FALSE(cycle) << shown;
    if (cycle) return;
  }
}

// Folders by the path that they have, those inside of others too.
TEST(IncludeOrder, NoFolderReachesItself) {
  std::map<std::string, std::vector<std::string>> edges;
  for (const Include& include : all_includes()) {
    const std::string from = fs::path(include.from).parent_path().string();
    const std::string to = fs::path(include.to).parent_path().string();
    if (from != to) edges[from].push_back(to);
  }
  std::set<std::string> done;
  for (const auto& [folder, _] : edges) {
    std::vector<std::string> path;
    std::string route;
    const bool cycle = has_cycle(folder, edges, done, path);
    for (const std::string& step : path) route += step + " ";
    ASSERT_FALSE(cycle) << route;
  }
}

}  // namespace
