#include <algorithm>
#include <chrono>
#include <iostream>
#include <vector>

#include <fmt/format.h>

#include "framework/ops/op_profile.h"
#include "framework/pipeline/build_pipeline.h"
#include "framework/pipeline/measure_speed.h"
#include "framework/pipeline/worker_pool.h"
#include "framework/text/example.h"
#include "registry/error.h"
#include "registry/json.h"
#include "tools/commands.h"
#include "tools/documents.h"
#include "tools/machine_peak.h"
#include "tools/setup.h"

namespace weft::tools {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Profile {
  std::vector<OpShare> shares;  // by layer and op
  double seconds = 0.0;         // of everything, ops or not
  std::int64_t words = 0;
};

void train_once(Language& nlp, const std::vector<Doc>& docs, std::int64_t words_per_batch) {
  std::vector<Example> batch;
  std::int64_t words = 0;
  const auto update = [&] {
    if (!batch.empty()) nlp.update(batch, {.drop = 0.1});
    batch.clear();
    words = 0;
  };
  for (const Doc& doc : docs) {
    if (words > 0 && words + doc.size() > words_per_batch) update();
    batch.push_back(Example::from_reference(doc));
    words += doc.size();
  }
  update();
}

Profile profile_of(Language& nlp, const std::vector<Doc>& docs, int train_words) {
  OpProfile ops;
  Profile profile;
  for (const Doc& doc : docs) profile.words += doc.size();
  const ProfileScope scope(ops);
  const auto start = Clock::now();
  if (train_words > 0) {
    train_once(nlp, docs, train_words);
  } else {
    WorkerPool one(1);
    measure_speed(nlp, docs, one, 1, 0);
  }
  profile.seconds = seconds_since(start);
  profile.shares = ops.shares();
  return profile;
}

// What each op took in all layers, the longest first.
std::vector<OpShare> by_op(const Profile& profile) {
  std::vector<OpShare> ops;
  for (const OpShare& share : profile.shares) {
    const auto found = std::find_if(ops.begin(), ops.end(),
                                    [&](const OpShare& other) { return other.op == share.op; });
    if (found == ops.end()) {
      ops.push_back(share);
      continue;
    }
    found->calls += share.calls;
    found->seconds += share.seconds;
    found->flops += share.flops;
    found->bytes += share.bytes;
  }
  std::stable_sort(ops.begin(), ops.end(), [](const OpShare& left, const OpShare& right) {
    return left.seconds > right.seconds;
  });
  return ops;
}

double seconds_in_ops(const Profile& profile) {
  double sum = 0.0;
  for (const OpShare& share : profile.shares) sum += share.seconds;
  return sum;
}

// "84.1 GFLOP/s  77%" or "9.5 GB/s  80%": what was reached, and its share of the machine's peak.
std::string rate_of(const OpShare& share, const MachinePeak& peak) {
  const bool product = share.flops > 0;
  const double rate = (product ? share.flops : share.bytes) / share.seconds;
  return fmt::format("{:>8.1f} {:<7}  {:>4.0f}%", rate / 1e9, product ? "GFLOP/s" : "GB/s",
                     100 * rate / (product ? peak.flops : peak.bytes));
}

void print(const Profile& profile, const MachinePeak& peak) {
  std::cout << fmt::format(
      "{} words in {:.3f} s: {:.0f} words/s on one thread\n"
      "peak of this machine, one thread: {:.1f} GFLOP/s in products, {:.1f} GB/s in copies\n\n",
      profile.words, profile.seconds, static_cast<double>(profile.words) / profile.seconds,
      peak.flops / 1e9, peak.bytes / 1e9);
  const auto percent = [&](double seconds) { return 100 * seconds / profile.seconds; };
  std::cout << fmt::format("{:<28}{:>8}  {:>9}  {:>6}  {:>16}  {:>5}\n", "op", "calls", "ms",
                           "time", "rate", "peak");
  for (const OpShare& share : by_op(profile)) {
    std::cout << fmt::format("{:<28}{:>8}  {:>9.2f}  {:>5.1f}%  {}\n", share.op, share.calls,
                             1e3 * share.seconds, percent(share.seconds), rate_of(share, peak));
  }
  const double rest = profile.seconds - seconds_in_ops(profile);
  std::cout << fmt::format("{:<28}{:>8}  {:>9.2f}  {:>5.1f}%\n", "outside of ops", "", 1e3 * rest,
                           percent(rest));
}

List list_of(const std::vector<OpShare>& shares) {
  List list;
  for (const OpShare& share : shares) {
    Object one;
    one.set("op", share.op);
    one.set("calls", share.calls);
    one.set("seconds", share.seconds);
    one.set("flops", share.flops);
    one.set("bytes", share.bytes);
    list.emplace_back(std::move(one));
  }
  return list;
}

Object object_of(const Profile& profile, const MachinePeak& peak) {
  Object object;
  object.set("words", profile.words);
  object.set("seconds", profile.seconds);
  object.set("seconds_in_ops", seconds_in_ops(profile));
  object.set("peak_flops", peak.flops);
  object.set("peak_bytes", peak.bytes);
  object.set("ops", list_of(by_op(profile)));
  return object;
}

}  // namespace

int run_debug_profile(const Words& words) {
  CommandLine line("debug profile PIPELINE DATA [options]",
                   "Time of every op on one thread, and its share of the machine's peak: "
                   "of prediction from text, or of training.",
                   "weft debug profile out/model-best test.spacy");
  line.positional("PIPELINE", "folder of a saved pipeline; it stays as it is");
  line.positional("DATA", ".txt, .jsonl, .conll or .spacy; annotated for --train");
  line.option("train", "WORDS", "profile updates, in batches of so many words");
  line.accept_json();
  line.accept_code();
  if (!line.parse(words)) return 0;
  const int train_words = line.number("train", 0);
  if (line.has("train") && train_words < 1) {
    throw Error(ErrorKind::usage, "--train is the number of words of a batch, from 1 on");
  }
  const Catalogue catalogue = load_catalogue(line);
  const auto nlp = load_pipeline(line.path("PIPELINE"), catalogue);
  const std::vector<Doc> docs =
      read_documents(line.text("DATA"), *nlp, catalogue, AlignmentPolicy::drop);
  const MachinePeak peak = measured_peak();
  const Profile profile = profile_of(*nlp, docs, train_words);
  if (line.has("json")) {
    std::cout << to_json(object_of(profile, peak)) << '\n';
  } else {
    print(profile, peak);
  }
  return 0;
}

}  // namespace weft::tools
