#include "framework/training/data_check.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "framework/text/alignment.h"
#include "framework/training/label_check.h"

namespace weft {
namespace {

// Characters that steer a terminal or the direction of text; tabs and line breaks are none.
bool steers(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7F) return true;
    // U+0080 to U+009F
    const auto at = [&](std::size_t k) {
      return i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0;
    };
    if (byte == 0xC2 && at(1) < 0xA0) return true;
    // U+200E, U+200F, U+202A to U+202E; U+2066 to U+2069
    if (byte == 0xE2 && at(1) == 0x80 && (at(2) == 0x8E || at(2) == 0x8F)) return true;
    if (byte == 0xE2 && at(1) == 0x80 && at(2) >= 0xAA && at(2) <= 0xAE) return true;
    if (byte == 0xE2 && at(1) == 0x81 && at(2) >= 0xA6 && at(2) <= 0xA9) return true;
  }
  return false;
}

// The kinds of annotation that components learn, each once, in the order of the pipeline.
std::vector<AnnotationCounts> no_counts(const Language& nlp,
                                        const std::set<std::string>& labelled) {
  std::vector<AnnotationCounts> counts;
  for (const NamedComponent& component : nlp.pipeline()) {
    const AnnotationKind* kind = component.component->annotation();
    if (kind == nullptr) continue;
    auto found = std::find_if(counts.begin(), counts.end(),
                              [&](const AnnotationCounts& of) { return of.kind == kind; });
    if (found == counts.end()) found = counts.insert(counts.end(), {.kind = kind, .labels = {}});
    const std::vector<std::string> labels = component.component->labels();
    const bool is_labelled =
        labelled.contains(component.name) || labels.size() >= kind->least_labels();
    found->has_own_labels = found->has_own_labels || is_labelled;
    found->known.insert(labels.begin(), labels.end());
  }
  return counts;
}

// Tokens of the pipeline that are not one token of the data. White space counts for nothing, as in
// spaCy.
std::int64_t misaligned_tokens(const Doc& tokenized, const Doc& doc) {
  const Alignment alignment(*tokenized.tokens(), *doc.tokens());
  std::int64_t count = 0;
  for (int i = 0; !alignment.is_identity() && i < tokenized.size(); ++i) {
    if (alignment.to_reference(i).size() != 1 && !tokenized.is_space(i)) ++count;
  }
  return count;
}

}  // namespace

DataCheck::DataCheck(const Language& nlp, Options options, DataSink tell)
    : nlp_(nlp), options_(std::move(options)), tell_(std::move(tell)) {
  set_names("corpora.train", "corpora.dev");
  train_.counts.annotation = no_counts(nlp, options_.labelled);
  dev_.counts.annotation = train_.counts.annotation;
  for (Corpus* corpus : {&train_, &dev_}) {
    corpus->forms.resize(corpus->counts.annotation.size());
    for (const AnnotationCounts& counts : corpus->counts.annotation) {
      corpus->facts.push_back(counts.kind->facts());
    }
  }
}

DataSink DataCheck::telling_of(const Corpus& corpus) const {
  return [this, name = corpus.name](DataProblem found) {
    found.corpus = name;
    tell_(std::move(found));
  };
}

void DataCheck::set_names(std::string train, std::string dev) {
  train_.name = std::move(train);
  dev_.name = std::move(dev);
}

void DataCheck::check(const PlacedDoc& placed, Corpus& corpus) {
  const DataSink tell = telling_of(corpus);
  ++corpus.counts.documents;
  corpus.counts.tokens += placed.doc.size();
  check_document(placed, tell);
  if (placed.doc.empty()) return;
  corpus.words.add(placed.doc);
  std::optional<Doc> tokenized;
  if (placed.own_tokens && !placed.doc.has_unknown_spaces()) {
    tokenized = nlp_.make_doc(placed.doc.text());
    corpus.counts.misaligned_tokens += misaligned_tokens(*tokenized, placed.doc);
  }
  for (std::size_t i = 0; i < corpus.counts.annotation.size(); ++i) {
    AnnotationCounts& counts = corpus.counts.annotation[i];
    corpus.forms[i].add(placed, *counts.kind);
    const std::vector<std::string> labels = counts.kind->labels_in(placed.doc);
    if (corpus.facts[i]) corpus.facts[i]->add(placed.doc, labels);
    for (const std::string& label : labels) {
      ++counts.things;
      ++counts.labels[label];
    }
    counts.things += counts.kind->unlabelled_in(placed.doc);
    for (std::string& label : counts.kind->absent_labels_in(placed.doc)) {
      counts.labels.try_emplace(std::move(label), 0);
    }
    counts.kind->check(placed, tokenized ? &*tokenized : nullptr, [&](DataProblem found) {
      if (found.fault == DataFault::out_of_reach) ++counts.out_of_reach;
      tell(std::move(found));
    });
  }
  check_copies(placed, corpus, tell);
}

void DataCheck::check_document(const PlacedDoc& placed, const DataSink& tell) const {
  const auto say = [&](DataFault fault, std::string message, std::string repair) {
    DataProblem found = problem_in(fault, placed);
    found.message = std::move(message);
    found.repair = std::move(repair);
    tell(std::move(found));
  };
  const Doc& doc = placed.doc;
  if (doc.empty()) {
    return say(DataFault::empty_document, "the document has no tokens", "leave it out");
  }
  for (const AnnotationCounts& counts : train_.counts.annotation) {
    counts.kind->check_presence(placed, tell);
  }
  if (options_.max_length > 0 && doc.size() >= options_.max_length) {
    say(DataFault::too_long,
        fmt::format("{} tokens; documents of {} and more are {}", doc.size(), options_.max_length,
                    doc.has_sents() ? "cut into sentences" : "left out: it has no sentences"),
        "cut it into shorter documents, or raise max_length");
  }
  if (steers(doc.text())) {
    say(DataFault::control_characters, "the text holds control characters or bidirectional marks",
        "remove them");
  }
}

void DataCheck::check_copies(const PlacedDoc& placed, Corpus& corpus, const DataSink& tell) const {
  const std::uint64_t text = seeded_hash(placed.doc.text());
  Seen seen{
      placed.file.empty() ? fmt::format("[{}]", corpus.name) : placed.file, placed.document, {}};
  for (const AnnotationCounts& counts : corpus.counts.annotation) {
    seen.annotation.push_back(seeded_hash(counts.kind->text_of(placed.doc)));
  }
  const auto [place, is_new] = corpus.texts.try_emplace(text, seen);
  const auto trained = train_.texts.find(text);
  const bool in_both = &corpus == &dev_ && trained != train_.texts.end();
  if (is_new && !in_both) return;
  const Seen& first = in_both ? trained->second : place->second;
  const auto differs =
      std::mismatch(seen.annotation.begin(), seen.annotation.end(), first.annotation.begin())
          .first -
      seen.annotation.begin();
  const bool conflicts = !in_both && std::cmp_less(differs, seen.annotation.size());
  const DataFault fault = in_both     ? DataFault::train_dev_overlap
                          : conflicts ? DataFault::conflict
                                      : DataFault::duplicate;
  DataProblem found = problem_in(fault, placed);
  found.message = fmt::format("the same text as document {} of {}", first.document, first.file);
  if (in_both) found.message += ", which is trained on: scores look better than they are";
  if (conflicts) {
    const AnnotationKind& kind = *corpus.counts.annotation[static_cast<std::size_t>(differs)].kind;
    found.message += fmt::format(", with other {}", kind.names().things);
  }
  found.repair = conflicts ? "decide for one annotation" : "leave one of them out";
  tell(std::move(found));
}

namespace {

// The share that bounds recall, in one line beside those of single things.
void check_reach(const std::string& corpus, const AnnotationCounts& counts, const DataSink& tell) {
  if (counts.out_of_reach == 0) return;
  const double share =
      100.0 * static_cast<double>(counts.out_of_reach) / static_cast<double>(counts.things);
  tell({.fault = DataFault::out_of_reach,
        .corpus = corpus,
        .message = fmt::format("{} of {} {} can never be found, {:.2f} %: recall is {:.2f} % at "
                               "best",
                               counts.out_of_reach, counts.things, counts.kind->names().things,
                               share, 100.0 - share),
        .repair = "let the component look at more spans, or leave these out"});
}

void check_number_of_labels(const std::string& corpus, const AnnotationCounts& counts,
                            const DataSink& tell) {
  const std::size_t labels = counts.labels.size(), least = counts.kind->least_labels();
  if (labels == 0 || labels >= least) return;  // no label at all: each document was told of
  const std::string_view things = counts.kind->names().things;
  tell({.fault = DataFault::too_few_labels,
        .corpus = corpus,
        .message =
            fmt::format("{} label of {}, and training needs {} at least", labels, things, least),
        .repair = "annotate with more labels, or take a component whose labels do not exclude each "
                  "other"});
}

// A label that is not seen any more may be forgotten. Things without labels that could be counted
// say nothing of that.
void check_known(const std::string& corpus, const AnnotationCounts& counts, const DataSink& tell) {
  if (counts.labels.empty()) return;
  std::vector<std::string> missing;
  for (const std::string& label : counts.known) {
    if (!counts.labels.contains(label)) missing.push_back(label);
  }
  if (missing.empty()) return;
  tell({.fault = DataFault::forgotten_labels,
        .corpus = corpus,
        .message = fmt::format("{} labels of {} that a component has are not in the training data: "
                               "{}",
                               missing.size(), counts.kind->names().things, first_ten(missing)),
        .repair = "add examples of them, or they may be forgotten"});
}

}  // namespace

void DataCheck::check_whole(Corpus& corpus, const DataSink& tell) {
  constexpr std::int64_t kAdvised = 2000, kLeast = 100;  // spaCy 3.8
  CorpusCounts& counts = corpus.counts;
  counts.different_words = corpus.words.different();
  const bool is_train = &corpus == &train_;
  if (is_train && options_.starts_anew && counts.documents < kAdvised) {
    tell(
        {.fault = DataFault::few_documents,
         .corpus = {},
         .message = fmt::format("{} documents; {} are advised for a pipeline that starts anew, and "
                                "{} at least",
                                counts.documents, kAdvised, kLeast),
         .repair = "annotate more, or go on from a trained pipeline"});
  }
  if (counts.misaligned_tokens > 0) {
    tell({.fault = DataFault::misaligned_tokens,
          .corpus = {},
          .message = fmt::format("{} of the pipeline's tokens are not one token of the data",
                                 counts.misaligned_tokens),
          .repair = "tokenize alike: annotation of such tokens is lost where parts differ in it"});
  }
  for (std::size_t i = 0; i < corpus.facts.size(); ++i) {
    const AnnotationFacts* facts = corpus.facts[i].get();
    if (facts == nullptr) continue;
    const AnnotationFacts::Beside beside{is_train ? nullptr : train_.facts[i].get(),
                                         options_.rare_label};
    counts.annotation[i].facts = facts->summary(beside);
    if (counts.documents > 0) facts->finish(beside, tell);
  }
}

void DataCheck::check_vectors(const Vectors& vectors) const {
  train_.words.check_vectors(vectors, telling_of(train_));
}

void DataCheck::finish() {
  for (Corpus* corpus : {&train_, &dev_}) check_whole(*corpus, telling_of(*corpus));
  for (std::size_t i = 0; i < train_.counts.annotation.size(); ++i) {
    const AnnotationCounts& train = train_.counts.annotation[i];
    const AnnotationCounts& dev = dev_.counts.annotation[i];
    check_known(train_.name, train, tell_);
    if (!train.has_own_labels) check_number_of_labels(train_.name, train, tell_);
    check_labels(train.kind->names().things, {train_.name, train.labels}, {dev_.name, dev.labels},
                 dev_.counts.documents > 0, options_.rare_label, tell_);
    for (const Corpus* corpus : {&train_, &dev_}) {
      check_reach(corpus->name, corpus->counts.annotation[i], tell_);
      corpus->forms[i].finish(*train.kind, telling_of(*corpus));
    }
  }
}

}  // namespace weft
