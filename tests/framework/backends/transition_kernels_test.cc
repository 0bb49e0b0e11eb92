// The parser's kernels of devices against those of the CPU, on random weights and annotation.
#include <algorithm>
#include <string>
#include <utility>

#include "framework/ops/random.h"
#include "framework/ops/transition_steps.h"
#include "framework/tensor/rounding.h"
#include "tests/framework/backends/transition_records.h"

namespace weft {
namespace {

using transition::Action;
using transition::NegativeSpan;
using transition::State;

// The settings of a case, beside its random numbers.
struct Setting {
  std::string what;
  ScorerShape shape{.features = 3, .hidden = 16, .pieces = 2, .classes = 0, .has_upper = true};
  NumberFormat lower = NumberFormat::f32, hidden = NumberFormat::f32, score = NumberFormat::f32;
  NumberFormat logit = NumberFormat::f32;
  bool presets = false, spaces = false, sentences = false, unseen = false, negatives = false;
  bool mask = false, open = false, ties = false;
  int max_rounds = 0;
  int labels = 3;
  std::vector<int> lengths{1, 5, 9, 0, 3, 17, 1, 4};
};

// One batch, on the host.
struct Batch {
  explicit Batch(const Setting& setting, std::uint64_t seed);

  std::uint64_t draw(std::uint64_t bound) { return random.below(drawn++, bound); }
  std::vector<float> numbers(std::size_t count, float scale) {
    std::vector<float> result(count);
    for (float& x : result) x = scale * (2.0F * random.uniform(drawn++) - 1.0F);
    return result;
  }
  void add_actions(int labels);
  void add_documents(const Setting& setting);
  void add_token(const Setting& setting, int position);

  RandomStream random;
  std::uint64_t drawn = 0;
  ScorerShape shape;
  std::vector<Action> actions;
  std::vector<std::uint8_t> unseen;
  std::vector<State> states;
  std::vector<std::uint8_t> iob, is_space;
  std::vector<std::uint64_t> type;
  std::vector<std::int8_t> sent_start;
  std::vector<GoldTag> tags;
  std::vector<NegativeSpan> negatives;
  std::vector<std::int32_t> negative_begin{0};
  std::vector<std::int32_t> round_begin{0};
  std::vector<float> lower, pad, lower_bias, upper, upper_bias, mask;
  std::vector<std::uint16_t> low_lower;

  std::size_t tokens() const { return iob.size(); }
  std::size_t rows() const { return static_cast<std::size_t>(round_begin.back()); }
};

constexpr std::uint64_t kLabels[] = {101, 202, 303};  // of the annotation

void Batch::add_actions(int labels) {
  for (int i = 0; i < labels; ++i) {
    const std::uint64_t label = 101 * (static_cast<std::uint64_t>(i) + 1);
    for (const Move move : {Move::begin, Move::in, Move::last, Move::unit}) {
      actions.push_back({move, label});
    }
  }
  actions.push_back({Move::unit, 0});
  actions.push_back({Move::out, 0});
}

void Batch::add_token(const Setting& setting, int position) {
  const bool preset = setting.presets && draw(4) == 0;
  const auto mark = static_cast<std::uint8_t>(preset ? 1 + draw(3) : 0);
  iob.push_back(mark == 1 && position == 0 ? 0 : mark);
  type.push_back(iob.back() % 2 == 1 && draw(6) != 0 ? kLabels[draw(3)] : 0);
  is_space.push_back(static_cast<std::uint8_t>(setting.spaces && draw(5) == 0));
  sent_start.push_back(static_cast<std::int8_t>(setting.sentences && draw(4) == 0));
  const auto move = static_cast<Move>(draw(6));
  const bool has_label = move != Move::out && move != Move::missing;
  tags.push_back({move, has_label ? kLabels[draw(3)] : 0});
}

void Batch::add_documents(const Setting& setting) {
  std::vector<int> lengths = setting.lengths;
  for (const int length : lengths) {
    State state{.first = static_cast<std::int32_t>(tokens()), .length = length};
    for (int t = 0; t < length; ++t) add_token(setting, t);
    if (setting.open && length > 3) {
      state.position = 2;
      state.open_start = 1;
      state.open_label = kLabels[draw(3)];
    }
    states.push_back(state);
  }
  std::stable_sort(states.begin(), states.end(),
                   [](const State& a, const State& b) { return a.left() > b.left(); });
  for (const State& state : states) {
    for (int s = 0; setting.negatives && s < static_cast<int>(draw(4)); ++s) {
      const auto start =
          static_cast<std::int32_t>(draw(static_cast<std::uint64_t>(state.length) + 1));
      negatives.push_back(
          {start, start + 1 + static_cast<std::int32_t>(draw(3)), kLabels[draw(3)]});
    }
    negative_begin.push_back(static_cast<std::int32_t>(negatives.size()));
  }
}

Batch::Batch(const Setting& setting, std::uint64_t seed)
    : random(seed, 0, 0), shape(setting.shape) {
  add_actions(setting.labels);
  shape.classes = static_cast<int>(actions.size());
  if (!shape.has_upper) shape.hidden = shape.classes;
  add_documents(setting);
  for (int round = 0; setting.max_rounds == 0 || round < setting.max_rounds; ++round) {
    const auto active = std::count_if(states.begin(), states.end(),
                                      [&](const State& state) { return state.left() > round; });
    if (active == 0) break;
    round_begin.push_back(round_begin.back() + static_cast<std::int32_t>(active));
  }
  const auto hidden = static_cast<std::size_t>(shape.hidden),
             slice = static_cast<std::size_t>(shape.slice());
  const auto classes = static_cast<std::size_t>(shape.classes);
  lower = numbers(tokens() * static_cast<std::size_t>(shape.row()), 1.0F);
  pad = numbers(static_cast<std::size_t>(shape.row()), 1.0F);
  lower_bias = numbers(slice, 0.5F);
  upper = numbers(classes * hidden, setting.ties ? 0.0F : 1.0F);
  upper_bias = numbers(classes, setting.ties ? 0.0F : 0.5F);
  if (setting.mask) {
    for (const float x : numbers(rows() * hidden, 1.0F)) mask.push_back(x < 0.0F ? 0.0F : 2.0F);
  }
  if (setting.unseen) {
    for (std::size_t k = 0; k < classes; ++k) unseen.push_back(k % 4 == 1);
  }
  for (const float x : lower) {
    low_lower.push_back(setting.lower == NumberFormat::bf16 ? bf16_from_f32(x) : f16_from_f32(x));
  }
}

TransitionTask place(Bench& bench, const Setting& setting, const Batch& batch) {
  TransitionTask task;
  task.shape = batch.shape;
  task.weights.lower = setting.lower == NumberFormat::f32
                           ? static_cast<const void*>(bench.put_array(batch.lower))
                           : bench.put_array(batch.low_lower);
  task.weights.pad = bench.put_array(batch.pad);
  task.weights.lower_bias = bench.put_array(batch.lower_bias);
  task.weights.upper = batch.shape.has_upper ? bench.put_array(batch.upper) : nullptr;
  task.weights.upper_bias = batch.shape.has_upper ? bench.put_array(batch.upper_bias) : nullptr;
  task.weights.lower_format = setting.lower;
  task.weights.hidden_format = setting.hidden;
  task.weights.score_format = setting.score;
  task.weights.logit_format = setting.logit;
  task.actions = {bench.put_array(batch.actions), batch.actions.size()};
  task.unseen = {bench.put_array(batch.unseen), batch.unseen.size()};
  task.states = {bench.put_array(batch.states), batch.states.size()};
  task.marks = {bench.put_array(batch.iob), bench.put_array(batch.type),
                bench.put_array(batch.sent_start), bench.put_array(batch.is_space)};
  task.rounds = {static_cast<int>(batch.round_begin.size()) - 1, batch.round_begin.data(),
                 bench.put_array(batch.round_begin)};
  return task;
}

std::vector<Setting> settings() {
  std::vector<Setting> all;
  const auto add = [&](const std::string& what, auto change) {
    Setting setting{.what = what};
    change(setting);
    all.push_back(setting);
  };
  add("plain", [](Setting&) {});
  add("one document", [](Setting& s) { s.lengths = {40}; });
  add("nothing to do", [](Setting& s) { s.lengths = {0, 0}; });
  add("no documents", [](Setting& s) { s.lengths = {}; });
  add("many documents", [](Setting& s) { s.lengths = std::vector<int>(70, 11); });
  add("six features", [](Setting& s) { s.shape.features = 6; });
  add("one piece", [](Setting& s) { s.shape.pieces = 1; });
  add("odd sizes", [](Setting& s) { s.shape.hidden = 67, s.shape.pieces = 3; });
  add("no upper layer", [](Setting& s) { s.shape.has_upper = false; });
  add("rounded scores", [](Setting& s) {
    s.shape.has_upper = false;
    s.logit = NumberFormat::bf16;
  });
  add("upper layer beyond shared memory", [](Setting& s) { s.shape.hidden = 1000; });
  add("more classes than threads", [](Setting& s) { s.labels = 70, s.spaces = true; });
  add("ties", [](Setting& s) { s.labels = 70, s.ties = true; });
  add("f16", [](Setting& s) { s.lower = s.hidden = s.score = NumberFormat::f16; });
  add("bf16", [](Setting& s) { s.lower = s.hidden = s.score = NumberFormat::bf16; });
  add("tf32", [](Setting& s) { s.score = NumberFormat::tf32; });
  add("presets", [](Setting& s) { s.presets = s.spaces = true; });
  add("sentences", [](Setting& s) { s.sentences = true; });
  add("rectified", [](Setting& s) {
    s.shape.pieces = 1;
    s.shape.rectifies = true;
  });
  add("open entities", [](Setting& s) { s.open = true; });
  add("unseen", [](Setting& s) { s.unseen = s.spaces = true; });
  add("unseen and presets", [](Setting& s) { s.unseen = s.presets = true; });
  return all;
}

using TransitionKernels = DeviceTest;
INSTANTIATE_TEST_SUITE_P(Devices, TransitionKernels, kDevices, device_name);

TEST_P(TransitionKernels, ParsesTakeTheClassesOfTheCpu) {
  for (const Setting& setting : settings()) {
    for (std::uint64_t seed = 1; seed < 6; ++seed) {
      const Batch batch(setting, seed);
      compare(
          [&](Bench& bench) {
            auto* classes = bench.put_array(std::vector<std::int32_t>(batch.tokens(), -1));
            std::vector<std::int64_t> begin;
            for (const State& state : batch.states) begin.push_back(state.row());
            bench.run<TransitionParse>(place(bench, setting, batch),
                                       TakenClasses{classes, bench.put_array(begin)});
            const View view(classes, DType::i32, {static_cast<std::int64_t>(batch.tokens())});
            return std::vector{bench.get(view)};
          },
          0.0, setting.what);
    }
  }
}

Record train(Bench& bench, const Setting& setting, const Batch& batch) {
  TransitionRecord record = empty_record(bench, batch.shape, batch.rows());
  TransitionGold gold;
  gold.tags = bench.put_array(batch.tags);
  gold.max_rounds = setting.max_rounds;
  if (setting.negatives) {
    gold.negatives = bench.put_array(batch.negatives);
    gold.negative_begin = bench.put_array(batch.negative_begin);
  }
  gold.mask = setting.mask ? bench.put_array(batch.mask) : nullptr;
  bench.run<TransitionTrain>(place(bench, setting, batch), gold, record);
  return read_record(bench, batch.shape, record, batch.rows());
}

TEST_P(TransitionKernels, RecordsOfTrainingAreThoseOfTheCpu) {
  std::vector<Setting> all = settings();
  for (const int rounds : {1, 4}) {
    Setting cut{.what = "oracle cut", .mask = true, .max_rounds = rounds};
    all.push_back(cut);
    cut.unseen = cut.negatives = true;
    all.push_back(cut);
  }
  all.push_back({.what = "mask", .negatives = true, .mask = true, .open = true});
  std::string why_none;
  DeviceUnderTest& cpu = *DeviceUnderTest::find("cpu", why_none);
  for (const Setting& setting : all) {
    for (std::uint64_t seed = 1; seed < 6; ++seed) {
      const Batch batch(setting, seed);
      Bench reference(cpu), bench(device()), again(device());
      const Record found = train(bench, setting, batch), repeated = train(again, setting, batch);
      const double hidden = setting.hidden == NumberFormat::f32 ? 1e-5 : 2e-2;
      expect_same(batch.shape, batch.round_begin, found, train(reference, setting, batch), hidden,
                  setting.what);
      EXPECT_EQ(found.d_scores, repeated.d_scores) << setting.what;
      EXPECT_EQ(found.loss, repeated.loss) << setting.what;
    }
  }
}

TEST_P(TransitionKernels, ScattersEqualTheCpu) {
  std::vector<Setting> all;
  for (const std::vector<int>& lengths :
       {std::vector<int>{}, {1}, {9, 4, 3}, std::vector<int>(60, 9)}) {
    all.push_back({.what = "scatter of " + std::to_string(lengths.size()), .lengths = lengths});
    all.back().shape.hidden = 33;
    all.push_back(all.back());
    all.back().shape.pieces = 1;
    all.back().shape.rectifies = true;
  }
  for (const Setting& setting : all) {
    const Batch batch(setting, 3);
    std::string why_none;
    Bench reference(*DeviceUnderTest::find("cpu", why_none));
    const Record record = train(reference, setting, batch);
    const auto rows = static_cast<std::int64_t>(record.rows);
    const auto tokens = static_cast<std::int64_t>(batch.tokens());
    compare(
        [&](Bench& bench) {
          TransitionRecord placed;
          placed.rows = static_cast<int>(rows);
          placed.features = bench.put_array(record.features);
          placed.winners = bench.put_array(record.winners);
          const View d_hidden = bench.put(random_numbers({rows, batch.shape.hidden}, 1));
          const View d_lower = bench.put(random_numbers({tokens, batch.shape.row()}, 2));
          const View d_pad = bench.put(random_numbers({batch.shape.row()}, 3));
          const View d_bias = bench.put(random_numbers({batch.shape.slice()}, 4));
          bench.run<TransitionScatter>(batch.shape, placed, d_hidden.as<float>(),
                                       LowerGradient{.whole = d_lower.as<float>()},
                                       d_pad.as<float>(), d_bias.as<float>());
          return std::vector{bench.get(d_lower), bench.get(d_pad), bench.get(d_bias)};
        },
        1e-5, setting.what);
  }
}

}  // namespace
}  // namespace weft
