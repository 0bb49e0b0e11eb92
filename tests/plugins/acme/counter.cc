// A component with a state of its own: counts the words of documents.
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "framework/pipeline/component.h"
#include "framework/text/doc.h"
#include "framework/text/example.h"
#include "registry/base/error.h"
#include "registry/functions/registration.h"

namespace acme {
namespace {

struct CounterSettings {
  std::string category = "WORDS";
};

template <class V>
void fields(V& v, CounterSettings& c) {
  v("category", c.category, "the category whose value is the number of words");
}

class Counter final : public weft::Component {
 public:
  explicit Counter(CounterSettings settings) : settings_(std::move(settings)) {}

  void initialize(weft::InitContext& init) override {
    seen_ = 0;
    const weft::ExampleStreamPtr examples = init.examples();
    while (const weft::ExamplePtr example = examples->next()) seen_ += example->size();
  }

  void predict(weft::Context&, std::span<weft::Doc* const> docs, weft::Slots&) const override {
    for (weft::Doc* doc : docs) {
      doc->set_cat(settings_.category, static_cast<std::int64_t>(doc->size()));
      doc->set_cat("SEEN_IN_TRAINING", seen_);
    }
  }

  weft::Scores score(std::span<const weft::Example> examples) const override {
    weft::Scores scores;
    scores.set("counted", examples.empty() ? 0.0 : 1.0);
    return scores;
  }

  bool has_state() const override { return true; }
  void to_disk(const std::filesystem::path& folder) const override {
    std::ofstream(folder / "seen") << seen_ << '\n';
  }
  void from_disk(const std::filesystem::path& folder) override {
    if (!(std::ifstream(folder / "seen") >> seen_)) {
      throw weft::Error(weft::ErrorKind::data, (folder / "seen").string() + " holds no number");
    }
  }

 private:
  CounterSettings settings_;
  std::int64_t seen_ = 0;
};

weft::ComponentPtr counter(const CounterSettings& settings) {
  return std::make_shared<Counter>(settings);
}

const weft::Registration registered =
    weft::Registration{"acme.counter", counter, "counts words"}.meta(
        R"({"default_score_weights": {"counted": 0.0}, "assigns": ["doc.cats"]})");

}  // namespace
}  // namespace acme
