#include "framework/training/manifest.h"

#include <gtest/gtest.h>

#include "framework/io/atomic_file.h"
#include "registry/base/error.h"
#include "registry/base/sha256.h"
#include "registry/value/json.h"

namespace weft {
namespace {
namespace fs = std::filesystem;

class ManifestTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(fs::path(testing::TempDir()));
    file_ = fs::path(testing::TempDir()) /
            (std::string("manifest-") +
             testing::UnitTest::GetInstance()->current_test_info()->name() + ".json");
    fs::remove(file_);
  }
  void TearDown() override { fs::remove(file_); }

  static Object manifest(std::int64_t from_step, const Node& log = "start") {
    Object data;
    data.set("corpora.train", "abc");
    return make_manifest("[nlp]\n", data, log, {.from_step = from_step, .threads = 3});
  }
  static std::int64_t from_step(const Object& manifest, std::size_t part) {
    return manifest.find("parts")->as_list().at(part).as_object().find("from_step")->as_integer();
  }
  fs::path file_;
};

TEST_F(ManifestTest, SaysWhatARunWasMadeOf) {
  const Object made = manifest(0);
  EXPECT_EQ(made.find("config_sha256")->as_string(), sha256("[nlp]\n"));
  EXPECT_EQ(made.find("data")->as_object().find("corpora.train")->as_string(), "abc");
  EXPECT_NE(made.find("build")->as_object().find("abi")->as_string(), "");
  const Object& part = made.find("parts")->as_list().at(0).as_object();
  EXPECT_EQ(part.find("threads")->as_integer(), 3);
  EXPECT_GT(part.find("machine")->as_object().find("cores")->as_integer(), 0);
  EXPECT_GT(part.find("machine")->as_object().find("memory_bytes")->as_integer(), 1 << 20);
  // 2026-11-21T17:30:00Z
  EXPECT_EQ(part.find("time")->as_object().find("started")->as_string().size(), 20u);
}

TEST_F(ManifestTest, AResumedRunAddsItsPartAndKeepsWhereTheLogsBegan) {
  write_file(file_, to_json(manifest(0, "first log")));
  write_file(file_, to_json(continued_manifest(file_, manifest(40, "second log"))));
  const Object all = continued_manifest(file_, manifest(60, "third log"));
  ASSERT_EQ(all.find("parts")->as_list().size(), 3u);
  EXPECT_EQ(from_step(all, 0), 0);
  EXPECT_EQ(from_step(all, 1), 40);
  EXPECT_EQ(from_step(all, 2), 60);
  EXPECT_EQ(all.find("log")->as_string(), "first log");
}

TEST_F(ManifestTest, WithoutOneTheRunBeginsOne) {
  EXPECT_EQ(continued_manifest(file_, manifest(7)).find("parts")->as_list().size(), 1u);
  EXPECT_TRUE(manifest_log(file_).is_null());
  EXPECT_NO_THROW(check_manifest(file_));
}

TEST_F(ManifestTest, WhatIsNoManifestIsNamedAndNotReplaced) {
  for (const char* text : {"", "{", "[1, 2]", "{}", "{\"parts\": 3}", "{\"parts\": [3]}"}) {
    write_file(file_, text);
    EXPECT_THROW(continued_manifest(file_, manifest(7)), Error) << text;
    try {
      check_manifest(file_);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data);
      EXPECT_EQ(error.message(),
                file_.string() +
                    ": no JSON object with the parts of a run; the file is damaged; move it away, "
                    "and the run goes on without the history that it tells");
    }
    EXPECT_TRUE(manifest_log(file_).is_null()) << text;
  }
}

TEST_F(ManifestTest, TheFirstAndTheNewestPartsAreKept) {
  Object full = manifest(0);
  List& parts = full.find("parts")->as_list();
  Object part;
  for (std::size_t i = parts.size(); i < kMostParts; ++i) {
    part.set("from_step", static_cast<std::int64_t>(i));
    parts.push_back(part);
  }
  write_file(file_, to_json(full));
  const Object all = continued_manifest(file_, manifest(5000));
  ASSERT_EQ(all.find("parts")->as_list().size(), kMostParts);
  EXPECT_EQ(from_step(all, 0), 0);
  EXPECT_EQ(from_step(all, 1), 2);
  EXPECT_EQ(from_step(all, kMostParts - 1), 5000);
}

TEST_F(ManifestTest, AFileThatIsTooLargeIsNotRead) {
  Object many = manifest(0);
  many.set("data", List(300'000));
  for (const std::string& text :
       {to_json(manifest(0)) + std::string(kMostManifest, ' '), to_json(many)}) {
    write_file(file_, text);
    EXPECT_THROW(check_manifest(file_), Error);
    EXPECT_THROW(continued_manifest(file_, manifest(7)), Error);
  }
}

TEST_F(ManifestTest, ThePlaceOfTheLogsComesBack) {
  Object place;
  place.set("bytes", 120);
  write_file(file_, to_json(manifest(0, Node(place))));
  EXPECT_EQ(manifest_log(file_).as_object().find("bytes")->as_integer(), 120);
}

}  // namespace
}  // namespace weft
