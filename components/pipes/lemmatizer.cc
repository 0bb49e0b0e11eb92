// The factory `lemmatizer`: lemmas by tables and rules. It has no network. spaCy 3.8.
#include "components/pipes/lemmatizer.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "framework/io/atomic_file.h"
#include "framework/io/construction.h"
#include "framework/lemmas/lemma_method.h"
#include "framework/pipeline/document_error.h"
#include "framework/pipeline/score_sessions.h"
#include "framework/text/doc_strings.h"
#include "framework/text/example.h"
#include "framework/text/morph_features.h"
#include "framework/unicode/unicode.h"
#include "registry/base/error.h"
#include "registry/base/input_file.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

struct LemmatizerInit {
  std::optional<Lookups> lookups;
};

template <class V>
void fields(V& v, LemmatizerInit& c) {
  v("lookups", c.lookups, "tables, such as lemma_lookup or lemma_rules");
}

class Lemmatizer final : public Component {
 public:
  explicit Lemmatizer(LemmatizerSettings settings) : settings_(std::move(settings)) {}

  Signature init_settings() const override { return signature_of<LemmatizerInit>(); }
  void initialize(InitContext& init) override {
    const Node* packed = init.given("lookups");
    const std::string block = "[initialize.components." + name() + ".lookups]";
    take(packed != nullptr ? Lookups::parse(packed->as_string(), block) : Lookups(), block);
    prepare(ErrorKind::config);
  }

  void predict(Context&, std::span<Doc* const> docs, Slots&) const override {
    if (method_.lemmatize == nullptr) fail_without_tables();
    for (Doc* doc : docs) {
      try {
        lemmatize(*doc);
      } catch (const Error& error) {
        throw document_error(error, name(), *doc);
      }
    }
  }

  Scores score(std::span<const Example> examples) const override {
    return settings_.scorer ? settings_.scorer->score(examples) : Scores();
  }
  ScoreSessionPtr start_scores() const override {
    return start_session(settings_.scorer.value_or(Scorer()), *this);
  }

  bool has_state() const override { return true; }
  void to_disk(const std::filesystem::path& folder) const override {
    make_folders(folder / "lookups");
    write_file(folder / "lookups" / "lookups.bin", lookups_.packed());
  }
  void from_disk(const std::filesystem::path& folder) override {
    const std::filesystem::path file = folder / "lookups" / "lookups.bin";
    take(is_there(file) ? Lookups::parse(read_file(file), file.string()) : Lookups(),
         file.string());
    prepare(ErrorKind::data, file.string());
  }

 private:
  // `source`: the file or the block of the config, for messages.
  void take(Lookups lookups, const std::string& source) {
    lookups_ = std::move(lookups);
    tables_ = LemmaTables::read(lookups_, source);
  }

  // Throws an error of that kind where a table is missing, in `file` or else in the config.
  void prepare(ErrorKind kind, const std::string& file = "") {
    LemmaMethod method = lemma_method(vocab().lang(), settings_.mode);
    for (const std::string& table : method.required) {
      if (lookups_.find(table) == nullptr) fail_without(table, method.required, kind, file);
    }
    method_ = std::move(method);
  }

  [[noreturn]] void fail_without(const std::string& table, const std::vector<std::string>& required,
                                 ErrorKind kind, const std::string& file) const {
    std::string all;
    for (const std::string& one : required) all += (all.empty() ? "" : ", ") + one;
    const std::string advice =
        file.empty() ? fmt::format(
                           ". Give them in [initialize.components.{}.lookups] with @misc = "
                           "\"weft.read_lookups.v1\"",
                           name())
                     : "";
    throw Error(kind, fmt::format("{}: there is no table {}; mode \"{}\" of the language \"{}\" "
                                  "needs {}{}",
                                  file.empty() ? name() : file, table, settings_.mode,
                                  vocab().lang(), all, advice));
  }
  [[noreturn]] void fail_without_tables() const {
    throw Error(
        ErrorKind::usage,
        fmt::format("{} has no tables yet: initialise the pipeline, or load one that was", name()));
  }

  void lemmatize(Doc& doc) const {
    const auto known = doc.column(Attr::lemma);
    std::vector<StringId> lemmas(known.begin(), known.end());
    lemmas.resize(static_cast<std::size_t>(doc.size()), 0);
    DocStrings strings;
    LemmaWork work(doc.size());
    for (int i = 0; i < doc.size(); ++i) {
      StringId& lemma = lemmas[static_cast<std::size_t>(i)];
      if (lemma == 0 || settings_.overwrite) lemma = strings.add(lemma_of(doc, i, work));
    }
    strings.give_to(doc);
    doc.set_column(Attr::lemma, std::move(lemmas));
  }

  std::string lemma_of(const Doc& doc, int token, LemmaWork& work) const {
    LemmaQuery word{doc.word(token), lower(doc.string(doc.value(Attr::pos, token))), {}, &work};
    if (method_.needs_features) word.features = morph_of(doc, token).values();
    return method_.lemmatize(tables_, word);
  }

  LemmatizerSettings settings_;
  Lookups lookups_;
  LemmaTables tables_;
  LemmaMethod method_;  // without a function until there are tables
};

// Of languages that have no other default.
struct Settings : LemmatizerSettings {};

template <class V>
void fields(V& v, Settings& c) {
  lemmatizer_fields(v, c);
}

ComponentPtr lemmatizer(const Settings& c) {
  return make_lemmatizer(c);
}

const Registration registered =
    Registration{"lemmatizer", lemmatizer, "lemmas by tables and rules"}.meta(kLemmatizerFacts);

}  // namespace

ComponentPtr make_lemmatizer(const LemmatizerSettings& settings) {
  return std::make_shared<Lemmatizer>(settings);
}

}  // namespace weft
