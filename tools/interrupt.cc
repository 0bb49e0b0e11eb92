#include "tools/interrupt.h"

#include <algorithm>
#include <array>
#include <csignal>

namespace weft::tools {
namespace {

struct Named {
  int signal;
  std::string_view name;
};
constexpr std::array kSignals = {
    Named{SIGINT, "SIGINT"},    // Ctrl-C
    Named{SIGTERM, "SIGTERM"},  // kill, batch systems, shutdown
    Named{SIGHUP, "SIGHUP"},    // the terminal was closed, the connection was lost
    Named{SIGUSR1, "SIGUSR1"},  // a batch system's warning
    Named{SIGUSR2, "SIGUSR2"},
};

volatile std::sig_atomic_t received = 0;

void remember(int signal) {
  received = signal;
  std::signal(signal, SIG_DFL);
}

}  // namespace

Interrupt::Interrupt() {
  received = 0;
  for (const Named& named : kSignals) {
    if (std::signal(named.signal, remember) == SIG_IGN) std::signal(named.signal, SIG_IGN);
  }
}

Interrupt::~Interrupt() {
  struct sigaction now {};
  for (const Named& named : kSignals) {
    const bool ignored = ::sigaction(named.signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
    if (!ignored) std::signal(named.signal, SIG_DFL);
  }
}

int Interrupt::signal() const {
  return received;
}

std::string_view name_of_signal(int signal) {
  const auto named = std::find_if(kSignals.begin(), kSignals.end(),
                                  [signal](const Named& one) { return one.signal == signal; });
  return named == kSignals.end() ? "a signal" : named->name;
}

}  // namespace weft::tools
