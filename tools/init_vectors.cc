#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "components/weft.h"
#include "framework/io/npy.h"
#include "framework/io/read_budget.h"
#include "framework/io/text_lines.h"
#include "framework/pipeline/prune_vectors.h"
#include "framework/pipeline/replaceable_folder.h"
#include "framework/text/printable.h"
#include "framework/text/symbols.h"
#include "framework/text/vector_attrs.h"
#include "framework/text/vector_text.h"
#include "framework/text/vocab.h"
#include "registry/base/error.h"
#include "registry/base/seeded_hash.h"
#include "registry/value/json.h"
#include "tools/commands.h"
#include "tools/documents.h"
#include "tools/setup.h"

namespace weft::tools {
namespace {

// A word of --lexemes-jsonl with its place in a table of NumPy.
struct RankedWord {
  std::string word;
  std::optional<std::int64_t> rank = {};  // none: the line has no "id"
  std::int64_t line = 0;
};

// Memory of one: in the list, which doubles as it grows, and in the strings of the pipeline.
constexpr std::uint64_t kRankedWord = 3 * sizeof(RankedWord);

std::vector<RankedWord> read_ranks(const std::string& file) {
  std::vector<RankedWord> words;
  if (file.empty()) return words;
  TextLines lines({file});
  ReadBudget budget(file);
  while (const auto line = lines.next()) {
    if (line->empty()) continue;
    lines.at_line([&] {
      const auto entry = parse_json(*line);
      if (!entry || !entry->is_object()) throw Error(ErrorKind::data, "the line is no JSON object");
      const Object& object = entry->as_object();
      if (object.contains("settings")) return;
      const Node* orth = object.find("orth");
      if (orth == nullptr || !orth->is_string()) {
        throw Error(ErrorKind::data, "the line has no text 'orth'");
      }
      const Node* id = object.find("id");
      const auto* rank = id == nullptr ? nullptr : std::get_if<std::int64_t>(&id->value());
      if (id != nullptr && (rank == nullptr || *rank < 0)) {
        throw Error(ErrorKind::data, "'id' is the number of a row, from 0 on");
      }
      budget.charge(kRankedWord + orth->as_string().size(), "the words");
      words.push_back({orth->as_string(), std::nullopt, lines.number()});
      if (rank != nullptr) words.back().rank = *rank;
    });
  }
  return words;
}

// Each word once, in the order of the lines: of several rows the last counts, as in the reference.
std::vector<RankedWord> last_ranks(const std::vector<RankedWord>& words) {
  std::vector<RankedWord> last;
  std::unordered_map<std::string_view, std::size_t, SeededHash> places;
  for (const RankedWord& word : words) {
    const auto [place, is_new] = places.emplace(word.word, last.size());
    if (is_new) {
      last.push_back(word);
    } else if (word.rank) {
      last[place->second] = word;
    }
  }
  return last;
}

bool is_floret(const CommandLine& line) {
  const std::string mode = line.has("mode") ? line.text("mode") : "default";
  if (mode != "default" && mode != "floret") {
    throw Error(ErrorKind::usage,
                fmt::format("--mode is default or floret, not '{}'", printable(mode)));
  }
  return mode == "floret";
}

Attr attribute(const CommandLine& line) {
  if (!line.has("attr")) return Attr::orth;
  const std::string name = line.text("attr") == "TEXT" ? "ORTH" : line.text("attr");
  const auto mode = is_floret(line) ? Vectors::Mode::floret : Vectors::Mode::by_key;
  const auto attr = attr_of(name);
  if (attr && is_vector_attr(mode, *attr)) return *attr;
  throw Error(ErrorKind::usage,
              fmt::format("--attr is {}{}, not '{}'", vector_attr_names(mode),
                          is_floret(line) ? " with --mode floret" : "", printable(name)));
}

// A table of NumPy has no words of its own: they come with their rows, and one without is left out.
Vectors read_table(const CommandLine& line, const std::vector<RankedWord>& words) {
  const std::string file = line.text("FILE"), words_file = line.text("lexemes-jsonl");
  if (words.empty()) {
    throw Error(ErrorKind::usage,
                fmt::format("{} holds numbers without words; --lexemes-jsonl FILE names them, in "
                            "lines as {{\"orth\": \"word\", \"id\": 1}}",
                            file));
  }
  if (attribute(line) != Attr::orth) {
    throw Error(ErrorKind::usage, "--attr: rows of a table of NumPy belong to words, ORTH");
  }
  if (is_floret(line) || line.has("truncate")) {
    throw Error(ErrorKind::usage,
                "--mode floret and --truncate are for vectors in text; a table of NumPy is read "
                "whole, and --lexemes-jsonl says which words have rows");
  }
  const Tensor table = read_npz_matrix(file);
  std::vector<Vectors::KeyRow> keys;
  const std::vector<RankedWord> ranked = last_ranks(words);
  for (const auto& [word, rank, number] : ranked) {
    if (rank.value_or(0) == 0) continue;  // as in the reference, for which 0 is no rank
    if (*rank >= table.dim(0)) {
      throw Error(ErrorKind::data,
                  fmt::format("'{}' has the row {} of a table of {} rows", printable_brief(word),
                              *rank, table.dim(0)),
                  Origin::file(std::make_shared<const std::string>(words_file),
                               static_cast<int>(number), 1));
    }
    keys.emplace_back(string_id(word), static_cast<std::int32_t>(*rank));
  }
  if (keys.empty()) {
    throw Error(ErrorKind::data, fmt::format("{}: no word has a row above 0", words_file));
  }
  if (keys.size() < ranked.size()) {
    std::cerr << fmt::format("{} words of {} have the row 0 or none, and get no vector\n",
                             ranked.size() - keys.size(), words_file);
  }
  return unique_vectors(table, std::move(keys), table.dim(0));
}

Vectors read_text(const CommandLine& line, const std::string& file, const Vocab& vocab) {
  const VectorText text = read_vector_text(
      file, {.floret = is_floret(line), .truncate = line.number_within("truncate", 0, 0)});
  if (text.floret) {
    try {
      return {text.table, *text.floret, attribute(line)};
    } catch (const Error& error) {
      throw Error(error.kind(), fmt::format("{}: {}", file, error.message()));
    }
  }
  if (text.announced > text.table.dim(0) && !line.has("truncate")) {
    std::cerr << fmt::format("warning: the header of {} says {} rows, and there are {}\n", file,
                             text.announced, text.table.dim(0));
  }
  for (const std::string& word : text.words) {
    if (!word.empty()) vocab.strings().add(word);
  }
  return vectors_by_word(text, attribute(line));
}

Vectors read_any(const CommandLine& line, const Vocab& vocab) {
  const std::string file = line.text("FILE");
  const std::vector<RankedWord> words = read_ranks(line.text("lexemes-jsonl"));
  for (const RankedWord& known : words) vocab.strings().add(known.word);
  if (file.ends_with(".npz") || file.ends_with(".npy")) return read_table(line, words);
  return read_text(line, file, vocab);
}

void accept_options(CommandLine& line) {
  line.positional("LANG", "language code of the pipeline");
  line.positional(
      "FILE", "a word and its numbers on each line, also .gz, .zip, .tar.gz, .zst, .xz; or .npz");
  line.positional("DIR", "the folder to write; replaced if it is a pipeline");
  line.option("prune,p", "N", "keep N vectors; other words get the most similar of them");
  line.option("truncate,t", "N", "read the first N vectors only");
  line.option("mode,m", "MODE", "default, or floret: rows of hashed n-grams");
  line.option("name,n", "NAME", "name of the vectors; LANG_pipeline.vectors by default");
  line.option("attr,a", "NAME", "attribute of a token that is looked up: ORTH (default), LOWER, …");
  line.option("lexemes-jsonl,j", "FILE", "words with the rows (\"id\") that they have in .npz");
  line.flag("verbose,V", "say what is read");
  line.also("verbose", {"-VV"});
}

}  // namespace

int run_init_vectors(const Words& words) {
  CommandLine line("init vectors LANG FILE DIR [options]",
                   "Makes a pipeline that holds word vectors, for [initialize] vectors.",
                   "weft init vectors en cc.en.300.vec.gz en_vectors --truncate 200000");
  accept_options(line);
  if (!line.parse(words)) return 0;
  const std::filesystem::path folder = line.path("DIR");
  refuse_other_folder(folder);
  refuse_input_within(folder, line.path("FILE"));
  if (line.has("lexemes-jsonl")) refuse_input_within(folder, line.path("lexemes-jsonl"));
  const std::int64_t prune = line.number_within("prune", 0, 0);
  (void)attribute(line);  // a mistake of the command line shows before large files are read
  const auto nlp = blank(line.text("LANG"));
  tell_of_language(line.text("LANG"));
  if (line.has("verbose")) std::cerr << "reading vectors from " << line.text("FILE") << '\n';
  Vectors vectors = read_any(line, *nlp->vocab());
  if (prune > 0) vectors = prune_vectors(vectors, prune);
  Object entry;
  entry.set("name", line.has("name") ? line.text("name") : line.text("LANG") + "_pipeline.vectors");
  nlp->meta().set("vectors", std::move(entry));
  const auto kept = std::make_shared<const Vectors>(std::move(vectors));
  nlp->mutable_vocab().set_vectors(kept);
  nlp->to_disk(folder);
  std::cerr << fmt::format("wrote {}: {} vectors of {} numbers", folder.string(), kept->rows(),
                           kept->width());
  if (kept->mode() == Vectors::Mode::by_key)
    std::cerr << fmt::format(", {} words", kept->keys().size());
  std::cerr << fmt::format("; train with them by --paths.vectors {}\n", folder.string());
  return 0;
}

}  // namespace weft::tools
