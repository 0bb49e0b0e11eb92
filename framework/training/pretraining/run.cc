#include "framework/training/pretraining/run.h"

#include <algorithm>
#include <exception>
#include <ostream>
#include <utility>

#include <fmt/format.h>

#include "framework/io/atomic_file.h"
#include "framework/nn/model_file.h"
#include "framework/training/batch_update.h"
#include "framework/training/pretraining/table.h"
#include "registry/base/error.h"
#include "registry/value/json.h"

namespace weft {
namespace {

using Clock = std::chrono::steady_clock;

std::unique_ptr<LogFile> log_of(const PretrainSetup& setup) {
  const LogPlace place{setup.folder.path() / "log.jsonl", setup.folder.path()};
  if (setup.resumed != nullptr) return std::make_unique<LogFile>(place, setup.resumed->log);
  return std::make_unique<LogFile>(place, setup.log_start);
}

}  // namespace

// The batches of one pass over the text, in its order.
class PretrainRun::Pass {
 public:
  // A pass that goes on from a checkpoint reads its text anew and drops the batches that were
  // taken. The counter of sizes goes back to the start of the pass, as those batches ask for theirs
  // again.
  Pass(const PretrainSetup& setup, PretrainState& state) : text_(setup.corpus.open(setup.nlp)) {
    // Before the batcher is started: it may ask for its first size at once.
    state.sizes_taken = state.sizes_at_pass_start;
    batches_ = setup.settings.batcher->start(*text_, state.sizes_taken);
    for (std::int64_t i = 0; i < state.batches_taken; ++i) {
      if (!batches_->next().empty()) continue;
      throw Error(ErrorKind::data, "the text is not what it was when the run began");
    }
  }
  std::vector<ExamplePtr> next() { return batches_->next(); }

 private:
  ExampleStreamPtr text_;
  BatchStreamPtr batches_;
};

PretrainRun::PretrainRun(const PretrainSetup& setup, std::ostream& out, std::ostream& err)
    : setup_(setup),
      out_(out),
      err_(err),
      optimizer_(setup.settings.optimizer),
      runner_(setup.nlp, setup.pool, {.seed = setup.seed, .memory = setup.memory}),
      start_(Clock::now()),
      row_start_(start_) {
  optimizer_->use(setup.nlp.device_weights());
  state_.pass = setup.first_pass;
  if (setup.resumed != nullptr) {
    state_ = setup.resumed->state;
    take_optimizer_states(setup.resumed->optimizer, runner_.parameters(), *optimizer_,
                          setup.folder.checkpoint());
    optimizer_->set_schedule_step(setup.resumed->schedule_step);
  }
  log_ = log_of(setup);  // it may be cut: the checkpoint is known to be whole by now
  if (setup.resumed != nullptr && !log_->complete()) {
    err_ << fmt::format("warning: {} lacks lines that were there\n", log_->path().string());
  }
  words_at_start_ = state_.words;
}

PretrainRun::~PretrainRun() = default;

double PretrainRun::seconds() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

// An error of the machine (disk, memory) is likely to strike again on saving, so weights are saved
// only at others, of the data or the numbers.
bool PretrainRun::run() {
  if (!setup_.json) out_ << PretrainTable::header(setup_.held_out != nullptr) << std::flush;
  bool finished = false;
  try {
    finished = run_passes();
    if (!finished) save_checkpoint();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::system && error.kind() != ErrorKind::memory) salvage();
    throw;
  }
  save_last();
  return finished;
}

// Saves the weights at an error, which says more than another one could.
void PretrainRun::salvage() {
  try {
    save_last();
  } catch (const std::exception&) {
    return;
  }
}

bool PretrainRun::run_passes() {
  while (state_.pass < setup_.settings.max_epochs) {
    if (!run_pass()) return false;
    end_pass();
  }
  return true;
}

bool PretrainRun::run_pass() {
  Pass pass(setup_, state_);
  while (true) {
    if (setup_.interrupted && setup_.interrupted()) return false;
    const std::vector<ExamplePtr> batch = pass.next();
    if (batch.empty()) return true;
    update(batch);
    const std::int64_t number = state_.batches_taken++;
    const auto every = setup_.settings.n_save_every.value_or(0);
    if (every > 0 && number % every == 0) {
      save(fmt::format("model{}.temp.bin", state_.pass), state_.pass, false);
      save_checkpoint();
    }
  }
}

// Masks are drawn with the step as the counter, so that a run that goes on masks the same tokens. A
// batch of empty texts takes a step and changes nothing.
void PretrainRun::update(const std::vector<ExamplePtr>& batch) {
  std::vector<Doc> docs;
  docs.reserve(batch.size());
  PretrainBatch hidden;
  for (const ExamplePtr& example : batch) docs.push_back(example->reference());
  std::int64_t words = 0;
  for (const Doc& doc : docs) {
    hidden.originals.push_back(&doc);
    words += doc.size();
  }
  const auto step = static_cast<std::uint64_t>(state_.step++);
  if (words == 0) return;
  MaskedTexts masked = mask_tokens(docs, setup_.words, {.seed = setup_.seed, .step = step});
  hidden.masked = std::move(masked.masked);
  note_unmasked(hidden.masked);
  std::vector<ExamplePtr> seen;
  for (Doc& doc : masked.docs) {
    seen.push_back(std::make_shared<Example>(Example::from_reference(std::move(doc))));
  }
  setup_.network.set_batch(&hidden);
  const std::vector<Example*> examples = examples_of(seen);
  const Losses losses = runner_.accumulate(examples, setup_.settings.dropout, step);
  optimizer_->step(runner_.context(), runner_.parameters(), runner_.gradients(), runner_.tasks());
  optimizer_->advance();
  runner_.gradients().clear();
  runner_.end_step();
  double loss = 0.0;
  for (const auto& [name, part] : losses) loss += part;
  add_loss(loss, words);
}

// A batch without a masked token has a loss, and teaches nothing.
void PretrainRun::note_unmasked(const std::vector<std::uint8_t>& masked) {
  const bool any = std::any_of(masked.begin(), masked.end(), [](auto hidden) { return hidden; });
  if (any || noted_unmasked_) return;
  noted_unmasked_ = true;
  err_ << fmt::format(
      "note: no token of a batch of {} is masked, and nothing is learnt from it; a larger size in "
      "[pretraining.batcher] makes that rare\n",
      masked.size());
}

void PretrainRun::add_loss(double loss, std::int64_t words) {
  state_.loss += loss;
  state_.pass_loss += loss;
  state_.words += words;
  const std::chrono::duration<double> since_row = Clock::now() - row_start_;
  // A run that goes on does not know how long the words before it took.
  const std::int64_t counted = std::max(state_.words_at_row, words_at_start_);
  const auto words_since_row = static_cast<double>(state_.words - counted);
  const auto row =
      PretrainTable::row(state_, state_.pass, words_since_row / since_row.count(), dev_loss_);
  if (!row) return;
  row_start_ = Clock::now();
  if (!setup_.json) out_ << *row << std::flush;
}

// The weights of the pass are written before the checkpoint that counts it as done: interrupted
// between the two, the pass is counted as unfinished and its file is written once more.
void PretrainRun::end_pass() {
  const std::int64_t pass = state_.pass;
  const PretrainingSettings& settings = setup_.settings;
  const bool is_last = pass == settings.max_epochs - 1;
  const auto every = settings.n_save_epoch.value_or(0);
  if (every == 0 || pass % every == 0 || is_last) {
    save(fmt::format("model{}.bin", pass), pass, true);
  }
  ++state_.pass;
  state_.batches_taken = 0;
  state_.sizes_at_pass_start = state_.sizes_taken;
  state_.pass_loss = 0.0;
  save_checkpoint();
}

// The embedding alone, with the averaged weights where there are any: these are put in the place of
// the weights for the time of saving, and taken back even if it fails. Training goes on with the
// weights themselves.
void PretrainRun::save(const std::string& name, std::int64_t pass, bool measure) {
  const bool swaps = optimizer_->keeps_averages();
  if (swaps) optimizer_->swap_averages(runner_.parameters());
  try {
    setup_.nlp.send_weights();
    if (measure && setup_.held_out != nullptr) {
      dev_loss_ = setup_.held_out->loss(setup_.nlp, setup_.network, setup_.pool);
    }
    setup_.nlp.copy_weights_to_host();
    write_model(setup_.folder.path() / name, *setup_.network.embedding());
  } catch (...) {
    if (swaps) optimizer_->swap_averages(runner_.parameters());
    throw;
  }
  if (swaps) optimizer_->swap_averages(runner_.parameters());
  const std::string line = to_standard_json(log_line(pass));
  log_->write_line(line);
  if (setup_.json) out_ << line << std::endl;
}

// Words and losses since the run began, as in the reference; times stand apart.
Node PretrainRun::log_line(std::int64_t pass) const {
  Object time;
  time.set("seconds", seconds());
  const auto words = static_cast<double>(state_.words - words_at_start_);
  time.set("words_per_second", words / std::max(seconds(), 1e-9));
  Object line;
  line.set("nr_word", state_.words);
  line.set("loss", state_.loss);
  line.set("epoch_loss", state_.pass_loss);
  line.set("epoch", pass);
  if (dev_loss_) line.set("dev_loss", *dev_loss_);
  line.set("time", std::move(time));
  return line;
}

void PretrainRun::save_checkpoint() {
  setup_.nlp.copy_weights_to_host();
  const PretrainCheckpoint checkpoint{.state = state_,
                                      .schedule_step = optimizer_->schedule_step(),
                                      .optimizer = optimizer_->states_on_host(),
                                      .log = log_->position(),
                                      .data = setup_.data};
  setup_.folder.save_checkpoint(state_.step, 1, [&](const std::filesystem::path& folder) {
    write_pretrain_checkpoint(checkpoint, *setup_.network.models().front(), folder);
  });
}

// The checkpoint knows nothing of this line: a run that goes on replaces it.
void PretrainRun::save_last() {
  if (setup_.skip_last) return;
  save(kLastWeights, setup_.settings.max_epochs, false);
}

}  // namespace weft
