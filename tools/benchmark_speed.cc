#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>

#include <fmt/format.h>

#include "framework/pipeline/build_pipeline.h"
#include "framework/pipeline/document_files.h"
#include "framework/pipeline/worker_pool.h"
#include "registry/error.h"
#include "registry/json.h"
#include "tools/commands.h"
#include "tools/setup.h"

namespace weft::tools {
namespace {

struct Spread {
  double mean = 0.0;
  double deviation = 0.0;
  double least = 0.0;
  double most = 0.0;
};

Spread spread_of(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  Spread spread;
  for (const double value : values) spread.mean += value / count;
  for (const double value : values) spread.deviation += std::pow(value - spread.mean, 2) / count;
  spread.deviation = std::sqrt(spread.deviation);
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  spread.least = *least;
  spread.most = *most;
  return spread;
}

std::vector<Doc> read_documents(const std::filesystem::path& file, const Language& nlp) {
  const auto documents = open_documents(file, nlp);
  std::vector<Doc> docs;
  while (auto doc = documents()) docs.push_back(std::move(*doc));
  if (docs.empty()) {
    throw Error(ErrorKind::data, fmt::format("{} holds no document", file.string()));
  }
  return docs;
}

// Words per second of one pass, tokenization included where the text is known.
double one_pass(const Language& nlp, const std::vector<Doc>& docs, WorkerPool& pool) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<Doc> fresh;
  std::int64_t words = 0;
  for (const Doc& doc : docs) {
    fresh.push_back(doc.has_unknown_spaces() ? doc.words_only() : nlp.make_doc(doc.text()));
    words += fresh.back().size();
  }
  std::vector<Doc*> pointers;
  for (Doc& doc : fresh) pointers.push_back(&doc);
  nlp.annotate(pointers, pool);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  return static_cast<double>(words) / seconds.count();
}

}  // namespace

int run_benchmark_speed(const Words& words) {
  CommandLine line("benchmark speed PIPELINE DATA [options]",
                   "Measures words per second of prediction, over several passes.",
                   "weft benchmark speed out/model-best test.spacy --threads 1");
  line.positional("PIPELINE", "folder of a saved pipeline");
  line.positional("DATA", "documents of any format");
  line.option("repeats", "N", "passes that are measured, 10 by default, after one that is not");
  line.accept_json();
  line.accept_code();
  line.accept_gpu();
  line.accept_threads();
  if (!line.parse(words)) return 0;
  check_device(line);
  const int repeats = line.number("repeats", 10);
  if (repeats < 1) throw Error(ErrorKind::usage, "--repeats takes a positive number");
  const Catalogue catalogue = load_catalogue(line);
  const auto nlp = load_pipeline(line.path("PIPELINE"), catalogue);
  const std::vector<Doc> docs = read_documents(line.path("DATA"), *nlp);
  WorkerPool pool(choose_threads(line.number("threads", 0)));
  one_pass(*nlp, docs, pool);
  std::vector<double> speeds;
  for (int i = 0; i < repeats; ++i) speeds.push_back(one_pass(*nlp, docs, pool));
  const Spread spread = spread_of(speeds);
  if (line.has("json")) {
    Object object;
    object.set("words_per_second", spread.mean);
    object.set("deviation", spread.deviation);
    object.set("least", spread.least);
    object.set("most", spread.most);
    object.set("repeats", repeats);
    object.set("threads", pool.threads());
    std::cout << to_json(object) << '\n';
  } else {
    std::cout << fmt::format(
        "{:.0f} words/s, deviation {:.0f}, {:.0f} to {:.0f} in {} passes, {} threads\n",
        spread.mean, spread.deviation, spread.least, spread.most, repeats, pool.threads());
  }
  return 0;
}

}  // namespace weft::tools
