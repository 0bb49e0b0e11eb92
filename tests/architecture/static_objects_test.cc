// Threads may still compute while a process ends, as daemon threads of Python do: an object that
// lasts as long as the process is never destroyed, "static const NameSet& labels = *new
// NameSet{...};".
#include <algorithm>
#include <array>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "tests/architecture/project_text.h"

namespace {

// Types without a destructor that does anything.
constexpr std::array<std::string_view, 14> kPlain = {
    "bool",          "char",         "int",       "float",         "double",
    "std::size_t",   "std::int64_t", "StringId",  "locale_t",      "std::string_view",
    "std::uint64_t", "std::mutex",   "DataFault", "ConversionPath"};

bool is_library_source(std::string_view file) {
  if (file.starts_with("tools/bench/")) return false;
  for (const char* folder : {"registry/", "framework/", "components/", "tools/", "python/src/"}) {
    if (file.starts_with(folder)) return file.ends_with(".cc") || file.ends_with(".h");
  }
  return false;
}

bool is_plain(std::string type) {
  if (type.starts_with("const ")) type = type.substr(6);
  if (type.starts_with("constexpr") || type.starts_with("std::atomic<") ||
      type.starts_with("thread_local")) {
    return true;
  }
  return type.ends_with('&') || type.ends_with('*') ||
         std::ranges::find(kPlain, type) != kPlain.end();
}

// The name of the object that the line defines and that is destroyed when the process ends, or "".
std::string destroyed_object(const std::string& line) {
  // As most are.
  if (line.find("static ") == std::string::npos && line.find("std::") > 6) return "";
  static const std::regex local(R"(^ +static ([\w:<>, &*]+?) ?(\w+)( = |\{|;).*)");
  static const std::regex global(
      R"(^(?:static |inline )*((?:const )?std::[\w:<>, ]+(?:\([\w:]*\)>)?) (\w+)(?: = |\{|;).*)");
  std::smatch found;
  if (!std::regex_match(line, found, local) && !std::regex_match(line, found, global)) return "";
  return is_plain(found.str(1)) ? "" : found.str(2);
}

TEST(StaticObjects, AreNeverDestroyed) {
  std::size_t seen = 0;
  for (const std::string& file : project_files()) {
    if (!is_library_source(file)) continue;
    std::istringstream lines(project_text(file));
    for (std::string line; std::getline(lines, line); ++seen) {
      EXPECT_EQ(destroyed_object(line), "") << file << ": " << line;
    }
  }
  EXPECT_GT(seen, 50'000U);
}

TEST(StaticObjects, AreTold) {
  EXPECT_EQ(destroyed_object("  static const NameSet labels{\"a\"};"), "labels");
  EXPECT_EQ(destroyed_object("    static Table instance;"), "instance");
  EXPECT_EQ(destroyed_object("const std::string kPrefix = \"a\";"), "kPrefix");
  EXPECT_EQ(destroyed_object("std::function<bool(std::size_t)> injected;"), "injected");
  EXPECT_EQ(destroyed_object("  static const NameSet& labels = *new NameSet{\"a\"};"), "");
  EXPECT_EQ(destroyed_object("  static std::atomic<int> number = 0;"), "");
  EXPECT_EQ(destroyed_object("  static Table& all();"), "");
}

}  // namespace
