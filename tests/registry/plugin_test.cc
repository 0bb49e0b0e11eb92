#include "registry/plugins/plugin.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "registry/base/error.h"
#include "registry/base/sha256.h"
#include "tests/folders.h"

namespace weft {
namespace {

const std::string kFolder = build_path("tests/");
const std::string kGood = kFolder + "test_plugin_good.so";

std::string read(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

// A file of its own name with the given bytes, gone with the object.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& bytes)
      : path_(testing::TempDir() + "weft_plugin_test_" + std::to_string(getpid()) + ".so") {
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// The message of load_plugin about a library that it refuses.
std::string refusal(const std::string& library) {
  Catalogue catalogue;
  try {
    load_plugin(library, catalogue);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::plugin);
    EXPECT_EQ(exit_code(error.kind()), 2);
    return error.what();
  }
  ADD_FAILURE() << library << " was loaded";
  return "";
}

void expect_refusal(const std::string& library, const std::string& why) {
  const std::string said = refusal(library);
  EXPECT_NE(said.find(why), said.npos) << said;
  EXPECT_EQ(said.find('\n'), said.npos) << said;
}

TEST(Plugin, AForeignTagIsRefusedBeforeAnyCodeRuns) {
  std::string bytes = read(kGood);
  const auto tag = bytes.find(abi_tag());
  ASSERT_NE(tag, bytes.npos);
  bytes[tag + abi_tag().size() - 1] ^= 1;
  const TemporaryFile other(bytes);
  ASSERT_EQ(unsetenv("WEFT_TEST_PLUGIN_RAN"), 0);
  expect_refusal(other.path(), "build it again");
  EXPECT_EQ(std::getenv("WEFT_TEST_PLUGIN_RAN"), nullptr);
}

TEST(Plugin, InspectingRunsNoCode) {
  ASSERT_EQ(unsetenv("WEFT_TEST_PLUGIN_RAN"), 0);
  const PluginInfo info = inspect_plugin(kGood);
  EXPECT_EQ(info.name, "test_plugin_good");
  EXPECT_EQ(info.version, "0.1.0");
  EXPECT_EQ(std::getenv("WEFT_TEST_PLUGIN_RAN"), nullptr);
}

TEST(Plugin, AddsItsFunctionsAndKinds) {
  Catalogue catalogue;
  load_plugin(kGood, catalogue);
  ASSERT_TRUE(catalogue.has_kind("test_plugin_kind"));
  const Function& function = *catalogue.find("test_plugin_kind", "trace.v1");
  EXPECT_TRUE(function.library().starts_with("test_plugin_good 0.1.0"));
  Arguments none;
  EXPECT_EQ(function.call(none).data().as_integer(), 0);
  EXPECT_STREQ(std::getenv("WEFT_TEST_PLUGIN_RAN"), "yes");
}

TEST(Plugin, ATakenNameNamesBothLibraries) {
  Catalogue catalogue;
  Function elder("test_plugin_kind", "trace.v1", "", Signature(), Type::any(),
                 [](Arguments&) { return Argument(); });
  elder.set_library("elder 3.0");
  catalogue.add(std::move(elder));
  try {
    load_plugin(kGood, catalogue);
    FAIL();
  } catch (const Error& error) {
    const std::string said = error.what();
    EXPECT_NE(said.find("elder 3.0"), said.npos) << said;
    EXPECT_NE(said.find("test_plugin_good 0.1.0"), said.npos) << said;
  }
}

TEST(Plugin, TheHashIsChecked) {
  const std::string hash = sha256_of_file(kGood);
  Catalogue catalogue;
  EXPECT_EQ(load_plugin(kGood + "@sha256:" + hash, catalogue).name, "test_plugin_good");
  expect_refusal(kGood + "@sha256:" + std::string(64, '0'), "its SHA-256 is " + hash);
  expect_refusal(kGood + "@sha256:abc", "no SHA-256");
}

TEST(Plugin, InspectingChecksAsLoadingDoes) {
  const std::string hash = sha256_of_file(kGood);
  EXPECT_EQ(inspect_plugin(kGood + "@sha256:" + hash).file, kGood);
  std::string bytes = read(kGood);
  bytes[bytes.find(abi_tag()) + abi_tag().size() - 1] ^= 1;
  const TemporaryFile other(bytes);
  for (const std::string& library :
       {kGood + "@sha256:" + std::string(64, '0'), kGood + "@sha256:abc",
        kGood + "@sha256:", other.path(), kFolder + "no_such.so"}) {
    const std::string said = refusal(library);
    try {
      inspect_plugin(library);
      ADD_FAILURE() << library << " was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.what(), said);
    }
  }
}

TEST(Plugin, WhatItBringsAlongIsNamed) {
  using testing::ElementsAre;
  EXPECT_THAT(inspect_plugin(kFolder + "test_plugin_bringing.so").brings,
              ElementsAre("libtest_brought.so"));
  EXPECT_THAT(inspect_plugin(kGood).brings, ElementsAre());  // the program has all of it open
}

// Every length and place in the tables that the loader reads may be wrong.
TEST(Plugin, DamagedTablesOfNeededLibrariesAreRefused) {
  const std::string bytes = read(kFolder + "test_plugin_bringing.so");
  Elf64_Ehdr header{};
  std::memcpy(&header, bytes.data(), sizeof header);
  std::set<std::uint64_t> places;
  for (std::uint64_t i = 0; i < header.e_phnum * sizeof(Elf64_Phdr); ++i) {
    places.insert(header.e_phoff + i);
  }
  for (std::uint64_t i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment{};
    std::memcpy(&segment, bytes.data() + header.e_phoff + i * sizeof segment, sizeof segment);
    if (segment.p_type != PT_DYNAMIC) continue;
    for (std::uint64_t at = 0; at < segment.p_filesz; ++at) places.insert(segment.p_offset + at);
  }
  int refused = 0;
  for (const std::uint64_t place : places) {
    std::string changed = bytes;
    changed[place] = static_cast<char>(~changed[place]);
    const TemporaryFile other(changed);
    try {
      inspect_plugin(other.path());
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::plugin);
      ++refused;
    }
  }
  EXPECT_GT(refused, 20);
}

TEST(Plugin, FilesThatAreNoPlugins) {
  expect_refusal(kFolder + "no_such.so", "no such file");
  expect_refusal(kFolder, "it is not a file");
  const TemporaryFile text("print('hello')\n and more text");
  expect_refusal(text.path(), "not a shared library");
  expect_refusal(library_path("libweft_registry.so"), "no plugin");
}

TEST(Plugin, AnotherProcessor) {
  std::string bytes = read(kGood);
  bytes[18] = static_cast<char>(0xF3);  // e_machine
  bytes[19] = 0;
  const TemporaryFile other(bytes);
  expect_refusal(other.path(), "RISC-V");
}

TEST(Plugin, AnUndefinedSymbolIsNamed) {
  expect_refusal(kFolder + "test_plugin_undefined.so", "acme::irrigate(int)");
}

TEST(Plugin, DamagedFilesAreRefusedWithoutReadingBeyondThem) {
  const std::string bytes = read(kGood);
  for (std::size_t size = 0; size < bytes.size(); size += size < 128 ? 1 : 997) {
    const TemporaryFile cut(bytes.substr(0, size));
    EXPECT_THROW(inspect_plugin(cut.path()), Error) << size;
  }
  for (std::size_t at = 0; at < 64; ++at) {  // every byte of the file's header
    std::string changed = bytes;
    changed[at] = static_cast<char>(~changed[at]);
    const TemporaryFile other(changed);
    try {
      inspect_plugin(other.path());
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::plugin);
    }
  }
}

}  // namespace
}  // namespace weft
