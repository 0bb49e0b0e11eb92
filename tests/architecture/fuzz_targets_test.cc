// Every reader of bytes from outside has a fuzz target, as docs/fuzzing.md says: its table, the
// targets and the sources are compared.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "tests/folders.h"

namespace {

namespace fs = std::filesystem;

const fs::path root = weft::source_path();

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Table {
  std::set<std::string> targets;
  std::set<std::string> sources;
};

void add_sources(const std::string& cell, std::set<std::string>& sources) {
  static const std::regex one("`([^`{]*)(?:\\{([^}]*)\\}([^`]*))?`");
  for (std::sregex_iterator at(cell.begin(), cell.end(), one), end; at != end; ++at) {
    const std::string stems = (*at)[2];
    if (stems.empty()) sources.insert((*at)[1]);
    static const std::regex stem("[^,]+");
    for (std::sregex_iterator name(stems.begin(), stems.end(), stem); name != end; ++name) {
      sources.insert((*at)[1].str() + name->str() + (*at)[3].str());
    }
  }
}

// The rows `| targets | what is read | by |` below the heading "Targets".
Table documented() {
  const std::string text = text_of(root / "docs/fuzzing.md");
  const std::size_t begin = text.find("## Targets");
  const std::string section = text.substr(begin, text.find("\n## ", begin) - begin);
  static const std::regex row("\n\\| (`[^|]*) \\|[^|]*\\|([^|]*)\\|"), name("`(\\w+)`");
  Table table;
  for (std::sregex_iterator at(section.begin(), section.end(), row), end; at != end; ++at) {
    const std::string targets = (*at)[1];
    for (std::sregex_iterator target(targets.begin(), targets.end(), name); target != end;
         ++target) {
      table.targets.insert((*target)[1]);
    }
    add_sources((*at)[2], table.sources);
  }
  return table;
}

// Reading what the process's own libraries made, or handing on bytes that others take apart.
const std::set<std::string> no_readers = {
    "components/reserved/reserved_names.cc",  // a file that is compiled in
    "components/reserved/starter_blocks.cc",  // the same
    "registry/functions/function.cc",         // JSON that is compiled in
    "framework/training/compare_runs.cc",     // values of configs that were read already
    "framework/training/comm_ranks.cc",       // scores that rank 0 of this run wrote
    "framework/io/atomic_file.cc",            // bytes of files
    "framework/io/mapped_file.cc",            // bytes of files
    "framework/pipeline/python_package.cc",   // bytes of files, copied
    "registry/base/file_text.cc",             // bytes of files
    "registry/base/sha256.cc",                // hashes them
};

TEST(FuzzTargets, AreThoseOfTheDocument) {
  std::set<std::string> built;
  for (const auto& entry : fs::directory_iterator(root / "tests/fuzz")) {
    const std::string name = entry.path().filename().string();
    const std::size_t end = name.rfind("_fuzz.cc");
    if (end == std::string::npos) continue;
    built.insert(name.substr(0, end));
    EXPECT_FALSE(fs::is_empty(root / "tests/fuzz/corpus" / name.substr(0, end))) << name;
  }
  EXPECT_EQ(built, documented().targets);
}

TEST(FuzzTargets, EveryReaderHasOne) {
  static const std::regex reads(
      "std::ifstream|parse_json\\(|json::parse|MsgpackReader|msgpack::unpack|MappedFile|"
      "MemoryCursor|"
      "SafeTensors::(read|parse)|read_file\\(|read_json_(file|object)\\(");
  const Table table = documented();
  for (const char* module : {"registry", "framework", "components"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / module)) {
      if (entry.path().extension() != ".cc") continue;
      const std::string file = fs::relative(entry.path(), root).string();
      const std::string text = text_of(entry.path());
      if (no_readers.contains(file) || !std::regex_search(text, reads)) continue;
      EXPECT_TRUE(table.sources.contains(file))
          << file << " reads bytes and stands in no row of docs/fuzzing.md; if nothing of it comes "
          << "from outside, say so in this test";
    }
  }
  for (const std::string& source : table.sources) {
    EXPECT_TRUE(fs::is_regular_file(root / source)) << source << " is not there";
  }
}

}  // namespace
