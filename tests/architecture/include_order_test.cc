// The order of the modules: tools > components > framework > registry, and of the folders inside of
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

#include "tests/folders.h"

namespace {

namespace fs = std::filesystem;

const std::map<std::string, std::set<std::string>> allowed = {
    {"registry", {"registry"}},
    {"framework", {"framework", "registry"}},
    {"components", {"components", "framework", "registry"}},
    {"tools", {"tools", "components", "framework", "registry"}},
};

// Folders of a module, each after all that it may include. Folders on one line stand side by side.
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
      {"comm"},
      {"regex"},
      {"text"},
      {"lemmas", "matching", "precision", "render"},
      {"ops"},
      {"backends"},
      {"nn"},
      {"pipeline"},
      {"parser", "tagging", "training"}}},
};

struct Include {
  std::string from;  // path from the root of the project
  std::string to;    // as written between the quotes
  int line;
};

const std::regex own_headers(R"re(^\s*#\s*include\s*"([^"]+)")re");
const std::regex others_headers(R"re(^\s*#\s*include\s*<([^>]+)>)re");

std::vector<Include> includes_of(const fs::path& root, const fs::path& file,
                                 const std::regex& pattern) {
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

std::vector<fs::path> all_sources() {
  std::vector<fs::path> found;
  for (const auto& [module, _] : allowed) {
    for (const auto& entry :
         fs::recursive_directory_iterator(fs::path(weft::source_path()) / module)) {
      const std::string ending = entry.path().extension().string();
      if (ending != ".h" && ending != ".cc" && ending != ".cu" && ending != ".cuh") continue;
      found.push_back(entry.path());
    }
  }
  return found;
}

std::vector<Include> all_includes(const std::regex& pattern = own_headers) {
  std::vector<Include> found;
  for (const fs::path& file : all_sources()) {
    for (Include& include : includes_of(weft::source_path(), file, pattern)) {
      found.push_back(std::move(include));
    }
  }
  return found;
}

std::string room_of(const std::string& path) {
  return path.substr(0, path.find('/'));
}

TEST(IncludeOrder, NoModuleReachesUpwards) {
  const std::vector<Include> includes = all_includes();
  ASSERT_GT(includes.size(), 20U) << "the scan found nothing: is weft::source_path() right?";
  for (const Include& include : includes) {
    EXPECT_TRUE(allowed.at(room_of(include.from)).count(room_of(include.to)))
        << include.from << ":" << include.line << " includes \"" << include.to << "\"";
  }
}

// The place of a file's folder in the order of its module; none for files that lie in no folder.
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

// A backend is chosen when its kernels register: code that uses ops names none. Benchmarks measure
// one.
TEST(IncludeOrder, NobodyNamesABackend) {
  for (const Include& include : all_includes()) {
    if (include.to.rfind("framework/backends/", 0) != 0) continue;
    const bool is_own = include.from.rfind("framework/backends/", 0) == 0;
    EXPECT_TRUE(is_own || include.from.rfind("tools/bench/", 0) == 0)
        << include.from << ":" << include.line << " includes \"" << include.to << "\"";
  }
}

// No file below the folder has one of these texts; gives how many files there are.
std::size_t expect_free_of(const fs::path& folder, const std::vector<std::string>& texts) {
  std::size_t looked_at = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream in(entry.path());
    const std::string content{std::istreambuf_iterator<char>(in), {}};
    ++looked_at;
    for (const std::string& text : texts) {
      EXPECT_EQ(content.find(text), std::string::npos) << entry.path() << ": " << text;
    }
  }
  return looked_at;
}

// A layer computes with ops wherever it runs.
TEST(IncludeOrder, NoLayerAsksForADevice) {
  const fs::path root = weft::source_path();
  EXPECT_GT(expect_free_of(root / "components/layers", {"on_cpu()", "DeviceKind", ".device()"}),
            20U);
}

// Code that uses ops asks whether an op has a kernel, and for the properties of the pass's memory,
// not for the device that it runs on.
TEST(IncludeOrder, NobodyAboveTheOpsAsksForTheCpu) {
  const fs::path root = weft::source_path();
  for (const char* folder :
       {"framework/nn", "framework/pipeline", "framework/parser", "framework/tagging",
        "framework/training", "components", "tools", "examples", "python/src"}) {
    EXPECT_GT(expect_free_of(root / folder, {"on_cpu()"}), 0U) << folder;
  }
}

// But for code that moves arrays between host and device, that computes on the host alone, or that
// has a size for either.
TEST(IncludeOrder, FewFilesNameAKindOfDevice) {
  const std::set<std::string> wanted{"framework/nn/gradients.cc",
                                     "framework/nn/tree_sum.h",
                                     "framework/nn/wide_sum.h",
                                     "framework/pipeline/prediction_groups.h",
                                     "framework/training/device_check.cc",
                                     "framework/training/language_training.cc",
                                     "framework/training/optimizer.cc",
                                     "framework/training/deferred_table.cc"};
  const fs::path root = weft::source_path();
  std::set<std::string> found;
  for (const char* folder :
       {"framework/nn", "framework/pipeline", "framework/parser", "framework/tagging",
        "framework/training", "components", "examples", "python/src"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (!entry.is_regular_file()) continue;
      std::ifstream in(entry.path());
      const std::string content{std::istreambuf_iterator<char>(in), {}};
      if (content.find("DeviceKind::") != content.npos ||
          content.find("is_cpu()") != content.npos) {
        found.insert(fs::relative(entry.path(), root).generic_string());
      }
    }
  }
  EXPECT_EQ(found, wanted);
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

// A compiler that is given one more include path would read a header of this project in place of
// the system's, and tools that follow includes by the end of a path see an edge between folders
// that is not there.
TEST(IncludeOrder, NoHeaderHasTheNameOfOneThatIsNotOurs) {
  std::vector<std::string> ours;
  for (const fs::path& file : all_sources()) ours.push_back(file.string());
  std::set<std::string> theirs;
  for (const Include& include : all_includes(others_headers)) theirs.insert(include.to);
  ASSERT_TRUE(theirs.contains("vector"));
  for (const std::string& header : theirs) {
    for (const std::string& file : ours) {
      EXPECT_FALSE(file.ends_with("/" + header))
          << file << " has the name of <" << header << ">, which a file includes";
    }
  }
}

}  // namespace
