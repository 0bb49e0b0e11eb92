// Small pipelines of one component that classifies tokens, for the tests of those components.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "components/builtin.h"
#include "framework/io/atomic_file.h"
#include "framework/pipeline/build_pipeline.h"
#include "framework/pipeline/load_config.h"
#include "framework/pipeline/shard_runner.h"
#include "framework/pipeline/worker_pool.h"
#include "registry/base/error.h"
#include "registry/reading/cfg_reader.h"
#include "tests/components/small_config.h"

namespace weft::testing {

class TaggingPipeline : public ::testing::Test {
 protected:
  using Texts = std::vector<std::string>;

  TaggingPipeline() { add_builtin(catalogue_); }
  ~TaggingPipeline() override { std::filesystem::remove_all(folder_); }

  // `settings`: further lines of the component's section; `more`: sections behind it.
  std::shared_ptr<Language> pipeline(const std::string& factory, const std::string& settings = "",
                                     const std::string& more = "") {
    const std::string text = small::nlp_section("[\"it\"]") + "\n[components.it]\nfactory = \"" +
                             factory + "\"\n" + settings + R"(
[components.it.model]
@architectures = "spacy.Tagger.v2"

[components.it.model.tok2vec]
)" + small::hash_embed_cnn({.subwords = true}) +
                             R"(
[training]

[training.optimizer]
@optimizers = "Adam.v1"
learn_rate = 0.01
)" + more;
    Problems problems;
    const Config read = read_cfg(text, "test.cfg", problems, {.interpolate = false});
    const Config filled = fill_pipeline_config(read, catalogue_, problems);
    if (has_errors(problems)) throw Error(ErrorKind::config, problems);
    return build_pipeline(filled, catalogue_);
  }

  // A document with a column of texts, "" where a token has none.
  static Doc doc_of(const Language& nlp, const Texts& words, Attr attr, const Texts& texts) {
    Doc doc = Doc::from_words(nlp.vocab(), words);
    set(doc, attr, texts);
    return doc;
  }
  static void set(Doc& doc, Attr attr, const Texts& texts) {
    std::vector<StringId> ids;
    for (const std::string& text : texts) ids.push_back(doc.vocab()->strings().add(text));
    doc.set_column(attr, std::move(ids));
  }

  static Texts texts_of(const Doc& doc, Attr attr) {
    Texts texts;
    for (int i = 0; i < doc.size(); ++i) texts.emplace_back(doc.string(doc.value(attr, i)));
    return texts;
  }

  static void annotate(const Language& nlp, Doc& doc) {
    Doc* const docs[] = {&doc};
    nlp.annotate(docs);
  }
  static Texts predicted(const Language& nlp, const Texts& words, Attr attr) {
    Doc doc = Doc::from_words(nlp.vocab(), words);
    annotate(nlp, doc);
    return texts_of(doc, attr);
  }

  static void learn(Language& nlp, std::vector<Example>& examples, int updates = 80) {
    nlp.initialize(examples);
    for (int i = 0; i < updates; ++i) nlp.update(examples);
  }

  // Loss and gradients of one batch.
  static Losses losses_of(ShardRunner& runner, std::vector<Example>& examples) {
    std::vector<Example*> batch;
    for (Example& example : examples) batch.push_back(&example);
    return runner.accumulate(batch, 0.0, 0);
  }

  std::shared_ptr<Language> saved_and_loaded(const Language& nlp) {
    nlp.to_disk(folder_ / "saved");
    auto loaded = load_pipeline(folder_ / "saved", catalogue_);
    loaded->to_disk(folder_ / "again");
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "saved" / "it")) {
      const auto name = entry.path().filename();
      EXPECT_EQ(read_file(entry.path()), read_file(folder_ / "again" / "it" / name)) << name;
    }
    return loaded;
  }

  template <class Action>
  static std::string error_of(const Action& action) {
    try {
      action();
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  Catalogue catalogue_;
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("weft_tagging_test_" + std::to_string(::getpid()));
};

}  // namespace weft::testing
