#include "framework/text/lookups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "components/builtin.h"
#include "framework/io/atomic_file.h"
#include "registry/base/error.h"
#include "registry/building/resolve.h"
#include "registry/reading/cfg_reader.h"

namespace weft {
namespace {

// The norms of the tables that a block makes, or what is wrong with it.
std::pair<Lookups::Norms, std::string> run(const std::string& block) {
  Catalogue catalogue;
  add_builtin(catalogue);
  Problems problems;
  const Config config = read_cfg("[block]\n" + block, "test", problems);
  try {
    const auto result = resolve_at(config, "block", catalogue, {}, problems);
    if (!problems.empty()) return {{}, problems.front().str()};
    return {result->product().get<Lookups>()->norms(), ""};
  } catch (const Error& error) {
    return {{}, error.what()};
  }
}

std::filesystem::path file(const std::string& text) {
  const auto path = std::filesystem::path(testing::TempDir()) /
                    testing::UnitTest::GetInstance()->current_test_info()->name();
  write_file(path, text);
  return path;
}

TEST(ReadLookups, ReadsTablesFromJson) {
  const auto path = file(R"({"cuz": "because", "ppl": "people"})");
  const auto [norms, fault] = run(
      "@misc = \"weft.read_lookups.v1\"\ntables = {\"lexeme_norm\": \"" + path.string() + "\"}");
  EXPECT_EQ(fault, "");
  EXPECT_EQ(norms.at(string_id("cuz")), "because");
  EXPECT_EQ(norms.size(), 2U);
}

TEST(ReadLookups, NamesAFileThatHoldsSomethingElse) {
  for (const char* text : {"[1]", "{\"a\": 1}", "{"}) {
    const auto path = file(text);
    const auto [norms, fault] = run(
        "@misc = \"weft.read_lookups.v1\"\ntables = {\"lexeme_norm\": \"" + path.string() + "\"}");
    EXPECT_THAT(fault, testing::HasSubstr(path.string())) << text;
  }
}

TEST(LookupsDataLoader, SaysWhatToUseInstead) {
  const auto [norms, fault] =
      run("@misc = \"spacy.LookupsDataLoader.v1\"\nlang = \"en\"\ntables = [\"lexeme_norm\"]");
  EXPECT_THAT(fault, testing::HasSubstr("spacy-lookups-data"));
  EXPECT_THAT(fault, testing::HasSubstr("weft.read_lookups.v1"));
  EXPECT_EQ(run("@misc = \"spacy.LookupsDataLoader.v1\"\nlang = \"en\"\ntables = []").second, "");
}

}  // namespace
}  // namespace weft
