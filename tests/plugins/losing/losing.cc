#include "tests/plugins/losing/losing.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <string>

#include <fcntl.h>
#include <unistd.h>

namespace losing {
namespace {

std::atomic<int> own_rank{-1}, steps{0};

std::string variable(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? "" : text;
}

// Whether this call made it.
bool make_mark() {
  const int file = ::open(variable("WEFT_LOSE_MARK").c_str(), O_CREAT | O_EXCL | O_WRONLY, 0666);
  if (file >= 0) ::close(file);
  return file >= 0;
}

}  // namespace

void set_rank(int rank) {
  own_rank = rank;
}

void reduced() {
  ++steps;
}

void met(std::string_view phase) {
  if (variable("WEFT_LOSE_PHASE") != phase) return;
  if (variable("WEFT_LOSE_RANK") != std::to_string(own_rank)) return;
  if (phase != "init" && steps < kSteps) return;
  if (make_mark()) ::kill(::getpid(), std::atoi(variable("WEFT_LOSE_SIGNAL").c_str()));
}

namespace {

// When the process has done its work.
struct End {
  ~End() { met("end"); }
} end_of_process;

}  // namespace

}  // namespace losing
