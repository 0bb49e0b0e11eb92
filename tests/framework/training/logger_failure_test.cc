#include "framework/training/logger_failure.h"

#include <functional>
#include <new>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "registry/base/error.h"

namespace weft {
namespace {

std::string told_of(const std::function<void()>& part, ErrorKind kind) {
  try {
    run_logger(part);
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind);
    return error.what();
  }
}

TEST(LoggerFailure, SaysThatItCameFromTheLogger) {
  EXPECT_EQ(told_of([] { throw std::runtime_error("no room"); }, ErrorKind::internal),
            "the logger of [training.logger] failed: no room");
  EXPECT_EQ(told_of([] { throw 5; }, ErrorKind::internal),
            "the logger of [training.logger] failed: it threw something that is no std::exception");
}

TEST(LoggerFailure, ErrorsAndMemoryStayWhatTheyAre) {
  EXPECT_EQ(told_of([] { throw Error(ErrorKind::system, "the disk is full"); }, ErrorKind::system),
            "the disk is full");
  EXPECT_THROW(run_logger([] { throw std::bad_alloc(); }), std::bad_alloc);
}

}  // namespace
}  // namespace weft
