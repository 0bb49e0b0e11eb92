// Memory of training whole networks, added up from the costs of their layers.
#include <string>

#include <gtest/gtest.h>

#include "components/builtin.h"
#include "framework/pipeline/build_pipeline.h"
#include "framework/pipeline/load_config.h"
#include "framework/pipeline/memory_estimate.h"
#include "registry/reading/cfg_reader.h"
#include "tests/components/small_config.h"

namespace weft {
namespace {

std::string config_text(const std::string& tok2vec, small::SmallParser parser) {
  parser.hidden = 32;
  return small::nlp_section(R"(["tok2vec", "ner"])") + small::tok2vec_section(tok2vec) +
         small::ner_section(small::listener(48), parser);
}

std::string hash_embed_cnn(int depth, bool subwords) {
  return small::hash_embed_cnn({.width = 48, .depth = depth, .pieces = 3, .subwords = subwords});
}

const char* const kMultiHashEmbed =
    "@architectures = \"spacy.MultiHashEmbed.v2\"\nwidth = 48\n"
    "attrs = [\"NORM\", \"PREFIX\", \"SUFFIX\", \"SHAPE\"]\nrows = [200, 100, 100, 100]\n"
    "include_static_vectors = false\n";
const char* const kCharacterEmbed =
    "@architectures = \"spacy.CharacterEmbed.v2\"\nwidth = 48\nrows = 200\nnM = 16\nnC = 4\n"
    "include_static_vectors = false\nfeature = \"LOWER\"\n";

std::string tok2vec(const std::string& embed, const std::string& encode) {
  return "@architectures = \"spacy.Tok2Vec.v2\"\n\n[components.tok2vec.model.embed]\n" + embed +
         "\n[components.tok2vec.model.encode]\nwidth = 48\n" + encode;
}

struct Taken {
  double per_token, per_document, parameters;
};

void expect_taken(const std::string& tok2vec, const small::SmallParser& parser,
                  const Taken& expected) {
  Catalogue catalogue;
  add_builtin(catalogue);
  Problems problems;
  const Config config =
      read_cfg(config_text(tok2vec, parser), "test", problems, {.interpolate = false});
  const auto nlp = build_pipeline(fill_pipeline_config(config, catalogue, problems), catalogue);
  Doc doc = Doc::from_words(nlp->vocab(), {"Ada", "went"});
  doc.set_ents({{0, 1, nlp->vocab()->strings().add("PER")}});
  const std::vector<Example> examples = {Example::from_reference(std::move(doc))};
  nlp->initialize(examples);
  const TrainingBytes bytes = training_bytes(*nlp);
  EXPECT_EQ(bytes.per_token, expected.per_token) << tok2vec;
  EXPECT_EQ(bytes.per_document, expected.per_document) << tok2vec;
  EXPECT_EQ(bytes.per_pair, 0) << tok2vec;
  EXPECT_EQ(trained_parameter_bytes(*nlp), expected.parameters) << tok2vec;
}

const small::SmallParser kParser = {.pieces = 2, .upper = true};

// Shards are cut by these numbers: others give other sums.
TEST(NetworkCost, EncodersOfBlocksTakeAsMuchAsTheyDid) {
  expect_taken(hash_embed_cnn(1, true), kParser, {11666, 840, 3865680});
  expect_taken(hash_embed_cnn(2, true), kParser, {12890, 4128, 5040336});
  expect_taken(hash_embed_cnn(0, true), kParser, {11402, 0, 2691024});
  const std::string encode =
      "@architectures = \"spacy.MaxoutWindowEncoder.v2\"\nwindow_size = 2\nmaxout_pieces = ";
  expect_taken(tok2vec(kMultiHashEmbed, encode + "2\ndepth = 4\n"), kParser,
               {14602, 30208, 7894992});
  expect_taken(tok2vec(kCharacterEmbed, encode + "3\ndepth = 3\n"), kParser,
               {12802, 17568, 8406608});
}

TEST(NetworkCost, EncodersOfSingleLayersTakeAsMuchAsTheyDid) {
  const std::string encode = "@architectures = \"spacy.MishWindowEncoder.v2\"\n";
  expect_taken(tok2vec(kCharacterEmbed, encode + "window_size = 1\ndepth = 1\n"), kParser,
               {12954, 0, 2955344});
  expect_taken(tok2vec(kCharacterEmbed, encode + "window_size = 2\ndepth = 3\n"), kParser,
               {21802, 0, 4519760});
}

TEST(NetworkCost, ParsersTakeAsMuchAsTheyDid) {
  expect_taken(hash_embed_cnn(4, false), {.pieces = 1, .upper = true}, {10418, 14976, 5646032});
  expect_taken(hash_embed_cnn(4, true), {.pieces = 3, .upper = false}, {12855, 14976, 7120960});
}

}  // namespace
}  // namespace weft
