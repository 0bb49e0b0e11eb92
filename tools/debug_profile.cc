#include <algorithm>
#include <iostream>
#include <optional>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "framework/nn/run_formats.h"
#include "framework/ops/op_profile.h"
#include "framework/ops/profile_report.h"
#include "framework/ops/work_record.h"
#include "framework/pipeline/build_pipeline.h"
#include "framework/pipeline/choose_device.h"
#include "framework/pipeline/load_config.h"
#include "framework/pipeline/measure_speed.h"
#include "framework/pipeline/worker_pool.h"
#include "framework/text/example.h"
#include "framework/training/make_optimizer.h"
#include "framework/training/profile_gain.h"
#include "registry/base/error.h"
#include "registry/value/json.h"
#include "tools/commands.h"
#include "tools/documents.h"
#include "tools/expected_speed.h"
#include "tools/machine_peak.h"
#include "tools/precision_option.h"
#include "tools/setup.h"
#include "tools/standard_streams.h"

namespace weft::tools {
namespace {

struct Profile {
  std::vector<OpShare> shares;  // by layer and op
  double seconds = 0.0;         // of everything, ops or not, but for what the profile takes
  std::int64_t words = 0;
};

// The pipeline's optimizer as a run has it: rows that a batch does not use make their steps later.
class OptimizerOfRun {
 public:
  OptimizerOfRun(const Language& nlp, const Catalogue& catalogue)
      : optimizer_(make_optimizer(expanded(nlp.config()), catalogue)) {
    optimizer_->defer_rows(&one_);
  }
  ~OptimizerOfRun() { optimizer_->defer_rows(nullptr); }  // the pipeline keeps it longer
  OptimizerOfRun(const OptimizerOfRun&) = delete;
  OptimizerOfRun& operator=(const OptimizerOfRun&) = delete;

  const OptimizerPtr& get() const { return optimizer_; }

 private:
  WorkerPool one_{1};
  OptimizerPtr optimizer_;
};

// One pass over the documents: predictions, or updates in batches of so many words.
struct Pass {
  int train_words = 0;  // 0: predictions
  OptimizerPtr optimizer;
};

void train_once(Language& nlp, const std::vector<Doc>& docs, const Pass& pass) {
  std::vector<Example> batch;
  std::int64_t words = 0;
  const auto update = [&] {
    if (!batch.empty()) nlp.update(batch, {.drop = 0.1, .sgd = pass.optimizer});
    batch.clear();
    words = 0;
  };
  for (const Doc& doc : docs) {
    if (words > 0 && words + doc.size() > pass.train_words) update();
    batch.push_back(Example::from_reference(doc));
    words += doc.size();
  }
  update();
}

// `inputs` are those of the documents.
void pass_once(Language& nlp, const std::vector<Doc>& docs, std::span<const SpeedInput> inputs,
               const Pass& pass) {
  if (pass.train_words > 0) return train_once(nlp, docs, pass);
  WorkerPool one(1);
  measure_speed(nlp, inputs, one, {.repeats = 1, .warmup = 0});
}

// A GPU's libraries load their kernels when they are used first.
void warm_up(Language& nlp, const std::vector<Doc>& docs, const Pass& pass) {
  const std::int64_t enough = std::max(pass.train_words, 1000);
  std::vector<Doc> first;
  std::int64_t words = 0;
  for (const Doc& doc : docs) {
    if (words >= enough) break;
    first.push_back(doc);
    words += doc.size();
  }
  pass_once(nlp, first, speed_inputs(first), pass);
}

// The state of updates, which lasts from one to the next, reports to the profile that was there
// when it was made.
Profile profile_of(Language& nlp, const std::vector<Doc>& docs, const Pass& pass, bool warms_up,
                   WorkRecord& record) {
  OpProfile ops;
  Profile profile;
  for (const Doc& doc : docs) profile.words += doc.size();
  const std::vector<SpeedInput> inputs = speed_inputs(docs);
  const ProfileScope scope(ops);
  if (warms_up) {
    warm_up(nlp, docs, pass);
    ops.forget();
  }
  {
    const WorkRecordScope recorded(record);
    pass_once(nlp, docs, inputs, pass);
    profile.shares = ops.shares();  // once the ops of a GPU are there
  }
  profile.seconds = record.seconds();
  return profile;
}

// Updates follow [training.precision] of the pipeline's config, in which --precision takes the
// place of what stands there.
void follow_level(const CommandLine& line, Language& nlp, bool trains) {
  if (!trains || !line.has("precision")) return follow_precision(line, nlp);
  Object block;
  block.set("@precision", "amp.v1");
  block.set("level", line.text("precision"));
  Node* training = nlp.config().find("training");
  if (training != nullptr) training->as_object().set("precision", std::move(block));
}

// Notices about the policy that the pass has followed.
void tell_gain(const Language& nlp, const Profile& profile) {
  if (nlp.formats() == nullptr) return;
  for (const Notice& notice : check_gain(nlp.formats()->policy(), profile.shares)) {
    std::cerr << "note: " << notice.str() << '\n';
  }
}

// "84.1 GFLOP/s  77%" or "9.5 GB/s  80%": what was reached, and its share of the machine's peak.
std::string rate_of(const OpShare& share, const MachinePeak& peak) {
  if (share.flops == 0 && share.bytes == 0) return "";  // casts
  const bool is_gemm = share.flops > 0;
  const double rate = (is_gemm ? share.flops : share.bytes) / share.seconds;
  return fmt::format("{:>8.1f} {:<7}  {:>4.0f}%", rate / 1e9, is_gemm ? "GFLOP/s" : "GB/s",
                     100 * rate / (is_gemm ? peak.flops : peak.bytes));
}

void print_ops_of_gpu(const Profile& profile) {
  std::cout << fmt::format("{} words in {:.3f} s; times of ops by the clock of the GPU\n\n",
                           profile.words, profile.seconds)
            << time_table("op", by_op(profile.shares), profile.seconds);
}

void print_ops(const Profile& profile, const MachinePeak& peak) {
  std::cout << fmt::format(
      "{} words in {:.3f} s: {:.0f} words/s on one thread\n"
      "peak of this machine, one thread: {:.1f} GFLOP/s in products, {:.1f} GB/s in copies\n\n",
      profile.words, profile.seconds, static_cast<double>(profile.words) / profile.seconds,
      peak.flops / 1e9, peak.bytes / 1e9);
  const auto percent = [&](double seconds) { return 100 * seconds / profile.seconds; };
  std::cout << fmt::format("{:<28}{:>8}  {:>9}  {:>6}  {:>16}  {:>5}\n", "op", "calls", "ms",
                           "time", "rate", "peak");
  for (const OpShare& share : by_op(profile.shares)) {
    std::cout << fmt::format("{:<28}{:>8}  {:>9.2f}  {:>5.1f}%  {}\n", share.op, share.calls,
                             1e3 * share.seconds, percent(share.seconds), rate_of(share, peak));
  }
}

// `peak`: of this machine's processor; null where another device ran the ops.
void print(const Profile& profile, const MachinePeak* peak) {
  if (peak != nullptr) {
    print_ops(profile, *peak);
  } else {
    print_ops_of_gpu(profile);
  }
  const double rest = profile.seconds - seconds_of(profile.shares);
  std::cout << fmt::format("{:<28}{:>8}  {:>9.2f}  {:>5.1f}%\n", "outside of ops", "", 1e3 * rest,
                           100 * rest / profile.seconds);
  std::cout << '\n' << time_table("layer", by_layer(profile.shares), profile.seconds);
}

List list_of(const std::vector<OpShare>& shares) {
  List list;
  for (const OpShare& share : shares) {
    Object one;
    one.set(share.op.empty() ? "layer" : "op", share.op.empty() ? share.layer : share.op);
    one.set("calls", share.calls);
    one.set("seconds", share.seconds);
    one.set("flops", share.flops);
    one.set("bytes", share.bytes);
    list.emplace_back(std::move(one));
  }
  return list;
}

Object object_of(const Profile& profile, const MachinePeak* peak) {
  Object object;
  object.set("words", profile.words);
  object.set("seconds", profile.seconds);
  object.set("seconds_in_ops", seconds_of(profile.shares));
  if (peak != nullptr) {
    object.set("peak_flops", peak->flops);
    object.set("peak_bytes", peak->bytes);
  }
  object.set("ops", list_of(by_op(profile.shares)));
  object.set("layers", list_of(by_layer(profile.shares)));
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
  line.option("threads", "N,...", "the speed to expect of so many threads, by what one did");
  line.accept_json();
  line.accept_code();
  line.accept_pipelines();
  line.accept_precision();
  line.accept_gpu();
  if (!line.parse(words)) return 0;
  const std::vector<int> threads =
      line.has("threads") ? thread_numbers(line.text("threads")) : std::vector<int>();
  const int train_words = line.number_within("train", 0, 1);
  const int gpu = line.number("gpu-id", -1);
  if (gpu >= 0 && !threads.empty()) {
    throw Error(ErrorKind::usage, "--threads is for the processor; leave out --gpu-id");
  }
  const Catalogue catalogue = load_catalogue(line);
  const auto nlp = load_pipeline(line.path("PIPELINE"), catalogue);
  const std::vector<Doc> docs =
      read_documents(input_name(line.text("DATA")), *nlp, catalogue, AlignmentPolicy::drop);
  if (gpu >= 0) run_on_gpu(*nlp, gpu);
  follow_level(line, *nlp, train_words > 0);
  const MachinePeak measured = gpu < 0 ? measured_peak() : MachinePeak();
  const MachinePeak* peak = gpu < 0 ? &measured : nullptr;
  WorkRecord record(threads);
  std::optional<OptimizerOfRun> optimizer;
  if (train_words > 0) optimizer.emplace(*nlp, catalogue);
  const Pass pass{train_words, optimizer ? optimizer->get() : nullptr};
  const Profile profile = profile_of(*nlp, docs, pass, gpu >= 0, record);
  tell_gain(*nlp, profile);
  if (line.has("json")) {
    Object facts = object_of(profile, peak);
    if (!threads.empty()) facts.set("work", expected_speed_facts(threads, record));
    std::cout << to_standard_json(facts) << '\n';
  } else {
    print(profile, peak);
    if (!threads.empty()) std::cout << '\n' << expected_speed_table(threads, record);
  }
  return 0;
}

}  // namespace weft::tools
