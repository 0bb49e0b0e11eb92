// The dependency parser's kernels of devices against those of the CPU, on random weights, marks and
// gold trees.
#include <algorithm>
#include <string>
#include <vector>

#include "framework/ops/arc_system.h"
#include "framework/ops/random.h"
#include "tests/framework/backends/transition_records.h"

namespace weft {
namespace {

using transition::ArcAction;
using transition::ArcGold;
using transition::ArcMove;
using transition::ArcState;
using transition::ArcSystem;

struct ArcSetting {
  std::string what;
  ScorerShape shape{.features = 8, .hidden = 16, .pieces = 2, .classes = 0, .has_upper = true};
  bool marks = false, mask = false, unseen = false;
  int taken = 0;  // steps before the parses begin
  int max_rounds = 0;
  std::vector<int> lengths{1, 5, 9, 3, 17, 1, 4};
};

constexpr std::uint64_t kLabels[] = {101, 202, 303};

// One batch, on the host; states come longest first.
struct ArcBatch {
  ArcBatch(const ArcSetting& setting, std::uint64_t seed);

  std::uint64_t draw(std::uint64_t bound) { return random.below(drawn++, bound); }
  std::vector<float> numbers(int count, float scale) {
    std::vector<float> result(static_cast<std::size_t>(count));
    for (float& x : result) x = scale * (2.0F * random.uniform(drawn++) - 1.0F);
    return result;
  }
  void add_gold(int length);
  void take_steps(const ArcSetting& setting);

  RandomStream random;
  std::uint64_t drawn = 0;
  ScorerShape shape;
  std::vector<ArcAction> actions;
  std::vector<std::uint8_t> unseen;
  std::vector<ArcState> states;
  std::vector<std::int8_t> sent_start;
  std::vector<ArcGold> gold;
  std::vector<std::int32_t> round_begin{0};
  std::vector<float> lower, pad, lower_bias, upper, upper_bias, mask;

  std::size_t rows() const { return static_cast<std::size_t>(round_begin.back()); }
};

// Any heads will do: costs are asked for whatever the tree is.
void ArcBatch::add_gold(int length) {
  ArcGold one;
  for (int i = 0; i < length; ++i) {
    one.known.push_back(static_cast<std::uint8_t>(draw(5) != 0));
    const auto head = static_cast<std::int32_t>(draw(static_cast<std::uint64_t>(length)));
    one.head.push_back(one.known.back() != 0 ? head : 0);
    one.label.push_back(kLabels[draw(3)]);
    one.starts.push_back(static_cast<std::int8_t>(static_cast<int>(draw(3)) - 1));
    const bool is_marked =
        sent_start[sent_start.size() - static_cast<std::size_t>(length - i)] == 1;
    one.next_mark.push_back(is_marked ? i : length);
  }
  for (int i = length - 1; i-- > 0;) {
    const auto at = static_cast<std::size_t>(i);
    if (one.next_mark[at] != i) one.next_mark[at] = one.next_mark[at + 1];
  }
  one.kids_begin.push_back(0);
  for (int head = 0; head < length; ++head) {
    for (int i = 0; i < length; ++i) {
      if (one.is_real(i) && one.head[static_cast<std::size_t>(i)] == head) one.kids.push_back(i);
    }
    one.kids_begin.push_back(static_cast<std::int32_t>(one.kids.size()));
  }
  gold.push_back(std::move(one));
}

// Parses that begin in the middle, of which some tokens are not held any more.
void ArcBatch::take_steps(const ArcSetting& setting) {
  for (ArcState& state : states) {
    for (int i = 0; i < setting.taken; ++i) {
      std::vector<float> scores = numbers(shape.classes, 1.0F);
      if (state.is_final()) break;
      const int best = transition::best_valid(scores.data(), actions.data(), shape.classes,
                                              ArcSystem::valid(state, {sent_start.data()}));
      if (best < 0) break;
      ArcSystem::apply(state, actions[static_cast<std::size_t>(best)]);
    }
    state.trim();
  }
}

ArcBatch::ArcBatch(const ArcSetting& setting, std::uint64_t seed)
    : random(seed, 0, 0), shape(setting.shape) {
  actions = {{ArcMove::shift, 0}, {ArcMove::reduce, 0}};
  for (const std::uint64_t label : kLabels) {
    actions.push_back({ArcMove::left, label, label == kLabels[2]});
    actions.push_back({ArcMove::right, label, label == kLabels[2]});
  }
  actions.push_back({ArcMove::sentence, kLabels[0]});
  shape.classes = static_cast<int>(actions.size());
  if (!shape.has_upper) shape.hidden = shape.classes;
  std::vector<int> lengths = setting.lengths;
  std::stable_sort(lengths.begin(), lengths.end(), std::greater<>());
  for (const int length : lengths) {
    states.emplace_back(static_cast<std::int32_t>(sent_start.size()), length);
    for (int i = 0; i < length; ++i) {
      const auto mark = static_cast<std::int8_t>(static_cast<int>(draw(3)) - 1);
      sent_start.push_back(setting.marks ? mark : std::int8_t{0});
    }
    add_gold(length);
  }
  take_steps(setting);
  for (int round = 0; setting.max_rounds == 0 || round < setting.max_rounds; ++round) {
    const auto active = std::count_if(states.begin(), states.end(), [&](const ArcState& state) {
      return ArcSystem::steps_left(state) > round;
    });
    if (active == 0) break;
    round_begin.push_back(round_begin.back() + static_cast<std::int32_t>(active));
  }
  const int tokens = static_cast<int>(sent_start.size());
  lower = numbers(tokens * shape.row(), 1.0F);
  pad = numbers(shape.row(), 1.0F);
  lower_bias = numbers(shape.slice(), 0.5F);
  upper = numbers(shape.classes * shape.hidden, 1.0F);
  upper_bias = numbers(shape.classes, 0.5F);
  if (setting.mask) {
    for (const float x : numbers(static_cast<int>(rows()) * shape.hidden, 1.0F)) {
      mask.push_back(x < 0.0F ? 0.0F : 2.0F);
    }
  }
  for (int k = 0; setting.unseen && k < shape.classes; ++k) unseen.push_back(k % 4 == 1);
}

TransitionTaskOf<ArcSystem> place(Bench& bench, const ArcBatch& batch) {
  TransitionTaskOf<ArcSystem> task;
  task.shape = batch.shape;
  task.weights.lower = bench.put_array(batch.lower);
  task.weights.pad = bench.put_array(batch.pad);
  task.weights.lower_bias = bench.put_array(batch.lower_bias);
  task.weights.upper = batch.shape.has_upper ? bench.put_array(batch.upper) : nullptr;
  task.weights.upper_bias = batch.shape.has_upper ? bench.put_array(batch.upper_bias) : nullptr;
  task.actions = {bench.put_array(batch.actions), batch.actions.size()};
  task.unseen = {bench.put_array(batch.unseen), batch.unseen.size()};
  task.states = batch.states;
  task.marks = {bench.put_array(batch.sent_start)};
  task.rounds = {static_cast<int>(batch.round_begin.size()) - 1, batch.round_begin.data(),
                 bench.put_array(batch.round_begin)};
  return task;
}

std::vector<ArcSetting> settings() {
  std::vector<ArcSetting> all;
  const auto add = [&](const std::string& what, auto change) {
    ArcSetting setting{.what = what};
    change(setting);
    all.push_back(setting);
  };
  add("plain", [](ArcSetting&) {});
  add("no documents", [](ArcSetting& s) { s.lengths = {}; });
  add("many documents", [](ArcSetting& s) { s.lengths = std::vector<int>(30, 8); });
  add("more features", [](ArcSetting& s) { s.shape.features = 13; });
  add("odd sizes", [](ArcSetting& s) { s.shape.hidden = 67, s.shape.pieces = 3; });
  add("no upper layer", [](ArcSetting& s) { s.shape.has_upper = false; });
  add("sentences", [](ArcSetting& s) { s.marks = true; });
  add("begun before", [](ArcSetting& s) { s.taken = 6, s.lengths = {12, 9, 30}; });
  add("unseen", [](ArcSetting& s) { s.unseen = s.marks = true; });
  return all;
}

using ArcKernels = DeviceTest;
INSTANTIATE_TEST_SUITE_P(Devices, ArcKernels, kDevices);

TEST_P(ArcKernels, ParsesTakeTheClassesOfTheCpu) {
  for (const ArcSetting& setting : settings()) {
    for (std::uint64_t seed = 1; seed < 6; ++seed) {
      const ArcBatch batch(setting, seed);
      compare(
          [&](Bench& bench) {
            std::vector<std::int64_t> begin;
            std::int64_t room = 0;
            for (const ArcState& state : batch.states) {
              begin.push_back(room);
              room += ArcSystem::steps_left(state);
            }
            auto* classes =
                bench.put_array(std::vector<std::int32_t>(static_cast<std::size_t>(room), -1));
            bench.run<TransitionParseOf<ArcSystem>>(place(bench, batch),
                                                    TakenClasses{classes, bench.put_array(begin)});
            return std::vector{bench.get(View(classes, DType::i32, {room}))};
          },
          0.0, setting.what);
    }
  }
}

Record train(Bench& bench, const ArcSetting& setting, const ArcBatch& batch) {
  TransitionRecord record = empty_record(bench, batch.shape, batch.rows());
  TransitionGoldOf<ArcSystem> gold;
  std::vector<const ArcGold*> parses;
  for (const ArcGold& one : batch.gold) parses.push_back(&one);
  gold.parses = parses;
  gold.max_rounds = setting.max_rounds;
  float* mask = setting.mask ? bench.put_array(batch.mask) : nullptr;
  gold.mask = mask;
  // The CPU asks for the rows of a round when it comes: its own follow each other.
  if (setting.mask && bench.is_cpu()) {
    gold.draw = [&batch, mask](std::int64_t row, int round, std::span<const std::int32_t> active) {
      for (const std::int32_t number : active) {
        const int width = batch.shape.hidden;
        const std::int64_t from = batch.round_begin[static_cast<std::size_t>(round)] + number;
        std::copy_n(batch.mask.begin() + from * width, width, mask + row++ * width);
      }
    };
  }
  bench.run<TransitionTrainOf<ArcSystem>>(place(bench, batch), gold, record);
  return read_record(bench, batch.shape, record, batch.rows());
}

TEST_P(ArcKernels, RecordsOfTrainingAreThoseOfTheCpu) {
  std::vector<ArcSetting> all = settings();
  all.push_back({.what = "mask", .marks = true, .mask = true});
  all.push_back({.what = "pieces", .mask = true, .taken = 7, .max_rounds = 4});
  std::string why_none;
  DeviceUnderTest& cpu = *DeviceUnderTest::find("cpu", why_none);
  for (const ArcSetting& setting : all) {
    for (std::uint64_t seed = 1; seed < 6; ++seed) {
      const ArcBatch batch(setting, seed);
      Bench reference(cpu), bench(device()), again(device());
      const Record found = train(bench, setting, batch), repeated = train(again, setting, batch);
      expect_same(batch.shape, batch.round_begin, found, train(reference, setting, batch), 1e-5,
                  setting.what);
      EXPECT_EQ(found.d_scores, repeated.d_scores) << setting.what;
      EXPECT_EQ(found.loss, repeated.loss) << setting.what;
    }
  }
}

}  // namespace
}  // namespace weft
