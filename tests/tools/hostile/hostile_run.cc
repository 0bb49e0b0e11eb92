#include "tests/tools/hostile/hostile_run.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "framework/text/printable.h"
#include "tests/folders.h"
#include "tests/sanitizers.h"
#include "tests/tools/program.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void become(const std::vector<std::string>& words, const fs::path& folder,
                         const std::vector<std::string>& environment, const fs::path& out,
                         const fs::path& err, const HostileBounds& bounds) {
  const auto seconds = static_cast<rlim_t>(2 * bounds.cpu_seconds + 1);
  const rlimit time{seconds, seconds};
  if (!kHasSanitizer) ::setrlimit(RLIMIT_CPU, &time);
  for (const std::string& entry : environment) ::putenv(const_cast<char*>(entry.c_str()));
  std::string program = build_path("bin/weft");
  std::vector<char*> arguments{program.data()};
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const int flags = O_WRONLY | O_CREAT | O_TRUNC;
  const int streams[] = {::open("/dev/null", O_RDONLY), ::open(out.c_str(), flags, 0666),
                         ::open(err.c_str(), flags, 0666)};
  if (::chdir(folder.c_str()) != 0) ::_exit(126);
  for (int i = 0; i < 3; ++i) ::dup2(streams[i], i);
  ::execv(program.c_str(), arguments.data());
  ::_exit(127);
}

std::int64_t written(const fs::path& out, const fs::path& err) {
  std::error_code missing;
  std::int64_t bytes = 0;
  for (const fs::path& file : {out, err}) {
    const auto size = fs::file_size(file, missing);
    if (!missing) bytes += static_cast<std::int64_t>(size);
  }
  return bytes;
}

std::string content_of(const fs::directory_entry& entry) {
  if (entry.is_symlink()) return "link to " + fs::read_symlink(entry.path()).string();
  if (entry.is_regular_file()) return read_text(entry.path());
  return entry.is_directory() ? "folder" : "neither file nor folder";
}

// Without its control characters that a text for a terminal may hold.
std::string first_control(const std::string& text) {
  std::string kept;
  for (const char c : text) {
    if (c != '\n' && c != '\t') kept += c;
  }
  return kept == printable(kept) ? "" : printable(text.substr(0, 2000));
}

}  // namespace

Tree tree_of(const fs::path& folder) {
  Tree tree;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const bool is_folder = entry.is_directory() && !entry.is_symlink();
    tree[fs::relative(entry.path(), folder).string() + (is_folder ? "/" : "")] = content_of(entry);
  }
  return tree;
}

HostileRun run_hostile(const std::string& name, const std::vector<std::string>& words,
                       const fs::path& folder, const std::vector<std::string>& environment,
                       const HostileBounds& bounds) {
  const std::string stem = testing::TempDir() + "hostile" + std::to_string(::getpid());
  const fs::path out = stem + ".out";
  const fs::path err = stem + ".err";
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("cannot start a process");
  if (child == 0) become(words, folder, environment, out, err, bounds);
  int status = 0;
  rusage usage = {};
  // Ends a process that waits for something; one that computes has a limit of its own, however much
  // of a core its neighbours leave it.
  const auto give_up =
      std::chrono::steady_clock::now() + std::chrono::minutes(kHasSanitizer ? 10 : 4);
  while (::wait4(child, &status, WNOHANG, &usage) == 0) {
    const bool too_long = std::chrono::steady_clock::now() > give_up;
    if (too_long || written(out, err) > 4 * bounds.output) ::kill(child, SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  HostileRun run{.name = name, .out = read_text(out), .err = read_text(err)};
  if (WIFEXITED(status)) run.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) run.signal = WTERMSIG(status);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  run.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  run.peak_memory = std::int64_t{usage.ru_maxrss} << 10;
  fs::remove(out);
  fs::remove(err);
  return run;
}

void expect_ended_well(const HostileRun& run, const HostileBounds& bounds) {
  EXPECT_EQ(run.signal, 0) << run.name << " after " << run.cpu_seconds << " s\n"
                           << printable(run.err.substr(0, 2000));
  EXPECT_TRUE(run.code >= 0 && run.code <= 6) << run.name << ": exit code " << run.code << '\n'
                                              << printable(run.err.substr(0, 2000));
  EXPECT_LE(static_cast<std::int64_t>(run.out.size() + run.err.size()), bounds.output) << run.name;
  EXPECT_EQ(first_control(run.out), "") << run.name << ": standard output";
  EXPECT_EQ(first_control(run.err), "") << run.name << ": standard error";
  if (kHasSanitizer) return;
  EXPECT_LE(run.cpu_seconds, bounds.cpu_seconds) << run.name;
  EXPECT_LE(run.peak_memory, bounds.memory) << run.name;
}

void expect_refused(const HostileRun& run, const std::string& words) {
  expect_ended_well(run);
  EXPECT_GT(run.code, 0) << run.name;
  EXPECT_THAT(run.err, ::testing::HasSubstr(words)) << run.name;
}

void expect_unchanged(const Tree& before, const Tree& after,
                      const std::vector<std::string>& allowed) {
  const auto is_allowed = [&](const std::string& path) {
    return std::any_of(allowed.begin(), allowed.end(),
                       [&](const std::string& start) { return path.starts_with(start); });
  };
  for (const auto& [path, content] : before) {
    if (is_allowed(path)) continue;
    const auto now = after.find(path);
    ASSERT_NE(now, after.end()) << path << " is gone";
    EXPECT_EQ(now->second == content, true) << path << " was changed";
  }
  for (const auto& [path, content] : after) {
    EXPECT_TRUE(is_allowed(path) || before.contains(path)) << path << " was made";
  }
}

}  // namespace weft::testing_tools
