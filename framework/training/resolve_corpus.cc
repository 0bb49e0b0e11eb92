#include "framework/training/resolve_corpus.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "framework/pipeline/check_config.h"
#include "framework/pipeline/setting_behind.h"
#include "framework/training/annotated_examples.h"
#include "framework/training/example_streams.h"
#include "registry/base/input_file.h"
#include "registry/base/suggest.h"
#include "registry/building/resolve.h"

namespace weft {
namespace {

// The reader's examples; to have none is an error that says whose fault it is.
Reader never_empty(const Reader& reader, const Config& values, const std::string& corpus) {
  std::string message = "there is no example in " + describe_corpus(values, corpus);
  const auto limit = [&](const char* name) {
    const Node* value = values.find(corpus + name);
    return value != nullptr && value->is_integer() ? value->as_integer() : 0;
  };
  const std::int64_t most = limit(".max_length"), least = limit(".min_length");
  if (most > 0) {
    message += fmt::format(" (documents of max_length = {} tokens and more are left out)", most);
  }
  if (least > 1) {
    message += fmt::format(" (documents of fewer than min_length = {} tokens are left out)", least);
  }
  const auto checked = [message](std::shared_ptr<ExampleStream> examples) {
    return stream_of([examples = std::move(examples), message, any = false]() mutable {
      ExamplePtr example = examples->next();
      if (!example && !any) throw EmptyCorpus(message);
      any = true;
      return example;
    });
  };
  const Reader texts = texts_of(reader);
  return {.open = [reader, checked](const Language& nlp) { return checked(reader.open(nlp)); },
          .open_telling =
              [reader, checked](const Language& nlp, const CorpusTells& tells) {
                return checked(open_telling(reader, nlp, tells));
              },
          .on_misaligned = reader.on_misaligned,
          .open_texts = [texts, checked](const Language& nlp) { return checked(texts.open(nlp)); },
          .may_be_endless = reader.may_be_endless};
}

// The setting that names the corpus, or the corpus itself.
Problem problem_of(const Config& values, const std::string& corpus) {
  Problem problem;
  problem.kind = ProblemKind::validation;
  problem.path = corpus;
  if (const Node* section = values.find(corpus)) problem.place = section->origin;
  for (const char* setting : {"training.train_corpus", "training.dev_corpus", "pretraining.corpus",
                              "pretraining.dev_corpus", "training.rehearsal.corpus"}) {
    const Node* name = values.find(setting);
    if (name == nullptr || !name->is_string() || name->as_string() != corpus) continue;
    problem.path = setting;
    problem.place = name->origin;
    break;
  }
  return problem;
}

std::string nearest_corpus(const Config& values, const std::string& name) {
  std::vector<std::string> known;
  const Node* corpora = values.find("corpora");
  if (corpora == nullptr || !corpora->is_object()) return "";
  for (const auto& [key, corpus] : corpora->as_object()) known.push_back("corpora." + key);
  return suggestion(name, known);
}

// The reader of a corpus by its dotted name, which may lead nowhere or to something else.
Reader made_reader(const Config& values, const std::string& name, const Catalogue& catalogue) {
  Problem problem = problem_of(values, name);
  const Node* section = values.find(name);
  if (section == nullptr || !section->is_object()) {
    problem.message = fmt::format("there is no section [{}] with a reader", name);
    problem.suggestion = nearest_corpus(values, name);
    throw Error(ErrorKind::config, Problems{problem});
  }
  Problems problems;
  const auto corpus = resolve_at(values, name, catalogue, {}, problems);
  throw_errors(std::move(problems));
  const Reader* reader = corpus->is_product() ? corpus->product().get<Reader>() : nullptr;
  if (reader != nullptr) return *reader;
  problem.message = fmt::format("[{}] is {}, not a reader of examples", name, corpus->type_name());
  throw Error(ErrorKind::config, Problems{problem});
}

// "" where the corpus can be read there.
std::string fault_of_path(const Node& path, const std::string& setting) {
  if (path.is_null()) {
    return fmt::format("no file is given; write it there or as --{} FILE", setting);
  }
  if (!path.is_string()) return "";  // of another reader
  const std::string& file = path.as_string();
  if (!is_there(file)) return fmt::format("there is no file or folder '{}'", file);
  std::error_code unknown;
  if (!std::filesystem::is_fifo(file, unknown)) return "";
  return fmt::format(
      "'{}' is a pipe, and a corpus is read more than once; write it to a file first", file);
}

}  // namespace

void check_corpus_path(const Config& config, const Config& values, const std::string& corpus,
                       Problems& problems) {
  const Node* path = values.find(corpus + ".path");
  if (path == nullptr) return;
  const std::string setting = setting_behind(config, corpus + ".path");
  const Node* set = config.find(setting);
  const bool is_given = set != nullptr && set->origin.source != Origin::Source::default_value;
  std::string fault = fault_of_path(*path, setting);
  if (fault.empty()) return;
  Problem problem;
  problem.kind = ProblemKind::validation;
  problem.place = is_given ? set->origin : path->origin;
  problem.path = corpus + ".path";
  problem.message = std::move(fault);
  problems.push_back(std::move(problem));
}

std::string describe_corpus(const Config& values, const std::string& corpus) {
  const Node* path = values.find(corpus + ".path");
  if (path == nullptr || !path->is_string()) return fmt::format("[{}]", corpus);
  return fmt::format("[{}], {}", corpus, path->as_string());
}

Reader resolve_corpus(const Config& values, const std::string& name, const Catalogue& catalogue) {
  Problems problems;
  check_corpus_path(values, values, name, problems);
  throw_errors(problems);
  return never_empty(made_reader(values, name, catalogue), values, name);
}

void read_annotated(const Config& values, const Language& nlp, const Catalogue& catalogue,
                    const AnnotationTells& to) {
  const Reader reader = made_reader(values, to.corpus, catalogue);
  if (reader.read_annotated) return reader.read_annotated(nlp, to);
  read_annotated_examples(reader, nlp, to);
}

Reader counted(const Reader& reader, RunProgress* progress, const std::string& corpus) {
  if (progress == nullptr) return reader;
  const auto counting = [progress, corpus](std::shared_ptr<ExampleStream> examples) {
    return stream_of(
        [examples = std::move(examples), progress, corpus, count = std::int64_t{0}]() mutable {
          ExamplePtr example = examples->next();
          if (example) progress->reading(corpus, ++count);
          return example;
        });
  };
  const Reader texts = texts_of(reader);
  return {
      .open = [reader, counting](const Language& nlp) { return counting(reader.open(nlp)); },
      .open_telling =
          [reader, counting](const Language& nlp, const CorpusTells& tells) {
            return counting(open_telling(reader, nlp, tells));
          },
      .on_misaligned = reader.on_misaligned,
      .open_texts = [texts, counting](const Language& nlp) { return counting(texts.open(nlp)); },
      .may_be_endless = reader.may_be_endless};
}

}  // namespace weft
