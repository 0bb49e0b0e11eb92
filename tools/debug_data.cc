#include <algorithm>
#include <charconv>
#include <iostream>
#include <map>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "framework/pipeline/build_pipeline.h"
#include "framework/pipeline/check_config.h"
#include "framework/pipeline/load_config.h"
#include "framework/text/printable.h"
#include "framework/training/data_check.h"
#include "framework/training/pattern_check.h"
#include "framework/training/resolve_corpus.h"
#include "framework/training/set_up_check.h"
#include "registry/base/error.h"
#include "registry/value/json.h"
#include "tools/commands.h"
#include "tools/setup.h"

namespace weft::tools {
namespace {

constexpr std::int64_t kShown = 20;        // problems of a kind in the table
constexpr std::int64_t kMostLabels = 100;  // of a corpus in the summary

double share_of(const CommandLine& line) {
  if (!line.has("max-errors")) return 0.0;
  const std::string word = line.text("max-errors");
  double share = -1.0;
  const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), share);
  const bool is_share = error == std::errc() && stop == word.data() + word.size() && share >= 0.0;
  if (is_share) return share;
  throw Error(ErrorKind::usage,
              fmt::format("--max-errors takes a share such as 0.01, not '{}'", word));
}

// A label or text as a JSON string on one line; of a long one the beginning.
std::string safe(const std::string& text) {
  return to_json_string(shortened(text, kLongestQuote));
}

// The same for a sentence of ours that quotes such a text.
std::string safe_sentence(const std::string& text) {
  std::string escaped = to_json_string(shortened(text, 2 * kLongestQuote));
  escaped = escaped.substr(1, escaped.size() - 2);
  for (std::size_t at = escaped.find("\\\""); at != escaped.npos; at = escaped.find("\\\"", at)) {
    escaped.erase(at, 1);
  }
  return escaped;
}

std::string place_of(const DataProblem& problem) {
  std::string place = problem.file.empty() ? "[" + problem.corpus + "]" : problem.file;
  if (problem.line > 0) place += fmt::format(":{}", problem.line);
  if (problem.document > 0) place += fmt::format(" document {}", problem.document);
  if (problem.start >= 0) place += fmt::format(" characters {}-{}", problem.start, problem.end);
  return place;
}

void print(const DataProblem& problem) {
  std::cout << fmt::format("{:<8}{:<20}{}\n", problem.fault.is_error ? "error" : "warning",
                           problem.fault.name, place_of(problem));
  std::string about;
  if (!problem.label.empty()) about += safe(problem.label) + "  ";
  if (!problem.text.empty()) about += safe(problem.text);
  if (!about.empty()) std::cout << fmt::format("{:28}{}\n", "", about);
  std::cout << fmt::format("{:28}{}; {}\n", "", safe_sentence(problem.message),
                           safe_sentence(problem.repair));
}

Object counts_of(const CorpusCounts& counts) {
  Object object;
  object.set("documents", counts.documents);
  object.set("tokens", counts.tokens);
  object.set("different_words", counts.different_words);
  object.set("misaligned_tokens", counts.misaligned_tokens);
  Object facts;
  for (const AnnotationCounts& annotation : counts.annotation) {
    const AnnotationKind::Names names = annotation.kind->names();
    Object labels;
    for (const auto& [label, count] : annotation.labels) labels.set(label, count);
    object.set(std::string(names.things), annotation.things);
    object.set(std::string(names.labels), std::move(labels));
    if (!annotation.facts.empty()) facts.set(std::string(names.things), annotation.facts);
  }
  object.set("facts", std::move(facts));
  return object;
}

void print_labels(const std::map<std::string, std::int64_t>& labels) {
  std::int64_t shown = 0;
  for (const auto& [label, count] : labels) {
    if (++shown > kMostLabels) break;
    std::cout << fmt::format(" {} {}", safe(label), count);
  }
  const auto more = static_cast<std::int64_t>(labels.size()) - kMostLabels;
  if (more > 0) std::cout << fmt::format(" ... and {} more labels; --json has all", more);
}

// "boundary_distinctiveness" for people.
std::string spaced(std::string name) {
  std::ranges::replace(name, '_', ' ');
  return name;
}

// "key value, key value", of a long table the beginning.
std::string listed(const Object& table) {
  std::string text;
  std::int64_t shown = 0;
  for (const auto& [key, value] : table) {
    if (++shown > kMostLabels) return text + " ...";
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", safe(key), to_json(value));
  }
  return text;
}

// A line for each number but 0, for each table, and for each row of a table of tables.
void print_facts(std::string_view corpus, std::string_view things, const Object& facts) {
  const auto print = [&](const std::string& name, const std::string& text) {
    std::cout << fmt::format("{:<6}{}, {}: {}\n", corpus, things, name, text);
  };
  for (const auto& [name, value] : facts) {
    if (!value.is_object()) {
      const std::string text = value.is_string() ? value.as_string() : to_json(value);
      if (text != "0") print(spaced(name), text);
      continue;
    }
    Object flat;
    std::int64_t rows = 0;
    for (const auto& [row, numbers] : value.as_object()) {
      if (!numbers.is_object()) {
        flat.set(row, numbers);
      } else if (++rows <= kMostLabels) {
        print(safe(row), listed(numbers.as_object()));
      }
    }
    if (!flat.empty()) print(spaced(name), listed(flat));
  }
}

void print_counts(std::string_view corpus, const CorpusCounts& counts) {
  std::cout << fmt::format("{:<6}{} documents, {} tokens, {} different words", corpus,
                           counts.documents, counts.tokens, counts.different_words);
  for (const AnnotationCounts& annotation : counts.annotation) {
    std::cout << fmt::format(", {} {}:", annotation.things, annotation.kind->names().things);
    print_labels(annotation.labels);
  }
  std::cout << '\n';
  for (const AnnotationCounts& annotation : counts.annotation) {
    print_facts(corpus, annotation.kind->names().things, annotation.facts);
  }
}

// Collects findings and shows them: as JSON lines at once, in the table the first of each kind.
class Findings {
 public:
  explicit Findings(bool json) : json_(json) {}

  void take(const DataProblem& problem) {
    const std::int64_t number = ++counts_[problem.fault];
    if (problem.fault.is_error) ++errors_;
    if (json_) {
      std::cout << to_json(to_object(problem)) << '\n';
    } else if (number <= kShown) {
      print(problem);
    }
  }
  std::int64_t errors() const { return errors_; }

  void summarize(const DataCheck& check) const {
    Object problems;
    for (const auto& [fault, count] : counts_) problems.set(fault.name, count);
    if (json_) {
      Object summary;
      summary.set("train", counts_of(check.train()));
      summary.set("dev", counts_of(check.dev()));
      summary.set("problems", std::move(problems));
      Object line;
      line.set("summary", std::move(summary));
      std::cout << to_standard_json(line) << '\n';
      return;
    }
    for (const auto& [fault, count] : counts_) {
      if (count > kShown) {
        std::cout << fmt::format("... and {} more of {}; --json has all\n", count - kShown,
                                 fault.name);
      }
    }
    print_counts("train", check.train());
    print_counts("dev", check.dev());
    for (const auto& [fault, count] : counts_) {
      std::cout << fmt::format("{:>8}  {}\n", count, fault.name);
    }
    if (counts_.empty()) std::cout << "no problems\n";
  }

 private:
  bool json_;
  std::int64_t errors_ = 0;
  std::map<DataFault, std::int64_t> counts_;
};

std::string corpus_name(const Config& values, const char* key) {
  const Node* name = values.find(key);
  return name != nullptr && name->is_string() ? name->as_string() : "";
}

std::int64_t max_length_of(const Config& values, const std::string& corpus) {
  const Node* length = values.find(corpus + ".max_length");
  return length != nullptr && length->is_integer() ? length->as_integer() : 0;
}

// Throws Error(config) with all of the two corpora that cannot be read.
void check_paths(const Config& config, const Config& values, const std::string& train,
                 const std::string& dev) {
  Problems problems;
  check_corpora(config, problems);
  for (const std::string& corpus : {train, dev}) {
    check_corpus_path(config, values, corpus, problems);
  }
  throw_errors(std::move(problems));
}

// The components whose labels the config gives, which need not be in the data.
std::set<std::string> labelled_components(const Config& values) {
  std::set<std::string> names;
  const Node* blocks = values.find("initialize.components");
  if (blocks == nullptr || !blocks->is_object()) return names;
  for (const auto& [name, block] : blocks->as_object()) {
    const Node* labels = block.is_object() ? block.as_object().find("labels") : nullptr;
    if (labels != nullptr && !labels->is_null()) names.insert(name);
  }
  return names;
}

bool starts_anew(const Language& nlp) {
  return std::ranges::none_of(nlp.pipeline(), [](const NamedComponent& one) {
    return one.sourced && one.component->is_trainable();
  });
}

}  // namespace

int run_debug_data(const Words& words) {
  CommandLine line(
      "debug data CONFIG [options]",
      "Looks for faults in the data of a config: entities that do not fit, duplicates, "
      "rare labels. Ends with 3 if there are too many errors.",
      "weft debug data train.cfg --paths.train train.spacy --paths.dev dev.spacy");
  line.positional("CONFIG", "the config, .cfg or .toml");
  line.option("max-errors", "SHARE", "errors for each document that are accepted (0)");
  line.option("rare", "N", "labels of fewer entities are rare (10)");
  line.flag("json", "lines of JSON on standard output: the problems, then the summary");
  line.accept_code();
  line.accept_pipelines();
  line.accept_overrides();
  if (!line.parse(words)) return 0;
  const double accepted = share_of(line);
  const Catalogue catalogue = load_catalogue(line);
  const Config config = load_config(line, line.path("CONFIG"), catalogue);
  const Config values = expanded(config);
  const std::shared_ptr<Language> nlp = build_pipeline(config, catalogue);
  const std::string train = corpus_name(values, "training.train_corpus");
  const std::string dev = corpus_name(values, "training.dev_corpus");
  check_paths(config, values, train, dev);
  Findings findings(line.has("json"));
  const auto tell = [&](const DataProblem& problem) { findings.take(problem); };
  DataCheck check(*nlp,
                  {.max_length = max_length_of(values, train),
                   .rare_label = line.number_within("rare", 10, 0),
                   .labelled = labelled_components(values),
                   .starts_anew = starts_anew(*nlp)},
                  tell);
  check.set_names(train, dev);
  check_patterns(*nlp, values, catalogue, tell);
  const auto in_train = [&](const PlacedDoc& doc) { check.check_train(doc); };
  const auto in_dev = [&](const PlacedDoc& doc) { check.check_dev(doc); };
  read_annotated(values, *nlp, catalogue, {.corpus = train, .take = in_train, .tell = tell});
  read_annotated(values, *nlp, catalogue, {.corpus = dev, .take = in_dev, .tell = tell});
  check.finish();
  check_examples(train, check.train(), tell);
  check_examples(dev, check.dev(), tell);
  // Data with faults may be refused for those, which were told of.
  if (findings.errors() == 0) {
    const auto initialized = check_set_up(config, catalogue, train, tell);
    if (initialized) check.check_vectors(initialized->vocab()->vectors());
  }
  findings.summarize(check);
  const auto documents = static_cast<double>(check.train().documents + check.dev().documents);
  const bool too_many = static_cast<double>(findings.errors()) > accepted * documents;
  return too_many ? exit_code(ErrorKind::data) : 0;
}

}  // namespace weft::tools
