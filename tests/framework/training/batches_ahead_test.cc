#include "framework/training/batches_ahead.h"

#include <atomic>
#include <sstream>
#include <thread>

#include "framework/training/misaligned_report.h"
#include "registry/base/error.h"
#include "tests/framework/training/batch_fixture.h"

namespace weft {
namespace {

class BatchesAheadTest : public BatchesTest {
 protected:
  // Counts the examples that were read; from number `fails_at` on reading throws.
  Reader counted(int count, int fails_at = -1) {
    const Reader inner = corpus(count);
    return {[this, inner, fails_at](const Language& nlp) {
      std::shared_ptr<ExampleStream> stream = inner.open(nlp);
      return stream_of([this, stream, fails_at]() -> ExamplePtr {
        reader_ = std::this_thread::get_id();
        if (read_ == fails_at) throw Error(ErrorKind::data, "a bad line");
        ++read_;
        return stream->next();
      });
    }};
  }

  std::atomic<int> read_ = 0;
  std::thread::id reader_;
  TrainingState state_;
};

TEST_F(BatchesAheadTest, AStreamIsReadOneBatchAheadByAnotherThread) {
  const Reader reader = counted(100);
  BatchesAhead batches(reader, nlp_, batcher_, {.max_epochs = -1}, state_);
  batches.wait();
  EXPECT_EQ(read_, 3);
  EXPECT_EQ(state_.batches_taken, 0);
  EXPECT_NE(reader_, std::this_thread::get_id());
  EXPECT_EQ(text_of(batches.next()), "012");
  batches.wait();
  EXPECT_EQ(read_, 6);
  EXPECT_EQ(state_.batches_taken, 1);
  EXPECT_EQ(state_.sizes_taken, 1);
}

TEST_F(BatchesAheadTest, DataInMemoryIsTakenAsItIsAskedFor) {
  const Reader reader = counted(10);
  BatchesAhead batches(reader, nlp_, batcher_, {.max_epochs = 1, .seed = 3}, state_);
  EXPECT_GT(batches.held_bytes(), 0u);
  EXPECT_EQ(reader_, std::this_thread::get_id());
  std::size_t examples = 0;
  for (auto batch = batches.next(); !batch.empty(); batch = batches.next()) {
    examples += batch.size();
  }
  EXPECT_EQ(examples, 10u);
  EXPECT_EQ(state_.epoch, 1);
}

TEST_F(BatchesAheadTest, GivesTheBatchesAndPositionsOfReadingInStep) {
  const Reader reader = corpus(10);
  const TrainingBatches::Options options{.max_epochs = -1, .seed = 7, .shuffle_window = 5};
  BatchesAhead ahead(reader, nlp_, batcher_, options, state_);
  TrainingState plain;
  TrainingBatches batches(reader, nlp_, batcher_, options, plain);
  for (int i = 0; i < 12; ++i) {
    EXPECT_EQ(text_of(ahead.next()), text_of(batches.next()));
    EXPECT_TRUE(to_node(state_).same_value(to_node(plain))) << i;
  }
}

TEST_F(BatchesAheadTest, GoesOnWhereAStateSays) {
  const Reader reader = corpus(10);
  const TrainingBatches::Options options{.max_epochs = -1, .seed = 7};
  BatchesAhead batches(reader, nlp_, batcher_, options, state_);
  for (int i = 0; i < 6; ++i) batches.next();
  TrainingState copy = state_;
  BatchesAhead resumed(reader, nlp_, batcher_, options, copy);
  for (int i = 0; i < 6; ++i) EXPECT_EQ(text_of(resumed.next()), text_of(batches.next()));
}

TEST_F(BatchesAheadTest, AnErrorComesWithTheBatchThatHasIt) {
  const Reader reader = counted(100, 4);
  BatchesAhead batches(reader, nlp_, batcher_, {.max_epochs = -1}, state_);
  EXPECT_EQ(text_of(batches.next()), "012");
  EXPECT_NO_THROW(batches.wait());
  EXPECT_THROW(batches.next(), Error);
  EXPECT_EQ(state_.batches_taken, 1);
  EXPECT_NO_THROW(batches.wait());
}

TEST_F(BatchesAheadTest, ItsReaderIsWaitedForAtTheEnd) {
  const Reader reader = counted(100);
  { BatchesAhead batches(reader, nlp_, batcher_, {.max_epochs = -1}, state_); }
  EXPECT_EQ(read_, 3);
}

TEST_F(BatchesAheadTest, WhatReadersTellIsShownBetweenBatches) {
  std::ostringstream err;
  MisalignedReport report("corpora.train", AlignmentPolicy::drop, err);
  Reader reader = corpus(9);
  reader.open_telling = [reader](const Language& nlp, const CorpusTells& tells) {
    std::shared_ptr<ExampleStream> stream = reader.open(nlp);
    return stream_of([stream, tells]() {
      tells.misaligned({{"a.jsonl", 3, 2}, {3, 9, "PER", "", ""}, "hn", "does not fit", {}, ""});
      return stream->next();
    });
  };
  BatchesAhead batches(reader, nlp_, batcher_, {.max_epochs = -1, .misaligned = &report}, state_);
  EXPECT_EQ(err.str(), "");
  batches.wait();
  EXPECT_NE(err.str().find("a.jsonl:3"), std::string::npos);
}

}  // namespace
}  // namespace weft
