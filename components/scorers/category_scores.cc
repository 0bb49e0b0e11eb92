#include "components/scorers/category_scores.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>

#include "components/scorers/ranking.h"
#include "framework/pipeline/prf_row.h"
#include "registry/base/seeded_hash.h"

namespace weft {

namespace {

struct Category {
  std::size_t label;  // its number
  double value;
};

// Counts and rankings of the labels, kept by label number: memory grows with the labels, and with
// one number for each document and label that the areas under the curves need.
class CategoryScoreSession final : public ScoreSession {
 public:
  CategoryScoreSession(bool several, CategoryScoring settings)
      : several_(several),
        settings_(std::move(settings)),
        counts_(settings_.labels.size()),
        rankings_(settings_.labels.size()) {
    for (std::size_t i = 0; i < settings_.labels.size(); ++i) {
      numbers_.emplace(settings_.labels[i], i);
    }
  }

  void add(std::span<const Example> examples) override {
    for (const Example& example : examples) {
      const std::vector<Category> predicted = known(example.predicted());
      const std::vector<Category> gold = known(example.reference());
      const std::vector<double> values = values_of(predicted);
      rank(values, gold);
      several_ ? count_each(values, gold) : count_best(predicted, gold);
    }
  }
  Scores finish() override;

 private:
  // Those of our labels, in the document's order.
  std::vector<Category> known(const Doc& doc) const {
    std::vector<Category> found;
    for (const TextCategory& cat : doc.cats()) {
      const auto number = numbers_.find(cat.label);
      if (number == numbers_.end()) continue;
      const auto value = [](auto kept) { return static_cast<double>(kept); };
      found.push_back({number->second, std::visit(value, cat.value)});
    }
    return found;
  }
  // One for each label. A missing one counts as 0.
  std::vector<double> values_of(const std::vector<Category>& cats) const {
    std::vector<double> values(rankings_.size());
    for (const Category& cat : cats) values[cat.label] = cat.value;
    return values;
  }
  // The first of the largest; there is one.
  static const Category& best_of(const std::vector<Category>& cats) {
    return *std::max_element(cats.begin(), cats.end(), [](const Category& a, const Category& b) {
      return a.value < b.value;
    });
  }

  // A label that the reference does not mention is false where labels exclude each other, and
  // unknown where any number of them may hold: unknown ones take part in no area.
  void rank(const std::vector<double>& predicted, const std::vector<Category>& gold) {
    if (several_) {
      for (const Category& truth : gold) {
        rankings_[truth.label].add(truth.value, predicted[truth.label]);
      }
      return;
    }
    const std::vector<double> truths = values_of(gold);
    for (std::size_t label = 0; label < rankings_.size(); ++label) {
      rankings_[label].add(truths[label], predicted[label]);
    }
  }
  // Any number of labels: each that the reference judges is a question of its own.
  void count_each(const std::vector<double>& predicted, const std::vector<Category>& gold) {
    for (const Category& truth : gold) {
      Prf& prf = counts_[truth.label];
      const bool found = predicted[truth.label] >= settings_.threshold;
      if (truth.value > 0) ++(found ? prf.true_positives : prf.false_negatives);
      if (truth.value == 0 && found) ++prf.false_positives;
    }
  }
  // One label for each document: the best predicted one against the best one of the reference,
  // however low their values are. A wrong answer is a false positive of the one and a false
  // negative of the other, as spaCy counts it.
  void count_best(const std::vector<Category>& predicted, const std::vector<Category>& gold) {
    const bool found = !predicted.empty();
    if (gold.empty()) {
      if (found) ++counts_[best_of(predicted).label].false_positives;
      return;
    }
    const Category& truth = best_of(gold);
    if (found && best_of(predicted).label == truth.label) {
      ++counts_[truth.label].true_positives;
      return;
    }
    if (!predicted.empty() || truth.value > 0) ++counts_[truth.label].false_negatives;
    if (found) ++counts_[best_of(predicted).label].false_positives;
  }

  bool several_;
  CategoryScoring settings_;
  std::unordered_map<std::string_view, std::size_t, SeededHash> numbers_;
  std::vector<Prf> counts_;
  std::vector<Ranking> rankings_;
};

// The mean over all labels, also those that nothing was counted for.
// Every label has the same weight, however rare it is.
class MacroScores {
 public:
  void add(const Prf& prf, std::optional<double> area) {
    ++labels_;
    precision_ += prf.precision();
    recall_ += prf.recall();
    f_score_ += prf.f_score();
    area_ += area.value_or(0.0);
  }
  double precision() const { return mean(precision_); }
  double recall() const { return mean(recall_); }
  double f_score() const { return mean(f_score_); }
  double area() const { return mean(area_); }

 private:
  double mean(double sum) const { return labels_ == 0 ? 0.0 : sum / labels_; }

  double labels_ = 0, precision_ = 0, recall_ = 0, f_score_ = 0, area_ = 0;
};

}  // namespace

// The main score is the F of the positive label where there are two labels and one was named; else
// the macro F of exclusive labels, or the macro AUC of others, which needs no threshold. An area
// that is not defined counts as 0 in the mean, as in spaCy.
Scores CategoryScoreSession::finish() {
  Prf total;
  MacroScores macro;
  Object by_type, areas;
  std::optional<double> positive;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    const std::string& label = settings_.labels[i];
    const std::optional<double> area = rankings_[i].area();
    total += counts_[i];
    macro.add(counts_[i], area);
    by_type.set(label, row_of(counts_[i]));
    areas.set(label, area ? Node(*area) : Node());
    if (settings_.positive_label == label) positive = counts_[i].f_score();
  }
  const bool binary = !several_ && counts_.size() == 2 && positive;
  Scores scores;
  scores.set("cats_score", binary ? *positive : several_ ? macro.area() : macro.f_score());
  scores.set("cats_score_desc", binary ? "F (" + *settings_.positive_label + ")"
                                       : std::string(several_ ? "macro AUC" : "macro F"));
  scores.set("cats_micro_p", total.precision());
  scores.set("cats_micro_r", total.recall());
  scores.set("cats_micro_f", total.f_score());
  scores.set("cats_macro_p", macro.precision());
  scores.set("cats_macro_r", macro.recall());
  scores.set("cats_macro_f", macro.f_score());
  scores.set("cats_macro_auc", macro.area());
  scores.set("cats_f_per_type", std::move(by_type));
  scores.set("cats_auc_per_type", std::move(areas));
  return scores;
}

Scores CategoryScorer::operator()(std::span<const Example> examples) const {
  const ScoreSessionPtr session = start();
  session->add(examples);
  return session->finish();
}

ScoreSessionPtr CategoryScorer::start() const {
  return std::make_unique<CategoryScoreSession>(several_, settings_);
}

Scorer CategoryScorer::scorer(bool several, const CategoryScoring& settings) {
  const CategoryScorer scorer(several, settings);
  return {scorer, [scorer] { return scorer.start(); }};
}

Scorer CategoryScorer::configured(const Scorer& other, const CategoryScoring& settings) {
  const auto* known = other.score.target<CategoryScorer>();
  return known == nullptr ? other : scorer(known->several_, settings);
}

}  // namespace weft
