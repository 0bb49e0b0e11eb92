// The entity recognizer as a pipeline has it: labels, training, saving.
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "components/builtin.h"
#include "framework/io/atomic_file.h"
#include "framework/parser/entity_recognizer.h"
#include "framework/pipeline/build_pipeline.h"
#include "framework/pipeline/load_config.h"
#include "framework/pipeline/shard_runner.h"
#include "framework/pipeline/slots.h"
#include "framework/text/merge_tokens.h"
#include "framework/text/split_tokens.h"
#include "framework/training/optimizer.h"
#include "registry/base/error.h"
#include "tests/components/building.h"
#include "tests/components/pipes/made_component.h"
#include "tests/components/small_config.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

std::string config_with(const small::SmallParser& parser, const std::string& factory) {
  std::string text =
      small::nlp_section(R"(["tok2vec", "ner"])") +
      small::tok2vec_section(small::hash_embed_cnn({.rows = 100, .subwords = true})) +
      small::ner_section(small::listener(), parser);
  const std::string plain = "factory = \"ner\"";
  return text.replace(text.find(plain), plain.size(), "factory = \"" + factory + "\"");
}

// Examples from memory.
class Stream final : public ExampleStream {
 public:
  explicit Stream(std::vector<ExamplePtr> examples) : examples_(std::move(examples)) {}
  ExamplePtr next() override { return at_ < examples_.size() ? examples_[at_++] : nullptr; }

 private:
  std::vector<ExamplePtr> examples_;
  std::size_t at_ = 0;
};

class Ner : public ::testing::Test {
 protected:
  using Words = std::vector<std::string>;

  Ner() { add_builtin(catalogue_); }
  ~Ner() override { fs::remove_all(folder_); }

  std::shared_ptr<Language> pipeline(const std::string& config = config_with({}, "ner")) {
    const fs::path file = folder_ / "config.cfg";
    fs::create_directories(folder_);
    write_file(file, config);
    Problems problems;
    const Config loaded = load_pipeline_config(file, {}, catalogue_, problems);
    return build_pipeline(loaded, catalogue_);
  }

  ExamplePtr example(const Language& nlp, const Words& words, const std::vector<TagSpan>& ents) {
    Doc reference = Doc::from_words(nlp.vocab(), words);
    std::vector<Span> spans;
    for (const TagSpan& ent : ents) {
      spans.push_back({ent.start, ent.end, nlp.vocab()->strings().add(ent.label)});
    }
    reference.set_ents(spans);
    return std::make_shared<Example>(Example::from_reference(std::move(reference)));
  }

  std::vector<ExamplePtr> data(const Language& nlp) {
    return {
        example(nlp, {"Ada", "Lovelace", "lived", "in", "London"}, {{0, 2, "PER"}, {4, 5, "LOC"}}),
        example(nlp, {"nobody", "was", "there"}, {}),
        example(nlp, {"Grace", "Hopper", "!"}, {{0, 2, "PER"}})};
  }

  void initialize(Language& nlp, const std::vector<ExamplePtr>& examples,
                  const Object& settings = {}) {
    Component* components[] = {nlp.find("tok2vec"), nlp.find("ner")};
    Context ctx;
    InitRandom random(1);
    for (Component* component : components) {
      InitContext init{ctx, random, [&] { return std::make_unique<Stream>(examples); }, examples,
                       component == components[1] ? settings : Object()};
      component->initialize(init);
    }
  }

  // One step of a simple optimizer.
  Losses train(Language& nlp, const std::vector<ExamplePtr>& examples, Optimizer& optimizer,
               int step) {
    WorkerPool pool(1);
    ShardRunner runner(nlp, pool, {});
    std::vector<Example*> batch;
    for (const ExamplePtr& example : examples) batch.push_back(example.get());
    const Losses losses = runner.accumulate(batch, 0.1, static_cast<std::uint64_t>(step));
    std::vector<NamedParameter> parameters;
    for (const NamedComponent& named : nlp.pipeline()) {
      for (Model* node : named.component->models()[0]->walk()) {
        for (const auto& parameter : node->params()) {
          parameters.push_back({node->site() + "/" + parameter->name, parameter.get()});
        }
      }
    }
    Context ctx;
    optimizer.step(ctx, parameters, runner.gradients());
    return losses;
  }

  std::vector<std::string> entities(const Language& nlp, const Words& words) {
    return entities(nlp, Doc::from_words(nlp.vocab(), words));
  }
  std::vector<std::string> entities(const Language& nlp, Doc doc) {
    Doc* const docs[] = {&doc};
    nlp.annotate(docs);
    return entities_of(doc);
  }
  static std::vector<std::string> entities_of(const Doc& doc) {
    std::vector<std::string> found;
    for (const Span& span : doc.ents()) {
      found.push_back(std::string(doc.string(span.label)) + ":" +
                      std::string(doc.span_text(span.start, span.end)));
    }
    return found;
  }

  EntityRecognizer& ner(Language& nlp) { return dynamic_cast<EntityRecognizer&>(*nlp.find("ner")); }

  // A pipeline that knows its few sentences by heart.
  std::shared_ptr<Language> trained(const std::string& config = config_with({}, "ner")) {
    auto nlp = pipeline(config);
    const auto examples = data(*nlp);
    initialize(*nlp, examples);
    const auto optimizer =
        optimizer_of("@optimizers = \"Adam.v1\"\nlearn_rate = 0.01\nuse_averages = false\n");
    for (int step = 0; step < 60; ++step) train(*nlp, examples, *optimizer, step);
    return nlp;
  }
  static OptimizerPtr optimizer_of(const char* text) { return testing::build<OptimizerPtr>(text); }

  Catalogue catalogue_;
  fs::path folder_ = fs::temp_directory_path() / ("weft_ner_test_" + std::to_string(::getpid()));
  const Words kSentence = {"Ada", "Lovelace", "lived", "in", "London"};
  const std::vector<std::string> kEntities = {"PER:Ada Lovelace", "LOC:London"};
};

TEST_F(Ner, ClassesComeFromTheData) {
  auto nlp = pipeline();
  initialize(*nlp, data(*nlp));
  EXPECT_EQ(ner(*nlp).labels(), (std::vector<std::string>{"LOC", "PER"}));
  EXPECT_EQ(ner(*nlp).action_table().name(0), "B-PER");  // four tokens against one
  EXPECT_EQ(ner(*nlp).action_table().size(), 10);
}

TEST_F(Ner, ClassesComeFromAListOrATable) {
  auto nlp = pipeline();
  Object settings;
  settings.set("labels", List{"X", "Y"});
  initialize(*nlp, data(*nlp), settings);
  EXPECT_EQ(ner(*nlp).labels(), (std::vector<std::string>{"X", "Y"}));
  const Node table = ner(*nlp).label_data();
  auto other = pipeline();
  settings.set("labels", table);
  initialize(*other, data(*other), settings);
  EXPECT_EQ(ner(*other).action_table().classes(), ner(*nlp).action_table().classes());
}

TEST_F(Ner, NoLabelAtAllIsAnError) {
  auto nlp = pipeline();
  const std::vector<ExamplePtr> examples = {example(*nlp, {"nothing", "here"}, {})};
  EXPECT_THROW(initialize(*nlp, examples), Error);
}

TEST_F(Ner, LearnsAFewSentencesByHeart) {
  const auto nlp = trained();
  EXPECT_EQ(entities(*nlp, kSentence), kEntities);
  EXPECT_TRUE(entities(*nlp, {"nobody", "was", "there"}).empty());
  EXPECT_TRUE(entities(*nlp, {}).empty());
}

TEST_F(Ner, IsTheSameAfterSavingAndLoading) {
  const auto nlp = trained();
  nlp->to_disk(folder_ / "saved");
  const auto loaded = load_pipeline(folder_ / "saved", catalogue_);
  EXPECT_EQ(entities(*loaded, kSentence), kEntities);
  loaded->to_disk(folder_ / "again");
  for (const char* file : {"ner/model", "ner/moves", "ner/cfg", "tok2vec/model"}) {
    EXPECT_EQ(read_file(folder_ / "saved" / file), read_file(folder_ / "again" / file)) << file;
  }
}

TEST_F(Ner, RefusesNumbersThatAreNone) {
  const auto nlp = trained();
  nlp->to_disk(folder_ / "saved");
  for (const char* cfg : {"{\"beam_width\": 0}", "{\"beam_width\": 99999999999999999999}",
                          "{\"update_with_oracle_cut_size\": 99999999999999999999}",
                          "{\"update_with_oracle_cut_size\": 4294967296}"}) {
    write_file(folder_ / "saved/ner/cfg", cfg);
    EXPECT_THROW(load_pipeline(folder_ / "saved", catalogue_), Error) << cfg;
  }
  write_file(folder_ / "saved/ner/cfg", "{}");
  EXPECT_EQ(entities(*load_pipeline(folder_ / "saved", catalogue_), kSentence), kEntities);
}

TEST_F(Ner, RefusesMovesThatDoNotFitTheModel) {
  const auto nlp = trained();
  nlp->to_disk(folder_ / "saved");
  ActionTable other;
  other.count("ONLY");
  write_file(folder_ / "saved/ner/moves", other.to_bytes());
  EXPECT_THROW(load_pipeline(folder_ / "saved", catalogue_), Error);
}

TEST_F(Ner, AnAddedLabelLeavesTheOthersAndIsLearnt) {
  const auto nlp = trained();
  EXPECT_TRUE(ner(*nlp).add_label("NEW"));
  EXPECT_FALSE(ner(*nlp).add_label("NEW"));
  EXPECT_EQ(entities(*nlp, kSentence), kEntities);
  auto examples = data(*nlp);
  examples.push_back(example(*nlp, {"weft", "is", "new"}, {{0, 1, "LATER"}}));
  const auto optimizer = optimizer_of("@optimizers = \"Adam.v1\"\nlearn_rate = 0.01\n");
  for (int step = 0; step < 60; ++step) train(*nlp, examples, *optimizer, step);
  EXPECT_EQ(ner(*nlp).labels(), (std::vector<std::string>{"LATER", "LOC", "NEW", "PER"}));
  EXPECT_EQ(entities(*nlp, {"weft", "is", "new"}), std::vector<std::string>{"LATER:weft"});
  EXPECT_EQ(entities(*nlp, kSentence), kEntities);
  nlp->to_disk(folder_ / "saved");
  const auto loaded = load_pipeline(folder_ / "saved", catalogue_);
  EXPECT_EQ(entities(*loaded, {"weft", "is", "new"}), std::vector<std::string>{"LATER:weft"});
}

// Greedily and with beams, with and without an upper layer.
TEST_F(Ner, EntitiesOfOtherLabelsThatStandAlreadyAreKeptAndPassed) {
  const Words words = {"Ada", "Lovelace", "lived", "in", "London", "of", "old", "in", "London"};
  for (const auto& [factory, upper] :
       {std::pair("ner", true), std::pair("ner", false), std::pair("beam_ner", true)}) {
    SCOPED_TRACE(std::string(factory) + (upper ? ", upper" : ""));
    const auto nlp = trained(config_with({.upper = upper}, factory));
    const auto found = [&](const std::vector<TagSpan>& ents) {
      return entities(*nlp, Doc(example(*nlp, words, ents)->reference()));
    };
    EXPECT_EQ(found({{5, 7, "AGE"}}), (std::vector<std::string>{"PER:Ada Lovelace", "LOC:London",
                                                                "AGE:of old", "LOC:London"}));
    // As if the labels were known and never seen.
    const std::vector<TagSpan> several = {{0, 1, "FIRST"}, {2, 5, "LONG"}, {7, 9, "PER"}};
    const auto unknown = found(several);
    EXPECT_THAT(unknown,
                ::testing::IsSupersetOf({"FIRST:Ada", "LONG:lived in London", "PER:in London"}));
    for (const char* label : {"FIRST", "LONG"}) ner(*nlp).add_label(label);
    EXPECT_EQ(found(several), unknown);
  }
}

// As by merge_noun_chunks or token_splitter between them.
TEST_F(Ner, ListensToVectorsOfTokensThatAreJoinedOrSplit) {
  const auto nlp = trained();
  std::vector<Doc> docs = {Doc::from_words(nlp->vocab(), {"nobody", "was", "there"}),
                           Doc::from_words(nlp->vocab(), kSentence)};
  const auto annotate_with = [&](const std::function<void(Doc&)>& change) {
    std::vector<Doc> made = docs;
    Doc* const all[] = {&made[0], &made[1]};
    Context ctx;
    Slots slots(ctx);
    ctx.pass().predict();
    ctx.pass().set_slots(&slots);
    nlp->find("tok2vec")->predict(ctx, all, slots);
    change(made[0]);
    nlp->find("ner")->predict(ctx, all, slots);
    ctx.pass().set_slots(nullptr);
    EXPECT_EQ(entities_of(made[1]), kEntities);
    return made[0].size();
  };
  EXPECT_EQ(annotate_with([](Doc& doc) { merge_tokens(doc, {{0, 2, 0}}); }), 2);
  EXPECT_EQ(annotate_with([](Doc& doc) { split_tokens(doc, 3, 1); }), 14);
}

TEST_F(Ner, ABatchWithoutAnnotationChangesNothing) {
  const auto nlp = trained();
  const Doc bare = Doc::from_words(nlp->vocab(), kSentence);
  const std::vector<ExamplePtr> examples = {
      std::make_shared<Example>(Example::from_reference(bare))};
  const auto optimizer = optimizer_of("@optimizers = \"Adam.v1\"\n");
  const Losses losses = train(*nlp, examples, *optimizer, 0);
  EXPECT_EQ(losses.count("ner") == 0 ? 0.0 : losses.at("ner"), 0.0);
  EXPECT_EQ(entities(*nlp, kSentence), kEntities);
}

// Each label that stands in the documents would be a class.
TEST(NerClasses, EntitiesThatStandAlreadyHaveALimitOfLabels) {
  const auto vocab = std::make_shared<Vocab>("en");
  const std::vector<std::string> words(65537, "w");
  std::vector<Span> ents;
  for (int i = 0; i < static_cast<int>(words.size()); ++i) {
    ents.push_back({i, i + 1, vocab->strings().add("L" + std::to_string(i))});
  }
  Doc doc = Doc::from_words(vocab, words);
  doc.set_ents(ents);
  Object block;
  block.set("factory", "ner");
  const ComponentPtr component = made_component(std::move(block));
  component->bind("ner", vocab);
  Context ctx;
  Slots slots(ctx);
  Doc* const docs[] = {&doc};
  try {
    component->predict(ctx, docs, slots);
    FAIL() << "it takes them all";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(),
                ::testing::HasSubstr("entities of the documents: more than 65536 labels"));
  }
}

}  // namespace
}  // namespace weft
