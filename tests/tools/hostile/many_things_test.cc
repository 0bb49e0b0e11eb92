// Files with many of one thing, at sizes that double: reading takes time in proportion to the size.
// Where it is long enough to be measured, twice the size may take three times as long at most.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "framework/io/msgpack_writer.h"
#include "framework/text/string_store.h"
#include "tests/sanitizers.h"
#include "tests/tools/hostile/colliding_texts.h"
#include "tests/tools/hostile/doc_bin_parts.h"
#include "tests/tools/hostile/hostile_run.h"
#include "tests/tools/program.h"

namespace weft::testing_tools {
namespace {

namespace fs = std::filesystem;

struct Input {
  const char* name;
  const char* file;
  std::uint64_t size;  // where the doubling begins
  std::function<std::string(std::uint64_t)> content;
  std::vector<std::string> more = {};  // words of the command
};

// "first" + "middle" n times with its number in the place of '#', parted by commas, + "last".
std::string listed(const std::string& first, const std::string& item, const std::string& last,
                   std::uint64_t count) {
  std::string text = first;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (i > 0) text += ',';
    for (const char c : item) c == '#' ? text += std::to_string(i) : text += c;
  }
  return text + last;
}

std::string repeated(const std::string& text, std::uint64_t times) {
  std::string all;
  for (std::uint64_t i = 0; i < times; ++i) all += text;
  return all;
}

// Documents of words that are one letter each, with entities given by characters.
std::string words_with_ents(std::uint64_t count,
                            const std::function<std::string(std::uint64_t)>& ent) {
  std::string text = "{\"text\": \"" + repeated("ab ", count) + "\", \"spans\": [";
  for (std::uint64_t i = 0; i < count; ++i) text += (i == 0 ? "" : ",") + ent(i);
  return text + "]}\n";
}

std::string entity(std::uint64_t start, std::uint64_t end) {
  return "[" + std::to_string(start) + "," + std::to_string(end) + ",\"L\"]";
}

std::string tokens_of_json(std::uint64_t count, const std::string& token, const std::string& raw) {
  return listed("[{\"paragraphs\":[{\"raw\":\"" + raw + "\",\"sentences\":[{\"tokens\":[", token,
                "]}]}]}]", count);
}

std::string doc_bin_with_cats(std::uint64_t count) {
  DocBinParts parts;
  parts.set_only(
      "cats", map_head(count) + [count] {
        MsgpackWriter to;
        for (std::uint64_t i = 0; i < count; ++i) to.str(std::to_string(i)), to.integer(1);
        return to.take();
      }());
  return parts.bytes();
}

std::string doc_bin_with_groups(std::uint64_t count) {
  MsgpackWriter map;
  for (std::uint64_t i = 0; i < count; ++i) {
    map.bin(packed([&](auto& to) {
      to.map(2), to.str("name"), to.str(std::to_string(i)), to.str("spans"), to.array(0);
    }));
    map.array(1);
    map.str(std::to_string(i));
  }
  const std::string groups = map_head(count) + map.bytes();
  DocBinParts parts;
  parts.set_only("span_groups", bin_head(groups.size()) + groups);
  return parts.bytes();
}

std::string doc_bin_with_strings(const std::vector<std::string>& texts) {
  MsgpackWriter strings;
  strings.array(static_cast<std::uint32_t>(texts.size() + 1));
  strings.str("a");
  for (const std::string& text : texts) strings.str(text);
  DocBinParts parts;
  parts.set("strings", strings.bytes());
  return parts.bytes();
}

// Every token another word, whose ids end with the same bits.
std::string doc_bin_of_words(const std::vector<std::string>& texts) {
  DocBinParts parts(texts.size());
  MsgpackWriter strings;
  strings.array(static_cast<std::uint32_t>(texts.size()));
  std::string rows;
  for (const std::string& text : texts) {
    strings.str(text);
    const StringId id = string_id(text);
    rows.append(reinterpret_cast<const char*>(&id), sizeof id);
  }
  parts.set("strings", strings.bytes());
  parts.set("tokens", bin_head(rows.size()) + rows);
  return parts.bytes();
}

// Rows of which each weighted sum by known factors is zero.
std::string doc_bin_of_equal_sums(std::uint64_t count) {
  constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15;
  std::uint64_t inverse = kFactor;  // of the second factor, by Newton's steps
  for (int i = 0; i < 6; ++i) inverse *= 2 - 3 * kFactor * inverse;
  std::string rows;
  for (std::uint64_t i = 1; i <= count; ++i) {
    const std::uint64_t row[] = {i, 0 - i * kFactor * inverse};
    rows.append(reinterpret_cast<const char*>(row), sizeof row);
  }
  DocBinParts parts(count);
  parts.set("attrs", packed([](auto& to) { to.array(2), to.integer(65), to.integer(67); }));
  parts.set("tokens", bin_head(rows.size()) + rows);
  return parts.bytes();
}

std::vector<Input> inputs_of_lines() {
  const std::vector<std::string> dropped = {"--lang", "en", "--misaligned", "drop"};
  return {
      {"categories of JSON lines", "in.jsonl", 20000,
       [](auto n) { return listed(R"({"words":["a"],"cats":{)", "\"#\":1", "}}\n", n); }},
      {"entities that fit", "in.jsonl", 20000,
       [](auto n) { return words_with_ents(n, [](auto i) { return entity(3 * i, 3 * i + 2); }); },
       dropped},
      {"entities that all overlap",
       "in.jsonl",
       5000,
       [](auto n) { return words_with_ents(n, [n](auto i) { return entity(3 * i, 3 * n - 1); }); },
       {"--lang", "en", "--misaligned", "expand"}},
      {"entities that end in a word", "in.jsonl", 5000,
       [](auto n) { return words_with_ents(n, [n](auto i) { return entity(3 * i, 3 * n - 2); }); },
       dropped},
      {"entities by word", "in.jsonl", 20000,
       [](auto n) {
         std::string ents;
         for (std::uint64_t i = 0; i < n; ++i) ents += (i == 0 ? "" : ",") + entity(i, i + 1);
         return listed("{\"words\":[", "\"a\"", "],\"ents\":[" + ents + "]}\n", n);
       }},
      {"missing words", "in.jsonl", 20000,
       [](auto n) {
         return listed("{\"text\":\"" + std::string(4 * n, 'a') + "\",\"words\":[", "\"aaaa#\"",
                       "]}\n", n);
       }},
      {"labels", "in.jsonl", 20000,
       [](auto n) {
         return listed(R"({"words":[)", "\"a\"", "],", n) +
                listed("\"ner_tags\":[", "\"U-L#\"", "]}\n", n);
       }},
      {"nested lists", "in.jsonl", 2000000, [](auto n) { return std::string(n, '[') + "\n"; }},
      {"nested objects", "in.jsonl", 1000000, [](auto n) { return repeated("{\"\":", n) + "\n"; }},
      {"lines of CoNLL", "in.conll", 200000, [](auto n) { return repeated("a O\n", n); }},
      {"labels of CoNLL", "in.conll", 50000,
       [](auto n) {
         std::string text;
         for (std::uint64_t i = 0; i < n; ++i) text += "a\tB-" + std::to_string(i) + "\n";
         return text;
       }},
      {"words on a line", "in.iob", 200000, [](auto n) { return repeated("a|O ", n) + "\n"; }},
  };
}

std::vector<Input> inputs_of_json() {
  const std::string raw;
  return {
      {"tokens of a sentence", "in.json", 40000,
       [](auto n) { return tokens_of_json(n, R"({"orth":"a"})", ""); }},
      {"words that are not in the text", "in.json", 20000,
       [](auto n) { return tokens_of_json(n, R"({"orth":"aaaa#"})", std::string(8 * n, 'a')); }},
      {"sentences", "in.json", 40000,
       [](auto n) {
         return listed(R"([{"paragraphs":[{"sentences":[)", R"({"tokens":[{"orth":"a"}]})", "]}]}]",
                       n);
       }},
      {"paragraphs", "in.json", 20000,
       [](auto n) {
         return listed(R"([{"paragraphs":[)", R"({"sentences":[{"tokens":[{"orth":"a"}]}]})", "]}]",
                       n);
       }},
      {"documents", "in.json", 20000,
       [](auto n) {
         return listed("[", R"({"id":#,"paragraphs":[{"sentences":[{"tokens":[{"orth":"a"}]}]}]})",
                       "]", n);
       }},
      {"other things of a document", "in.json", 100000,
       [](auto n) { return listed("[{\"other\":[", "{\"x\":{}}", "],\"paragraphs\":[]}]", n); }},
      {"categories of a paragraph", "in.json", 20000,
       [](auto n) {
         return listed(R"([{"paragraphs":[{"sentences":[{"tokens":[{"orth":"a"}]}],"cats":[)",
                       R"({"label":"#","value":1})", "]}]}]", n);
       }},
      {"nested paragraphs", "in.json", 1000000,
       [](auto n) { return "[{\"paragraphs\":[" + std::string(n, '['); }},
      {"nested documents", "in.json", 1000000, [](auto n) { return std::string(n, '['); }},
  };
}

std::vector<Input> inputs_of_doc_bins() {
  return {
      {"categories of a .spacy file", "in.spacy", 50000, doc_bin_with_cats},
      {"span groups", "in.spacy", 20000, doc_bin_with_groups},
      {"strings with ids alike", "in.spacy", 40000,
       [](auto n) { return doc_bin_with_strings(colliding_texts(n)); }},
      {"words with ids alike", "in.spacy", 40000,
       [](auto n) { return doc_bin_of_words(colliding_texts(n)); }},
      {"rows with equal sums", "in.spacy", 100000, doc_bin_of_equal_sums},
  };
}

void expect_in_proportion(const std::vector<Input>& inputs) {
  const fs::path folder = fresh_folder();
  for (const Input& input : inputs) {
    double before = 0;
    for (std::uint64_t size = input.size; size <= 4 * input.size; size *= 2) {
      write_text(folder / input.file, input.content(size));
      std::vector<std::string> words = {"convert", input.file, "out.jsonl"};
      words.insert(words.end(), input.more.begin(), input.more.end());
      // Each entity that does not fit is told; their number is bounded elsewhere.
      const HostileBounds bounds{.output = std::int64_t{64} << 20};
      const HostileRun run = run_hostile(std::string(input.name) + ", " + std::to_string(size),
                                         words, folder, {}, bounds);
      expect_ended_well(run, bounds);
      constexpr double kMeasurable = 0.3;  // seconds; below it much else is measured
      if (!kHasSanitizer) {
        EXPECT_LE(run.cpu_seconds, 3 * std::max(before, kMeasurable)) << run.name;
      }
      before = run.cpu_seconds;
    }
    fs::remove(folder / input.file);
  }
}

// A pipeline of an entity ruler with these patterns, in the folder `ruler`.
void make_ruler(const fs::path& folder, const std::string& patterns) {
  write_text(folder / "ruler.cfg",
             "[nlp]\nlang = \"en\"\npipeline = [\"entity_ruler\"]\n\n"
             "[components]\n\n[components.entity_ruler]\nfactory = \"entity_ruler\"\n");
  ASSERT_EQ(
      run_weft({"assemble", (folder / "ruler.cfg").string(), (folder / "ruler").string()}).code, 0);
  write_text(folder / "ruler/entity_ruler/patterns.jsonl", patterns);
}

// A ruler keeps text and tables of numbers, and reads its file line by line.
TEST(HostileManyThings, PatternsOfARulerTakeLittleMemory) {
  const fs::path folder = fresh_folder();
  std::string patterns;
  for (int i = 0; i < 100'000; ++i) {
    const std::string number = std::to_string(i);
    patterns += "{\"label\": \"ORG\", \"pattern\": [{\"LOWER\": \"a" + number +
                "\"}, {\"LOWER\": \"b" + number + "\"}], \"id\": \"" + number + "\"}\n";
  }
  make_ruler(folder, patterns);
  write_text(folder / "text.txt", "A7 b7 left.\n");
  const HostileBounds bounds{.memory = std::int64_t{200} << 20};
  const HostileRun run =
      run_hostile("token patterns", {"apply", "ruler", "text.txt"}, folder, {}, bounds);
  expect_ended_well(run, bounds);
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.out.find("\"ORG\""), std::string::npos) << run.out;
}

// A line of JSON repeats a label for each span, and is held whole: some 200 kB would be 10 GB.
TEST(HostileManyThings, ALongLabelOfManyEntities) {
  const fs::path folder = fresh_folder();
  make_ruler(folder, "{\"label\": \"" + repeated("L", 100'000) + "\", \"pattern\": \"a\"}\n");
  write_text(folder / "text.txt", repeated("a ", 50'000) + "\n");
  const HostileRun run = run_hostile("a long label", {"apply", "ruler", "text.txt"}, folder);
  expect_refused(run, "its labels and other annotation are too long");
}

// Trains a span categorizer on `spans` spans, each over a whole long document, that begins with
// "don't": two tokens in English, one with the rules of no language.
HostileRun train_on_long_spans(const fs::path& folder, const std::string& language,
                               std::uint64_t spans) {
  constexpr std::uint64_t kTokens = 16'000;
  const std::string span = "[0," + std::to_string(5 + 2 * kTokens) + ",\"X\"]";
  write_text(folder / "spans.jsonl",
             listed("{\"text\":\"don't" + repeated(" a", kTokens) + "\",\"spans\":{\"sc\":[", span,
                    "]}}\n", spans));
  using Words = std::vector<std::string>;
  HostileRun run;
  for (const Words& words :
       {Words{"convert", "spans.jsonl", "spans.spacy", "--lang", language},
        Words{"init", "config", "spans.cfg", "--pipeline", "spancat", "--force"},
        Words{"train", "spans.cfg", "--paths.train", "spans.spacy", "--paths.dev", "spans.spacy",
              "--training.max_steps", "1", "--training.eval_frequency", "1"}}) {
    run = run_hostile(words.front(), words, folder);
    expect_ended_well(run);
  }
  return run;
}

// A file of some 40 kB.
TEST(HostileManyThings, SpansThatCoverADocumentAreLearntInTime) {
  const fs::path folder = fresh_folder();
  const HostileRun same = train_on_long_spans(folder, "en", 80'000);
  EXPECT_EQ(same.code, 0) << same.err;
  const HostileRun differing = train_on_long_spans(folder, "xx", 1'000);
  EXPECT_EQ(differing.code, 0) << differing.err;
  const HostileRun too_many = train_on_long_spans(folder, "xx", 80'000);
  EXPECT_EQ(too_many.code, 3) << "training failed";
  EXPECT_NE(too_many.err.find("spans.spacy, document 1: its 80000 spans have"), std::string::npos)
      << too_many.err;
}

// Drawings of documents are hundreds of times as large as the documents.
TEST(HostileManyThings, APageOfDrawingsIsBounded) {
  const fs::path folder = fresh_folder();
  const std::string line =
      listed("{\"text\":\"a\",\"spans\":{\"sc\":[", "[0,1,\"X\"]", "]}}\n", 100'000);
  write_text(folder / "spans.jsonl", line + line + line + line);
  const HostileRun run = run_hostile(
      "drawings", {"render", "spans.jsonl", "-s", "span", "-l", "en", "-o", "page.html"}, folder);
  expect_ended_well(run);
  EXPECT_EQ(run.code, 0);
  EXPECT_NE(run.err.find("note: 2 of 4 documents are drawn"), std::string::npos) << run.err;
  EXPECT_LT(fs::file_size(folder / "page.html"), std::uintmax_t{140} << 20);
}

TEST(HostileManyThings, LinesTakeTimeInProportion) {
  expect_in_proportion(inputs_of_lines());
}

TEST(HostileManyThings, JsonTakesTimeInProportion) {
  expect_in_proportion(inputs_of_json());
}

TEST(HostileManyThings, DocBinsTakeTimeInProportion) {
  expect_in_proportion(inputs_of_doc_bins());
}

}  // namespace
}  // namespace weft::testing_tools
