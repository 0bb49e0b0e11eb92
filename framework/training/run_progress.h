// The progress line of a run: reading, training, evaluating; how fast, and how long it
// will take.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <utility>

#include "framework/training/logger.h"
#include "framework/training/progress_line.h"
#include "registry/base/export.h"

namespace weft {

// How often something happens, over the last so many seconds.
class WEFT_API MovingRate {
 public:
  explicit MovingRate(double window = 20.0) : window_(window) {}
  void add(double count, double seconds);
  // Per second; 0 before anything happened.
  double rate() const { return seconds_ > 0.0 ? count_ / seconds_ : 0.0; }

 private:
  double window_;
  std::deque<std::pair<double, double>> samples_;
  double count_ = 0.0, seconds_ = 0.0;
};

// "0:05", "2:03:59", "3d 04:00": whole seconds.
WEFT_API std::string duration_text(double seconds);

// Where a run stands and where it ends at the latest.
struct RunStand {
  std::int64_t step = 0;  // the last one
  std::int64_t epoch = 0;
  std::optional<double> last_step = {};  // of the run, or what is known of it; none: no end known
  bool may_end_sooner = false;           // by patience
  std::int64_t eval_frequency = 1;
};

class WEFT_API RunProgress {
 public:
  using Clock = std::function<double()>;  // seconds

  // `clock` is for tests; the stream outlives this.
  RunProgress(std::ostream& terminal, std::function<int()> width, Clock clock = {});

  ProgressLine& line() { return line_; }
  void aim_at(ProgressTarget target) { target_ = target; }

  // Documents of a corpus before the first step, from any thread; afterwards it does nothing.
  void reading(const std::string& corpus, std::int64_t documents);
  void begin();  // the first step

  void begin_step();
  void stepped(const RunStand& stand);
  void begin_evaluation(std::int64_t documents);  // 0: unknown
  void evaluated(std::int64_t documents);         // so far
  void end_evaluation();

 private:
  ProgressParts training_parts(const RunStand& stand) const;

  Clock clock_;
  ProgressLine line_;
  ProgressTarget target_ = ProgressTarget::unsaid;
  std::atomic<bool> has_begun_{false};
  MovingRate steps_;
  double step_began_ = 0.0;
  MovingRate documents_;
  double evaluation_began_ = 0.0, evaluated_at_ = 0.0;
  double evaluation_seconds_ = 0.0;  // of the last one
  std::int64_t to_evaluate_ = 0, evaluated_ = 0;
};

}  // namespace weft
