#include "framework/training/chain_log.h"

#include <exception>
#include <memory>
#include <utility>

namespace weft {
namespace {

class ChainSession : public LogSession {
 public:
  ChainSession(std::vector<std::unique_ptr<LogSession>> parts, RowOrder rows)
      : parts_(std::move(parts)), rows_(rows) {}

  void stepped(std::int64_t step) override {
    tell_all([&](LogSession& part) { part.stepped(step); });
  }
  void evaluated(const TrainingInfo& info) override {
    const auto tell = [&](LogSession& part) { part.evaluated(info); };
    if (rows_ == RowOrder::last_first) {
      tell_each(parts_.rbegin(), parts_.rend(), tell);
    } else {
      tell_all(tell);
    }
  }
  ProgressTarget progress_target() const override {
    for (const auto& part : parts_) {
      const ProgressTarget target = part->progress_target();
      if (target != ProgressTarget::unsaid) return target;
    }
    return ProgressTarget::unsaid;
  }
  Node position() override {
    List positions;
    for (const auto& part : parts_) positions.push_back(part->position());
    return positions;
  }
  void ended(LogEnd end) override {
    tell_all([&](LogSession& part) { part.ended(end); });
  }
  void finish() override {
    tell_all([](LogSession& part) { part.finish(); });
  }

 private:
  void tell_all(const auto& tell) { tell_each(parts_.begin(), parts_.end(), tell); }

  // Those behind one that throws are told too: its fault takes nothing away from them.
  static void tell_each(auto part, const auto& end, const auto& tell) {
    std::exception_ptr first;
    for (; part != end; ++part) {
      try {
        tell(**part);
      } catch (...) {
        if (!first) first = std::current_exception();
      }
    }
    if (first) std::rethrow_exception(first);
  }

  std::vector<std::unique_ptr<LogSession>> parts_;
  RowOrder rows_;
};

// The part of a chain's position that belongs to log number `i`; null if there is none.
const Node* part_of(const Node* resumed, std::size_t i) {
  if (resumed == nullptr || !resumed->is_list() || i >= resumed->as_list().size()) return nullptr;
  return &resumed->as_list()[i];
}

}  // namespace

Logger chain_logs(std::vector<Logger> logs, RowOrder rows) {
  return {[logs = std::move(logs), rows](const LogSetup& setup) -> std::unique_ptr<LogSession> {
    std::vector<std::unique_ptr<LogSession>> parts;
    for (std::size_t i = 0; i < logs.size(); ++i) {
      LogSetup own = setup;
      own.resumed = part_of(setup.resumed, i);
      parts.push_back(logs[i].start(own));
    }
    return std::make_unique<ChainSession>(std::move(parts), rows);
  }};
}

}  // namespace weft
