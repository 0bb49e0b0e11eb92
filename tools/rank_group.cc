#include "tools/rank_group.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <iostream>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "framework/comm/comm_error.h"
#include "framework/comm/socket.h"
#include "registry/base/error.h"
#include "tools/interrupt.h"

namespace weft::tools {
namespace {

using Clock = std::chrono::steady_clock;

// Ranks that do not end by themselves after one has failed are ended, and so are those that stand
// still after one has ended: nobody is left who would wait for them with a deadline.
constexpr std::chrono::seconds kGrace{10};
constexpr std::array kPassedOn = {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};

// Signals are waited for, not handled, by the process that watches the ranks.
class HeldSignals {
 public:
  HeldSignals() {
    sigset_t held;
    sigemptyset(&held);
    sigaddset(&held, SIGCHLD);
    for (const int signal : kPassedOn) sigaddset(&held, signal);
    ::sigprocmask(SIG_BLOCK, &held, &before_);
    held_ = held;
  }
  ~HeldSignals() { release(); }
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

  void release() const { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }
  // The next one; 0 after a while without any.
  int next() const {
    const timespec pause{0, 200'000'000};
    const int signal = ::sigtimedwait(&held_, nullptr, &pause);
    return signal > 0 ? signal : 0;
  }

 private:
  sigset_t held_{}, before_{};
};

struct Rank {
  pid_t pid = -1;
  std::optional<int> status = {};                    // of waitpid, of its end
  std::optional<Clock::time_point> stopped_at = {};  // by a signal, until it goes on

  bool has_ended() const { return status.has_value(); }
  bool is_lost() const {
    return has_ended() && (WIFSIGNALED(*status) ||
                           (WIFEXITED(*status) && WEXITSTATUS(*status) == kExitOfLostPeer));
  }
  bool has_failed() const { return has_ended() && *status != 0; }
};

class Group {
 public:
  explicit Group(std::vector<Rank> ranks) : ranks_(std::move(ranks)) {}

  // Waits for all of them. Gives the exit code of the program.
  int watch(const HeldSignals& signals) {
    std::optional<Clock::time_point> failed_at;
    while (!all_have_ended()) {
      const int signal = signals.next();
      if (signal != 0 && signal != SIGCHLD) pass_on(signal);
      if (reap() && !failed_at) failed_at = Clock::now();
      if (failed_at && Clock::now() > *failed_at + kGrace) kill_the_rest();
      kill_stopped();
    }
    return code();
  }

 private:
  bool all_have_ended() const {
    for (const Rank& rank : ranks_) {
      if (!rank.has_ended()) return false;
    }
    return true;
  }

  // Whether one has failed so far.
  bool reap() {
    bool has_failed = false;
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
      Rank& rank = ranks_[i];
      if (!rank.has_ended() && look_at(rank)) tell(i, rank);
      has_failed = has_failed || rank.has_failed();
    }
    return has_failed;
  }

  // Whether it ended since.
  static bool look_at(Rank& rank) {
    int status = 0;
    while (::waitpid(rank.pid, &status, WNOHANG | WUNTRACED | WCONTINUED) == rank.pid) {
      if (WIFSTOPPED(status)) {
        rank.stopped_at = Clock::now();
      } else if (WIFCONTINUED(status)) {
        rank.stopped_at.reset();
      } else {
        rank.status = status;
        return true;
      }
    }
    return false;
  }

  void kill_stopped() {
    const bool has_end = std::any_of(ranks_.begin(), ranks_.end(),
                                     [](const Rank& rank) { return rank.has_ended(); });
    if (!has_end) return;
    for (Rank& rank : ranks_) {
      if (rank.has_ended() || !rank.stopped_at) continue;
      if (Clock::now() > *rank.stopped_at + kGrace) ::kill(rank.pid, SIGKILL);
    }
  }

  void tell(std::size_t number, const Rank& rank) const {
    if (!WIFSIGNALED(*rank.status) || is_killing_) return;
    std::cerr << fmt::format("weft: rank {} (process {}) was ended by signal {} ({})\n", number,
                             rank.pid, WTERMSIG(*rank.status), ::strsignal(WTERMSIG(*rank.status)));
  }

  void pass_on(int signal) {
    passed_on_ = signal;
    for (const Rank& rank : ranks_) {
      if (!rank.has_ended()) ::kill(rank.pid, signal);
    }
  }

  void kill_the_rest() {
    is_killing_ = true;
    for (const Rank& rank : ranks_) {
      if (!rank.has_ended()) ::kill(rank.pid, SIGKILL);
    }
  }

  int code() const {
    for (const Rank& rank : ranks_) {
      const bool by_signal = rank.has_ended() && WIFSIGNALED(*rank.status);
      if (by_signal && WTERMSIG(*rank.status) == passed_on_) return 128 + passed_on_;
    }
    for (const Rank& rank : ranks_) {
      const bool is_error = rank.has_failed() && !rank.is_lost();
      if (is_error) return WEXITSTATUS(*rank.status);
    }
    for (const Rank& rank : ranks_) {
      if (rank.is_lost()) return passed_on_ != 0 ? end_by_signal() : kExitOfLostPeer;
    }
    return 0;
  }

  // Ranks that lose each other meanwhile can save nothing.
  int end_by_signal() const {
    std::cerr << fmt::format(
        "weft: {} came while a rank was lost; the last checkpoint stays, and "
        "--resume goes on from it\n",
        name_of_signal(passed_on_));
    return 128 + passed_on_;
  }

  std::vector<Rank> ranks_;
  int passed_on_ = 0;
  bool is_killing_ = false;
};

// In a rank: it ends with the process that watches it.
void become_rank(const HeldSignals& signals, pid_t watcher) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != watcher) ::_exit(kExitOfLostPeer);
  ::setpgid(0, 0);  // a terminal's signals come through the watcher, once
  signals.release();
}

}  // namespace

std::optional<ForkedRank> fork_ranks(int workers, int max_restarts,
                                     const std::function<bool()>& has_begun, GroupEnd& end) {
  const HeldSignals signals;
  const pid_t watcher = ::getpid();
  for (int attempt = 0;; ++attempt) {
    const bool goes_on = attempt > 0 && has_begun();
    Descriptor socket = listen_at("127.0.0.1", 0);
    const std::uint16_t port = port_of(socket);
    std::vector<Rank> ranks;
    std::cout.flush();
    std::cerr.flush();
    for (int rank = 0; rank < workers; ++rank) {
      const pid_t pid = ::fork();
      if (pid < 0) throw Error(ErrorKind::system, "no process can be started for a rank");
      if (pid > 0) {
        ranks.push_back({pid});
        continue;
      }
      become_rank(signals, watcher);
      Launch launch{.rank = rank,
                    .size = workers,
                    .engine = workers > 1 ? "gloo" : "self",
                    .address = "127.0.0.1",
                    .port = port};
      if (launch.is_root()) launch.listening = ::dup(socket.get());
      return ForkedRank{launch, goes_on};
    }
    socket.reset();
    end.code = Group(std::move(ranks)).watch(signals);
    if (end.code != kExitOfLostPeer || attempt >= max_restarts) return std::nullopt;
    std::cerr << fmt::format("weft: starting the ranks again ({} of {})\n", attempt + 1,
                             max_restarts);
  }
}

}  // namespace weft::tools
