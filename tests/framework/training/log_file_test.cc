#include "framework/training/log_file.h"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "framework/io/atomic_file.h"
#include "framework/training/chain_log.h"
#include "framework/training/console_log.h"
#include "framework/training/jsonl_log.h"
#include "framework/training/logger.h"
#include "registry/base/error.h"

namespace weft {
namespace {
namespace fs = std::filesystem;

class LogFileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / "LogFileTest" /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    file_ = folder_ / "log";
  }
  LogSetup setup(const Node* resumed = nullptr) {
    LogSetup setup{.nlp = nullptr, .out = out_, .err = err_};
    setup.resumed = resumed;
    return setup;
  }
  static TrainingInfo info(std::int64_t step) {
    TrainingInfo info;
    info.step = step;
    return info;
  }

  fs::path folder_, file_;
  std::ostringstream out_, err_;
};

TEST_F(LogFileTest, WhatWasWrittenAfterThePositionIsCutOff) {
  Node position;
  {
    LogFile log({file_}, LogFile::Start::replace);
    log.write_line("one");
    position = log.position();
    log.write_line("lost");
  }
  EXPECT_EQ(position.as_object().find("length")->as_integer(), 4);
  LogFile log({file_}, position);
  EXPECT_TRUE(log.complete());
  log.write_line("two");
  EXPECT_EQ(read_file(file_), "one\ntwo\n");
}

TEST_F(LogFileTest, AFreshRunReplacesOrAppends) {
  write_file(file_, "old\n");
  LogFile({file_}, LogFile::Start::append).write_line("new");
  EXPECT_EQ(read_file(file_), "old\nnew\n");
  LogFile({file_}, LogFile::Start::replace).write_line("new");
  EXPECT_EQ(read_file(file_), "new\n");
}

TEST_F(LogFileTest, AShorterFileGoesOnWithAWarning) {
  write_file(file_, "one\n");
  const Node position(100);
  const auto resumed = setup(&position);
  const auto log = open_log(file_, LogFile::Start::replace, resumed);
  EXPECT_FALSE(log->complete());
  log->write_line("two");
  EXPECT_EQ(read_file(file_), "one\ntwo\n");
  EXPECT_NE(err_.str().find("shorter"), std::string::npos);
}

TEST_F(LogFileTest, ALineThatWasCutSpoilsNoOther) {
  write_file(file_, "one\nhal");
  Node position(100);
  {
    LogFile log({file_}, position);
    log.write_line("two");
    log.write_line("three");
    position = log.position();
  }
  EXPECT_EQ(read_file(file_), "one\nhal\ntwo\nthree\n");
  LogFile({file_}, position).write_line("four");
  EXPECT_EQ(read_file(file_), "one\nhal\ntwo\nthree\nfour\n");
}

TEST_F(LogFileTest, PositionsThatAreNoneAndFilesThatCannotBeWrittenAreErrors) {
  EXPECT_THROW(LogFile({file_}, Node(-1)), Error);
  EXPECT_THROW(LogFile({file_}, Node("4")), Error);
  EXPECT_THROW(LogFile({folder_ / "absent/log"}, LogFile::Start::replace), Error);
  LogFile full({"/dev/full"}, LogFile::Start::append);
  EXPECT_THROW(full.write_line("one"), Error);
}

TEST_F(LogFileTest, AChainTakesUpEachOfItsLogs) {
  ConsoleLogOptions console{.table = false, .file = folder_ / "console"};
  const Logger chain = chain_logs({console_log(console), jsonl_log(file_)});
  Node position;
  {
    const auto session = chain.start(setup());
    session->evaluated(info(0));
    position = session->position();
    session->evaluated(info(7));
  }
  const std::string first = read_file(file_).substr(0, read_file(file_).find('\n') + 1);
  const auto session = chain.start(setup(&position));
  EXPECT_EQ(read_file(file_), first);
  session->evaluated(info(9));
  EXPECT_NE(read_file(folder_ / "console").find("\"step\": 9"), std::string::npos);
  EXPECT_EQ(read_file(folder_ / "console").find("\"step\": 7"), std::string::npos);
}

TEST_F(LogFileTest, AFileThatSomebodyElseLeftStaysAsItIsAlsoWhenTheRunGoesOn) {
  write_file(file_, "mine\n");
  const Logger logger = console_log({.table = false, .file = file_});
  Node position;
  {
    const auto session = logger.start(setup());
    position = session->position();
  }
  EXPECT_TRUE(position.is_null());
  logger.start(setup(&position))->evaluated(info(1));
  EXPECT_EQ(read_file(file_), "mine\n");
  EXPECT_NE(out_.str().find("not saved"), std::string::npos);
}

TEST_F(LogFileTest, OnlyTheRunsOwnLogIsCut) {
  Node position;
  {
    LogFile log({file_}, LogFile::Start::replace);
    log.write_line("one");
    position = log.position();
  }
  for (const char* planted : {"two\nmore", "One\nmore", "\n\n\n\n\n"}) {
    write_file(file_, planted);
    EXPECT_THROW(LogFile({file_}, position), Error) << planted;
    EXPECT_EQ(read_file(file_), planted);
  }
}

// Earlier versions kept no hash: a log that nobody vouches for is not cut.
TEST_F(LogFileTest, APositionWithoutAHashCutsNothing) {
  write_file(file_, "one\n");
  LogFile({file_}, Node(4)).write_line("two");
  EXPECT_EQ(read_file(file_), "one\ntwo\n");
  EXPECT_THROW(LogFile({file_}, Node(4)), Error);
  EXPECT_EQ(read_file(file_), "one\ntwo\n");
}

TEST_F(LogFileTest, AFreshLogReplacesNothing) {
  write_file(file_, "of somebody else\n");
  EXPECT_THROW(LogFile({file_}, LogFile::Start::fresh), Error);
  EXPECT_EQ(read_file(file_), "of somebody else\n");
  write_file(file_, "");
  LogFile({file_}, LogFile::Start::fresh).write_line("one");
  EXPECT_EQ(read_file(file_), "one\n");
}

TEST_F(LogFileTest, BelowTheOutputNoLinkIsFollowed) {
  const fs::path output = folder_ / "output";
  fs::create_directories(output);
  fs::create_directories(folder_ / "elsewhere");
  write_file(folder_ / "notes", "of somebody else\n");
  fs::create_symlink(folder_ / "notes", output / "link");
  fs::create_hard_link(folder_ / "notes", output / "same");
  fs::create_directory_symlink(folder_ / "elsewhere", output / "folder");
  for (const char* name : {"link", "same", "folder/log"}) {
    EXPECT_THROW(LogFile({output / name, output}, LogFile::Start::append), Error) << name;
  }
  EXPECT_THROW(LogFile({output / "folder/log", output}, LogFile::Start::replace), Error);
  for (const char* name : {"link", "same"}) {  // a file that begins anew takes their place
    LogFile({output / name, output}, LogFile::Start::replace).write_line("one");
    EXPECT_EQ(read_file(output / name), "one\n");
  }
  EXPECT_EQ(read_file(folder_ / "notes"), "of somebody else\n");
  EXPECT_TRUE(fs::is_empty(folder_ / "elsewhere"));
  LogFile({output / "made/log", output}, LogFile::Start::fresh).write_line("one");
  EXPECT_EQ(read_file(output / "made/log"), "one\n");
  LogFile({folder_ / "outside", output}, LogFile::Start::fresh).write_line("one");
  EXPECT_EQ(read_file(folder_ / "outside"), "one\n");
}

// A log that rests is closed, and opened again for the next line.
TEST_F(LogFileTest, AFileThatChangesWhileItRestsIsAnError) {
  LogFile log({file_}, LogFile::Start::replace);
  log.write_line("one");
  log.rest();
  log.write_line("two");
  log.rest();
  std::ofstream(file_, std::ios::app) << "of another program\n";
  EXPECT_THROW(log.write_line("three"), Error);
  EXPECT_EQ(read_file(file_), "one\ntwo\nof another program\n");
}

}  // namespace
}  // namespace weft
