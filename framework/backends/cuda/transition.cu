// The transition kernels of a GPU, for any system whose states are plain numbers there. A block
// parses a document from its first token to its last without the host. Where some classes were
// never trained, they get the lowest score of all states of a round, so that the documents go on
// together, round by round, in three launches each; the host still waits for nothing, since it
// knows the rounds from the lengths.
#include <algorithm>
#include <string>

#include "framework/backends/cuda/column_sums.h"
#include "framework/backends/cuda/placed_arcs.h"
#include "framework/backends/cuda/scatter.h"
#include "framework/backends/cuda/transition_parse.h"
#include "framework/backends/cuda/zero_arrays.h"
#include "registry/base/error.h"

namespace weft::cuda {
namespace {

using transition::ArcSystem;
using transition::DeviceSystem;
using transition::EntitySystem;
using transition::PlacedArcSystem;

// Shared memory up to which blocks keep a copy of the upper layer.
constexpr std::int64_t kUpperBytes = 40 * 1024;
// Shared memory that every GPU gives a block.
constexpr std::size_t kBlockBytes = 64 * 1024;

// Of a block, which has one state: about as many as numbers of the hidden vector's pieces and as
// parts of scores, so that none has several to wait for.
constexpr int kThreadsOfState = 128;

// A document's parse is a loop in one block: no launch for each move, and nothing to wait for. The
// state lives in shared memory, and one thread changes it.
template <DeviceSystem S>
struct WholeParse {
  using State = typename S::State;

  ParseArguments<S> arguments;
  const State* states;
  bool copies_upper;

  static SharedSize shared_size(const ScorerShape& shape, bool trains, bool copies) {
    SharedSize size = ChoiceMemory::size(kThreadsOfState, shape.classes, trains);
    size.add(ScoreMemory::size(shape)).template add<State>(1);
    size.add<std::int32_t>(1).add<float>(shape.classes);
    return size.add<float>(copies ? std::ptrdiff_t{shape.hidden} * shape.classes : 0);
  }

  WEFT_KERNEL void operator()(Block& block) const {
    const ScorerShape& shape = arguments.shape;
    const ChoiceMemory memory = ChoiceMemory::take(block, shape.classes, arguments.trains());
    const ScoreMemory numbers = ScoreMemory::take(block, shape);
    ParsePlace<S> place;
    place.state = block.shared<State>(1);
    place.ended = block.shared<std::int32_t>(1);
    place.scores = block.shared<float>(shape.classes);
    const UpperWeights upper = copied_upper(block);
    const auto number = static_cast<std::int32_t>(block.index());
    const int left = S::steps_left(states[number]);
    const int steps = left < arguments.rounds ? left : arguments.rounds;
    block.each([&](int thread) {
      if (thread > 0) return;
      *place.state = states[number];
      *place.ended = place.state->is_final() ? 1 : 0;
    });
    for (int round = 0; round < steps; ++round) {
      const StateStep<S> step(block, arguments, place, number, round);
      step.fill_scores(numbers, upper);
      step.choose(memory);
    }
  }

  // Class by class in the memory of the device, unit by unit in that of the block, where
  // neighbouring threads, which have neighbouring classes, find theirs side by side.
  WEFT_KERNEL UpperWeights copied_upper(Block& block) const {
    const int hidden = arguments.shape.hidden, classes = arguments.shape.classes;
    if (!copies_upper) return {arguments.weights.upper, hidden, 1};
    float* copy = block.shared<float>(std::ptrdiff_t{hidden} * classes);
    block.each([&](int thread) {
      for (int i = thread; i < hidden * classes; i += block.threads()) {
        copy[i % hidden * classes + i / hidden] = arguments.weights.upper[i];
      }
    });
    return {copy, 1, classes};
  }
};

// State that a round of all documents leaves for the next, in the memory of the device.
template <DeviceSystem S>
struct RoundMemory {
  typename S::State* states;
  std::int32_t* ended;
  float* scores;  // (states, classes)
  float* lowest;  // one

  WEFT_KERNEL ParsePlace<S> place(std::int64_t s, int classes) const {
    return {states + s, ended + s, scores + s * classes};
  }
};

template <DeviceSystem S>
struct RoundScores {
  ParseArguments<S> arguments;
  RoundMemory<S> memory;
  int round;

  WEFT_KERNEL void operator()(Block& block) const {
    const ScorerShape& shape = arguments.shape;
    const ScoreMemory numbers = ScoreMemory::take(block, shape);
    const auto number = static_cast<std::int32_t>(block.index());
    const ParsePlace<S> place = memory.place(number, shape.classes);
    const StateStep<S> step(block, arguments, place, number, round);
    step.fill_scores(numbers, {arguments.weights.upper, shape.hidden, 1});
  }
};

// The lowest score of all states of the round. A minimum is the same in any order.
template <DeviceSystem S>
struct RoundLowest {
  RoundMemory<S> memory;
  std::int64_t count;  // of scores

  WEFT_KERNEL void operator()(Block& block) const {
    float* lowest = block.shared<float>(block.threads());
    block.each([&](int thread) {
      float value = memory.scores[0];
      for (std::int64_t i = thread; i < count; i += block.threads()) {
        value = memory.scores[i] < value ? memory.scores[i] : value;
      }
      lowest[thread] = value;
    });
    block.each([&](int thread) {
      if (thread > 0) return;
      for (int t = 1; t < block.threads(); ++t) {
        lowest[0] = lowest[t] < lowest[0] ? lowest[t] : lowest[0];
      }
      *memory.lowest = lowest[0];
    });
  }
};

template <DeviceSystem S>
struct RoundChoice {
  ParseArguments<S> arguments;
  RoundMemory<S> memory;
  int round;

  WEFT_KERNEL void operator()(Block& block) const {
    const int classes = arguments.shape.classes;
    const ChoiceMemory choice = ChoiceMemory::take(block, classes, arguments.trains());
    const auto number = static_cast<std::int32_t>(block.index());
    const ParsePlace<S> place = memory.place(number, classes);
    const StateStep<S> step(block, arguments, place, number, round);
    step.lower_unseen(memory.lowest);
    step.choose(choice);
  }
};

// Losses of rows are added in a fixed order: first each thread its own, then a tree of the threads.
struct SumOfLosses {
  const float* row_loss;
  std::int64_t rows;
  double* loss;

  WEFT_KERNEL void operator()(Block& block) const {
    double* sums = block.shared<double>(block.threads());
    block.each([&](int thread) {
      double sum = 0.0;
      for (std::int64_t i = thread; i < rows; i += block.threads()) sum += row_loss[i];
      sums[thread] = sum;
    });
    for (int apart = block.threads() / 2; apart > 0; apart /= 2) {
      block.each([&](int thread) {
        if (thread < apart) sums[thread] += sums[thread + apart];
      });
    }
    block.each([&](int thread) {
      if (thread == 0) *loss = sums[0];
    });
  }
};

template <DeviceSystem S>
ParseArguments<S> arguments_of(const TransitionTaskOf<S>& task) {
  if (task.shape.features > kMostFeatures) {
    throw Error(ErrorKind::device, "states of " + std::to_string(task.shape.features) +
                                       " features; the device has room for " +
                                       std::to_string(kMostFeatures));
  }
  ParseArguments<S> arguments;
  arguments.shape = task.shape;
  arguments.weights = task.weights;
  arguments.actions = task.actions.data();
  arguments.unseen = task.unseen.empty() ? nullptr : task.unseen.data();
  arguments.marks = task.marks;
  arguments.round_begin = task.rounds.device_begin;
  arguments.rounds = task.rounds.count;
  arguments.busy_threads = std::min(task.shape.classes, kThreadsOfState);
  return arguments;
}

template <DeviceSystem S>
void run_whole(DeviceStream& stream, const TransitionTaskOf<S>& task,
               const ParseArguments<S>& arguments) {
  const ScorerShape& shape = task.shape;
  const std::int64_t upper_bytes = std::int64_t{4} * shape.hidden * shape.classes;
  const bool copies =
      shape.has_upper && upper_bytes <= kUpperBytes &&
      WholeParse<S>::shared_size(shape, arguments.trains(), true).bytes() <= kBlockBytes;
  launch(stream, static_cast<std::int64_t>(task.states.size()), kThreadsOfState,
         WholeParse<S>::shared_size(shape, arguments.trains(), copies),
         WholeParse<S>{arguments, task.states.data(), copies});
}

template <DeviceSystem S>
void run_rounds(DeviceStream& stream, const TransitionTaskOf<S>& task,
                const ParseArguments<S>& arguments) {
  const ScorerShape& shape = task.shape;
  const auto count = static_cast<std::int64_t>(task.states.size());
  const Scratch<typename S::State> states(stream, count);
  const Scratch<std::int32_t> ended(stream, count);
  const Scratch<float> scores(stream, count * shape.classes + 1);
  const RoundMemory<S> memory{states.data(), ended.data(), scores.data() + 1, scores.data()};
  stream.copy(states.data(), task.states.data(), task.states.size_bytes(),
              CopyKind::device_to_device);
  stream.zero(ended.data(), task.states.size() * sizeof(std::int32_t));
  const SharedSize choice = ChoiceMemory::size(kThreadsOfState, shape.classes, arguments.trains());
  for (int round = 0; round < task.rounds.count; ++round) {
    // Parses come longest first, so those that a round may still move are the first `active` ones.
    // One that ended early stays marked as ended and does nothing.
    const std::int64_t active = task.rounds.begin[round + 1] - task.rounds.begin[round];
    launch(stream, active, kThreadsOfState, ScoreMemory::size(shape),
           RoundScores<S>{arguments, memory, round});
    launch(stream, 1, kThreads, SharedSize().add<float>(kThreads),
           RoundLowest<S>{memory, active * shape.classes});
    launch(stream, active, kThreadsOfState, choice, RoundChoice<S>{arguments, memory, round});
  }
}

template <DeviceSystem S>
void run(DeviceStream& stream, const TransitionTaskOf<S>& task,
         const ParseArguments<S>& arguments) {
  if (task.states.empty() || task.rounds.count == 0) return;
  // Rounds of all documents together are needed only where the lowest score of a round is.
  if (arguments.unseen == nullptr) {
    run_whole<S>(stream, task, arguments);
  } else {
    run_rounds<S>(stream, task, arguments);
  }
}

template <DeviceSystem S>
void parse(Stream& stream, const TransitionTaskOf<S>& task, const TakenClasses& taken) {
  ParseArguments<S> arguments = arguments_of<S>(task);
  arguments.taken = taken;
  run<S>(device_stream(stream), task, arguments);
}

// Rows that no parse reaches stay zeros.
void clear(DeviceStream& stream, const ScorerShape& shape, const TransitionRecord& record,
           float* row_loss) {
  const auto rows = [&](auto* array, int width) {
    return ZeroedArray{
        array, std::int64_t{record.rows} * width * static_cast<std::int64_t>(sizeof *array)};
  };
  zero_arrays(stream, {rows(record.hidden, shape.hidden), rows(record.winners, shape.hidden),
                       rows(record.features, shape.features), rows(record.d_scores, shape.classes),
                       rows(record.classes, 1), rows(record.state, 1), rows(row_loss, 1)});
}

template <DeviceSystem S>
void train(Stream& stream, const TransitionTaskOf<S>& task, const TransitionGoldOf<S>& gold,
           TransitionRecord& record) {
  DeviceStream& queue = device_stream(stream);
  const std::int64_t rows = task.rounds.count == 0 ? 0 : task.rounds.begin[task.rounds.count];
  record.rows = static_cast<int>(rows);
  const Scratch<float> row_loss(queue, rows);
  const auto sum_losses = [&] {
    launch(queue, 1, kThreads, SharedSize().add<double>(kThreads),
           SumOfLosses{row_loss.data(), rows, record.loss});
  };
  if (rows == 0) return sum_losses();
  clear(queue, task.shape, record, row_loss.data());
  ParseArguments<S> arguments = arguments_of<S>(task);
  arguments.gold = gold;
  arguments.record = record;
  arguments.row_loss = row_loss.data();
  run<S>(queue, task, arguments);
  sum_losses();
}

// Dependencies: the host has the states and the gold annotation.
TransitionTaskOf<PlacedArcSystem> placed_task(const TransitionTaskOf<ArcSystem>& task,
                                              const PlacedArcStates& states) {
  return {task.shape,   task.weights, task.actions, task.unseen,
          states.all(), task.marks,   task.rounds};
}

void parse_arcs(Stream& stream, const TransitionTaskOf<ArcSystem>& task,
                const TakenClasses& taken) {
  const PlacedArcStates states(device_stream(stream), task.states, task.rounds.count);
  parse<PlacedArcSystem>(stream, placed_task(task, states), taken);
}

void train_arcs(Stream& stream, const TransitionTaskOf<ArcSystem>& task,
                const TransitionGoldOf<ArcSystem>& gold, TransitionRecord& record) {
  const PlacedArcStates states(device_stream(stream), task.states, task.rounds.count);
  const PlacedArcGold parses(device_stream(stream), gold.parses);
  TransitionGoldOf<PlacedArcSystem> placed;
  placed.parses = parses.all();
  placed.max_rounds = gold.max_rounds;
  placed.mask = gold.mask;
  train<PlacedArcSystem>(stream, placed_task(task, states), placed, record);
}

// Adds the gradient of row r of the record to each of its features: the gradient of its hidden
// vector at the pieces that won.
struct WinnersGradient {
  const float* d_hidden;
  const std::uint8_t* winners;
  int hidden, pieces;
  WEFT_KERNEL float operator()(std::int64_t row, std::int64_t j) const {
    const std::int64_t at = row * hidden + j / pieces;
    return winners[at] == j % pieces ? d_hidden[at] : 0.0F;
  }
};

// The rows (feature of a token) come after those of the pad.
struct FeatureKeys {
  const std::int32_t* features;
  std::uint32_t count;  // of features of a state
  WEFT_KERNEL std::uint32_t operator()(std::int64_t e) const {
    const auto f = static_cast<std::uint32_t>(e % count);
    return static_cast<std::uint32_t>(features[e] + 1) * count + f;
  }
};

// A hidden vector has the same gradient for each of its features, so entries of the sorted list
// share it; the keys say which row of the lower layer's input it belongs to.
struct FeatureRows {
  WinnersGradient gradient;
  std::uint32_t count;
  std::int64_t slice;
  float* d_pad;
  float* d_lower;
  WEFT_KERNEL float load(std::uint32_t entry, std::int64_t j) const {
    return gradient(entry / count, j);
  }
  WEFT_KERNEL void add(std::uint32_t key, std::int64_t j, float sum) const {
    float* to = key < count ? d_pad + key * slice : d_lower + (key - count) * slice;
    to[j] += sum;
  }
};

void scatter(Stream& stream, const ScorerShape& shape, const TransitionRecord& record,
             const float* d_hidden, const LowerGradient& d_lower, float* d_pad, float* d_bias) {
  DeviceStream& queue = device_stream(stream);
  const auto count = static_cast<std::uint32_t>(shape.features);
  const WinnersGradient gradient{d_hidden, record.winners, shape.hidden, shape.pieces};
  store_sums_of_columns(queue, record.rows, shape.slice(), gradient,
                        View(d_bias, DType::f32, {shape.slice()}), 1.0F);
  scatter_sorted(queue, std::int64_t{record.rows} * shape.features, 32, shape.slice(),
                 FeatureKeys{record.features, count},
                 FeatureRows{gradient, count, shape.slice(), d_pad, d_lower.whole});
}

const KernelRegistration<TransitionParse> parse_kernel{DeviceKind::cuda, parse<EntitySystem>};
const KernelRegistration<TransitionTrain> train_kernel{DeviceKind::cuda, train<EntitySystem>};
const KernelRegistration<TransitionParseOf<ArcSystem>> arc_parse_kernel{DeviceKind::cuda,
                                                                        parse_arcs};
const KernelRegistration<TransitionTrainOf<ArcSystem>> arc_train_kernel{DeviceKind::cuda,
                                                                        train_arcs};
const KernelRegistration<TransitionScatter> scatter_kernel{DeviceKind::cuda, scatter};

}  // namespace
}  // namespace weft::cuda
