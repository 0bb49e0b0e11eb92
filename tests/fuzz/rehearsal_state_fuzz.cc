// Any bytes as the state of a rehearsal in a checkpoint, as JSON.
#include "framework/training/example_streams.h"
#include "framework/training/rehearsal.h"
#include "registry/base/error.h"
#include "registry/value/json.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/small_pipeline.h"

namespace {

class OneByOne : public weft::BatchStream {
 public:
  explicit OneByOne(weft::ExampleStream& examples) : examples_(examples) {}
  std::vector<weft::ExamplePtr> next() override {
    weft::ExamplePtr example = examples_.next();
    if (!example) return {};
    return {std::move(example)};
  }

 private:
  weft::ExampleStream& examples_;
};

class OneByOneBatcher : public weft::Batcher {
 public:
  weft::BatchStreamPtr start(weft::ExampleStream& examples, std::int64_t&) const override {
    return std::make_unique<OneByOne>(examples);
  }
};

// Three documents.
weft::ExampleStreamPtr open_corpus(const weft::Language& nlp) {
  return weft::stream_of([&nlp, left = 3]() mutable -> weft::ExamplePtr {
    if (left-- == 0) return nullptr;
    const weft::Doc doc = weft::Doc::from_words(nlp.vocab(), {"a", "b"});
    return std::make_shared<weft::Example>(weft::Example::from_reference(doc));
  });
}

struct Parts {
  std::shared_ptr<weft::Language> nlp = weft::fuzz::recognizer_pipeline();
  std::shared_ptr<weft::Language> tutor = weft::fuzz::recognizer_pipeline();
  weft::Reader corpus{open_corpus};
  OneByOneBatcher batcher;
  weft::RehearsalSettings settings{.corpus = "corpora.old", .max_drop = 1.0};

  weft::Rehearsal resumed(const weft::Node& state) const {
    return {*nlp, tutor, corpus, batcher, settings, 0, state};
  }
};

void resume(const Parts& parts, const weft::Node& state) {
  const weft::Rehearsal first = parts.resumed(state);
  (void)first.table();
  (void)first.lost_too_much();
  const std::string written = weft::to_json(first.state());
  const auto read = weft::parse_json(written);
  weft::fuzz::check(read && weft::to_json(parts.resumed(*read).state()) == written,
                    "a state does not come back", written);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Parts parts;
  const auto state = weft::parse_json(weft::as_text(data, size));
  if (!state) return 0;
  try {
    resume(parts, *state);
  } catch (const weft::Error&) {
  }
  return 0;
}
