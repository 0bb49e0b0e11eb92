// Both dialects hold the same trees: every config of the conformance records goes from one to the
// other and back without loss, expanded or with its variables kept.
#include <fstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "registry/value/json.h"
#include "registry/variables/interpolate.h"
#include "registry/writing/cfg_writer.h"
#include "registry/writing/toml_writer.h"
#include "tests/folders.h"
#include "tests/registry/reading.h"

namespace weft {
namespace {

std::vector<std::string> record_configs() {
  std::ifstream lines(source_path("tests/conformance/data/config/cases.jsonl"));
  std::vector<std::string> configs;
  for (std::string line; std::getline(lines, line);) {
    const auto record = nlohmann::json::parse(line);
    if (record.contains("config")) configs.push_back(record["config"]);
  }
  return configs;
}

std::string tree(const Config& config) {
  return to_json(Node(config.root()), JsonText::utf8);
}

// Comments change their sign on the way, so they are compared elsewhere.
std::string without_comments(const Config& config, Problems& problems) {
  return write_cfg(config, problems, {.comments = false});
}

// With variables kept, a `$` without a variable is the character itself, and a reader that expands
// needs it doubled: each trip doubles it again, as in the reference.
bool doubles_dollars(const std::string& text, bool interpolate) {
  if (interpolate) return false;
  for (auto at = text.find('$'); at != std::string::npos; at = text.find('$', at + 1)) {
    if (text.compare(at, 2, "${") != 0) return true;
  }
  return false;
}

void expect_round_trip(const std::string& text, bool interpolate, int& done) {
  const Reading first = read(text, interpolate);
  if (has_errors(first.problems) || doubles_dollars(text, interpolate)) return;
  Problems problems;
  const std::string cfg = without_comments(first.config, problems);
  const std::string toml = write_toml(first.config, problems);
  if (has_errors(problems)) return;
  ++done;
  const Reading from_cfg = read(cfg, interpolate);
  const Reading from_toml = read_toml_text(toml, interpolate);
  ASSERT_FALSE(has_errors(from_cfg.problems)) << text << "\n----\n" << cfg;
  ASSERT_FALSE(has_errors(from_toml.problems)) << text << "\n----\n" << toml;
  EXPECT_TRUE(Node(from_cfg.config.root()).same_value(Node(first.config.root())))
      << text << "\n----\n"
      << cfg;
  Problems again;
  if (interpolate) {
    EXPECT_EQ(tree(from_toml.config), tree(from_cfg.config)) << text << "\n----\n" << toml;
    EXPECT_EQ(without_comments(from_toml.config, again), cfg) << toml;
  } else {
    const Config expanded = weft::interpolate(from_cfg.config, again);
    Problems of_toml;
    EXPECT_EQ(tree(weft::interpolate(from_toml.config, of_toml)), tree(expanded))
        << text << "\n----\n"
        << toml;
    EXPECT_EQ(of_toml.size(), again.size());
  }
  EXPECT_EQ(write_toml(from_toml.config, again), toml) << text;
}

TEST(DialectsTest, RecordsGoThroughBothDialectsExpanded) {
  int done = 0;
  for (const std::string& config : record_configs()) expect_round_trip(config, true, done);
  EXPECT_GT(done, 300);
}

TEST(DialectsTest, RecordsGoThroughBothDialectsKept) {
  int done = 0;
  for (const std::string& config : record_configs()) expect_round_trip(config, false, done);
  EXPECT_GT(done, 300);
}

}  // namespace
}  // namespace weft
