// The transition kernels of the CPU. Buffers are sized once for a call; rounds allocate nothing.
#include <algorithm>
#include <span>
#include <vector>

#include "framework/backends/cpu/base/clones.h"
#include "framework/backends/cpu/state_scores.h"
#include "framework/backends/cpu/vector_math.h"
#include "framework/ops/arc_system.h"
#include "framework/ops/transition_steps.h"

namespace weft {

namespace {

using transition::ArcSystem;
using transition::EntitySystem;

// Where the rows of one round go.
struct RoundRows {
  float* hidden;
  std::uint8_t* winners;
  std::int32_t* features;
};

// The states that are not final, and what they all share.
// All parses of a batch take one move per round, so that the scores of a round are one GEMM instead
// of one small one for each state. Parses that end drop out; the others keep their order.
template <transition::System S>
class Round {
 public:
  using State = typename S::State;

  explicit Round(const TransitionTaskOf<S>& task)
      : task_(task),
        scoring_(task.shape, task.weights, task.unseen),
        states_(task.states.begin(), task.states.end()) {
    for (std::size_t i = 0; i < states_.size(); ++i) {
      if (!states_[i].is_final()) active_.push_back(static_cast<std::int32_t>(i));
    }
    scores_.resize(active_.size() * static_cast<std::size_t>(task.shape.classes));
  }

  bool done() const { return active_.empty(); }
  int size() const { return static_cast<int>(active_.size()); }
  // The numbers of the states that are not final, ascending.
  std::span<const std::int32_t> active() const { return active_; }
  int number(int row) const { return active_[static_cast<std::size_t>(row)]; }
  const State& state(int row) const { return states_[static_cast<std::size_t>(number(row))]; }
  float* scores(int row) { return scores_.data() + std::ptrdiff_t{row} * task_.shape.classes; }

  // Fills hidden vectors, winners and features of every active state.
  void fill_hidden(const RoundRows& rows);
  // Rounds them to the format in which the policy stores them.
  void round_hidden(float* hidden) const { scoring_.round_hidden(size(), hidden); }
  // Scores from hidden vectors that the caller may have masked in between.
  void fill_scores(const float* hidden) { scoring_.fill_scores(size(), hidden, scores_.data()); }
  // Takes the classes (-1: none is valid, the parse ends) and drops what is finished.
  void advance(const std::int32_t* classes);

 private:
  const TransitionTaskOf<S>& task_;
  cpu::StateScoring scoring_;
  std::vector<State> states_;
  std::vector<std::int32_t> active_;
  std::vector<float> scores_;
};

template <transition::System S>
void Round<S>::fill_hidden(const RoundRows& rows) {
  const ScorerShape& shape = task_.shape;
  for (int r = 0; r < size(); ++r) {
    std::int32_t* features = rows.features + std::ptrdiff_t{r} * shape.features;
    S::features(state(r), shape.features, features);
    const std::ptrdiff_t at = std::ptrdiff_t{r} * shape.hidden;
    scoring_.fill_hidden(features, rows.hidden + at,
                         rows.winners == nullptr ? nullptr : rows.winners + at);
  }
  round_hidden(rows.hidden);
}

template <transition::System S>
void Round<S>::advance(const std::int32_t* classes) {
  std::size_t kept = 0;
  for (std::size_t r = 0; r < active_.size(); ++r) {
    if (classes[r] < 0) continue;
    State& state = states_[static_cast<std::size_t>(active_[r])];
    S::apply(state, task_.actions[static_cast<std::size_t>(classes[r])]);
    if (!state.is_final()) active_[kept++] = active_[r];
  }
  active_.resize(kept);
}

template <transition::System S>
void parse(Stream&, const TransitionTaskOf<S>& task, const TakenClasses& taken) {
  Round<S> round(task);
  const auto most = static_cast<std::size_t>(round.size());
  std::vector<float> hidden(most * static_cast<std::size_t>(task.shape.hidden));
  std::vector<std::int32_t> features(most * static_cast<std::size_t>(task.shape.features));
  std::vector<std::int32_t> classes(most);
  const int count = task.shape.classes;
  for (int step = 0; !round.done(); ++step) {
    round.fill_hidden({hidden.data(), nullptr, features.data()});
    round.fill_scores(hidden.data());
    for (int r = 0; r < round.size(); ++r) {
      const typename S::State& state = round.state(r);
      // Greedy: the best valid class is taken. Ties go the way `best_valid` says, on every device
      // alike.
      const auto valid = S::valid(state, task.marks);
      const int best = transition::best_valid(round.scores(r), task.actions.data(), count, valid);
      classes[static_cast<std::size_t>(r)] = best;
      taken.of(round.number(r), step) = best;
    }
    round.advance(classes.data());
  }
}

// Numbers of one state's classes.
struct ClassScratch {
  std::vector<float> costs;
  std::vector<double> terms;

  explicit ClassScratch(int classes)
      : costs(static_cast<std::size_t>(classes)), terms(costs.size()) {}
};

// Costs come from the dynamic oracle of the transition system: for each class, the gold annotation
// that can no longer be reached once it is taken. Training follows the model's own best class,
// right or wrong, so it sees the states that prediction will see (Goldberg and Nivre, 2012).
// Gradients of one round's scores and the classes that it takes.
template <transition::System S>
void judge(Round<S>& round, const TransitionTaskOf<S>& task, const TransitionGoldOf<S>& gold,
           TransitionRecord& record, ClassScratch& scratch) {
  float* costs = scratch.costs.data();
  const int count = task.shape.classes;
  for (int r = 0; r < round.size(); ++r) {
    const typename S::State& state = round.state(r);
    const auto valid = S::valid(state, task.marks);
    const auto number = static_cast<std::size_t>(round.number(r));
    S::fill_costs(state, task.actions.data(), count, valid, gold.of(number), costs);
    const int row = record.rows + r;
    float* d = record.d_scores + std::ptrdiff_t{row} * count;
    *record.loss +=
        transition::score_gradient(round.scores(r), costs, count, scratch.terms.data(), d);
    // Classes whose label no batch has shown yet do not learn, from other labels' examples either.
    for (std::size_t k = 0; k < task.unseen.size(); ++k) d[k] = task.unseen[k] != 0 ? 0 : d[k];
    record.state[row] = static_cast<std::int32_t>(number);
    record.classes[row] =
        transition::best_valid(round.scores(r), task.actions.data(), count, valid);
  }
}

template <transition::System S>
void train(Stream&, const TransitionTaskOf<S>& task, const TransitionGoldOf<S>& gold,
           TransitionRecord& record) {
  *record.loss = 0.0;
  Round<S> round(task);
  ClassScratch scratch(task.shape.classes);
  const int hidden = task.shape.hidden;
  for (int k = 0; !round.done() && (gold.max_rounds <= 0 || k < gold.max_rounds); ++k) {
    const std::ptrdiff_t at = std::ptrdiff_t{record.rows} * hidden;
    float* rows = record.hidden + at;
    round.fill_hidden({rows, record.winners + at,
                       record.features + std::ptrdiff_t{record.rows} * task.shape.features});
    const std::ptrdiff_t filled = std::ptrdiff_t{round.size()} * hidden;
    if constexpr (requires { gold.draw; }) {
      if (gold.draw) gold.draw(record.rows, k, round.active());
    }
    // The record keeps the masked vectors: they are the inputs of the upper layer in its backward
    // pass.
    if (gold.mask != nullptr) multiply_by(rows, gold.mask + at, filled);
    round.round_hidden(rows);
    round.fill_scores(rows);
    judge(round, task, gold, record, scratch);
    const std::int32_t* classes = record.classes + record.rows;
    record.rows += round.size();
    round.advance(classes);
  }
}

void find_singles(Stream&, const ScorerShape& shape, const TransitionRecord& record, View order,
                  View place, std::int64_t& singles) {
  const auto tokens = static_cast<std::int32_t>(order.size());
  std::vector<std::uint8_t> has_others(static_cast<std::size_t>(tokens));
  for (int r = 0; r < record.rows; ++r) {
    const std::int32_t* features = record.features + std::ptrdiff_t{r} * shape.features;
    for (int f = 1; f < shape.features; ++f) {
      if (features[f] >= 0) has_others[static_cast<std::size_t>(features[f])] = 1;
    }
  }
  if (tokens > 0) has_others.back() = 1;
  auto* const all = order.as<std::int32_t>();
  std::int32_t* next = all;
  for (const std::uint8_t others : {0, 1}) {
    for (std::int32_t t = 0; t < tokens; ++t) {
      if (has_others[static_cast<std::size_t>(t)] == others) *next++ = t;
    }
    if (others == 0) singles = next - all;
  }
  if (2 * singles < tokens || shape.features == 1) singles = 0;
  for (std::int32_t i = 0; i < tokens; ++i) place.as<std::int32_t>()[all[i]] = i;
}

// Where the gradient of a token's feature is added up.
inline float* gradient_of(const LowerGradient& d, const ScorerShape& shape, std::int32_t token,
                          int feature) {
  const std::ptrdiff_t slice = shape.slice();
  if (d.place == nullptr) return d.whole + std::ptrdiff_t{token} * shape.row() + feature * slice;
  const std::ptrdiff_t at = d.place[token];
  if (feature == 0) return d.first + at * slice;
  return d.rest + (at - d.singles) * (shape.row() - slice) + (feature - 1) * slice;
}

// Adds the gradient of one state's hidden vector to the rows its features came from; it goes to the
// pieces that won. `d_sum` is scratch of shape.slice() numbers.
WEFT_CPU_CLONES
void scatter_row(const ScorerShape& shape, const std::int32_t* features, const float* d_hidden,
                 const std::uint8_t* winners, float* d_sum, const LowerGradient& d_lower,
                 float* d_pad, float* d_bias) {
  const std::ptrdiff_t slice = shape.slice();
  std::fill_n(d_sum, slice, 0.0F);
  for (int o = 0; o < shape.hidden; ++o) {
    if (winners[o] < shape.pieces) d_sum[o * shape.pieces + winners[o]] = d_hidden[o];
  }
  add_to(d_bias, d_sum, slice);
  for (int f = 0; f < shape.features; ++f) {
    float* to = features[f] < 0 ? d_pad + f * slice : gradient_of(d_lower, shape, features[f], f);
    add_to(to, d_sum, slice);
  }
}

void scatter(Stream&, const ScorerShape& shape, const TransitionRecord& record,
             const float* d_hidden, const LowerGradient& d_lower, float* d_pad, float* d_bias) {
  std::vector<float> d_sum(static_cast<std::size_t>(shape.slice()));
  // Row by row in the order of the record: tokens are shared by many states, so the order of
  // additions is part of the result.
  for (int r = 0; r < record.rows; ++r) {
    const std::ptrdiff_t at = std::ptrdiff_t{r} * shape.hidden;
    scatter_row(shape, record.features + std::ptrdiff_t{r} * shape.features, d_hidden + at,
                record.winners + at, d_sum.data(), d_lower, d_pad, d_bias);
  }
}

const KernelRegistration<TransitionParse> parse_kernel{DeviceKind::cpu, parse<EntitySystem>};
const KernelRegistration<TransitionTrain> train_kernel{DeviceKind::cpu, train<EntitySystem>};
const KernelRegistration<TransitionParseOf<ArcSystem>> arc_parse_kernel{DeviceKind::cpu,
                                                                        parse<ArcSystem>};
const KernelRegistration<TransitionTrainOf<ArcSystem>> arc_train_kernel{DeviceKind::cpu,
                                                                        train<ArcSystem>};
const KernelRegistration<TransitionSingles> singles_kernel{DeviceKind::cpu, find_singles};
const KernelRegistration<TransitionScatter> scatter_kernel{DeviceKind::cpu, scatter};

}  // namespace

}  // namespace weft
