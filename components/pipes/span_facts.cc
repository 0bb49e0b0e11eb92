#include "components/pipes/span_facts.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "framework/unicode/unicode.h"

namespace weft {
namespace {

constexpr DataFault kIndistinctSpans{"indistinct_spans"};

// As in spaCy: quotation marks of two characters are one of one.
std::string word_of(const Doc& doc, int token) {
  std::string word = lower(doc.word(token));
  for (const std::string_view quote : {"``", "''"}) {
    for (auto at = word.find(quote); at != word.npos; at = word.find(quote, at)) {
      word.replace(at, quote.size(), "\"");
    }
  }
  return word;
}

double rounded(double number) {
  return std::round(number * 100) / 100;
}

// The lengths that make up nine tenths of the spans, the most frequent first.
std::string frequent_lengths(const std::map<int, std::int64_t>& lengths, std::int64_t spans) {
  std::vector<std::pair<int, std::int64_t>> sorted(lengths.begin(), lengths.end());
  std::ranges::stable_sort(sorted, std::greater(), &std::pair<int, std::int64_t>::second);
  std::string text;
  std::int64_t told = 0;
  for (const auto& [length, count] : sorted) {
    if (told * 10 >= spans * 9) break;
    told += count;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", length);
  }
  return text;
}

}  // namespace

double WordShares::divergence_from(const WordShares& corpus) const {
  std::vector<double> terms;
  for (const auto& [word, count] : words_) {
    const double own = static_cast<double>(count) / static_cast<double>(all_);
    const double there =
        static_cast<double>(corpus.words_.at(word)) / static_cast<double>(corpus.all_);
    terms.push_back(own * std::log(own / there));
  }
  std::ranges::sort(terms);  // words come in another order in each process
  return std::accumulate(terms.begin(), terms.end(), 0.0);
}

void SpanFacts::add(const Doc& doc, const std::vector<std::string>& labels) {
  presence_.add(labels);
  std::vector<std::string> words;
  for (int i = 0; i < doc.size(); ++i) corpus_.add(words.emplace_back(word_of(doc, i)));
  const SpanGroup* group = doc.span_group(key_);
  if (group == nullptr) return;
  std::int64_t tokens = 0;
  for (const Span& span : group->spans) tokens += span.end - span.start;
  for (const Span& span : group->spans) {
    if (span.start >= span.end) continue;  // told of by itself
    Spans& of = labels_[labelled_ ? std::string(doc.string(span.label)) : std::string()];
    ++of.lengths[span.end - span.start];
    if (tokens <= kMostTokens) add_words(words, span, of);
  }
}

void SpanFacts::add_words(const std::vector<std::string>& words, const Span& span,
                          Spans& of) const {
  const auto start = static_cast<std::size_t>(span.start), end = static_cast<std::size_t>(span.end);
  for (std::size_t i = start; i < end; ++i) of.words.add(words[i]);
  if (start > 0) of.beside.add(words[start - 1]);
  if (end < words.size()) of.beside.add(words[end]);
}

SpanFacts::Numbers SpanFacts::numbers_of(const Spans& spans) const {
  Numbers numbers;
  double logarithms = 0.0;
  for (const auto& [length, count] : spans.lengths) {
    numbers.spans += count;
    logarithms += static_cast<double>(count) * std::log(length);
  }
  numbers.length = std::exp(logarithms / static_cast<double>(numbers.spans));
  numbers.distinctiveness = spans.words.divergence_from(corpus_);
  numbers.boundary_distinctiveness = spans.beside.divergence_from(corpus_);
  return numbers;
}

SpanFacts::Numbers SpanFacts::mean() const {
  Numbers sum;
  for (const auto& [_, spans] : labels_) {
    const Numbers one = numbers_of(spans);
    const auto weight = static_cast<double>(one.spans);
    sum.spans += one.spans;
    sum.length += weight * one.length;
    sum.distinctiveness += weight * one.distinctiveness;
    sum.boundary_distinctiveness += weight * one.boundary_distinctiveness;
  }
  const auto all = static_cast<double>(std::max<std::int64_t>(sum.spans, 1));
  return {sum.spans, sum.length / all, sum.distinctiveness / all,
          sum.boundary_distinctiveness / all};
}

Object SpanFacts::Numbers::to_object() const {
  Object object;
  object.set("spans", spans);
  object.set("length", rounded(length));
  object.set("distinctiveness", rounded(distinctiveness));
  object.set("boundary_distinctiveness", rounded(boundary_distinctiveness));
  return object;
}

Object SpanFacts::summary(const Beside&) const {
  Object numbers, of_labels, of_lengths;
  if (labels_.empty()) return numbers;
  const Numbers all = mean();
  std::map<int, std::int64_t> lengths;
  for (const auto& [label, spans] : labels_) {
    if (labelled_) of_labels.set(label, numbers_of(spans).to_object());
    for (const auto& [length, count] : spans.lengths) lengths[length] += count;
  }
  for (const auto& [length, count] : lengths) of_lengths.set(std::to_string(length), count);
  numbers.set("mean", all.to_object());
  numbers.set("shortest", lengths.begin()->first);
  numbers.set("longest", std::prev(lengths.end())->first);
  numbers.set("lengths_of_nine_tenths", frequent_lengths(lengths, all.spans));
  numbers.set("spans_of_length", std::move(of_lengths));
  if (labelled_) numbers.set("labels", std::move(of_labels));
  return numbers;
}

void SpanFacts::finish(const Beside& beside, const DataSink& tell) const {
  if (beside.train != nullptr || labels_.empty()) return;
  if (labelled_) presence_.finish(kind_.names().things, 0, tell);
  const Numbers all = mean();
  const auto say = [&](std::string_view things, double number) {
    if (number >= 1.0) return;
    tell({.fault = kIndistinctSpans,
          .corpus = {},
          .message = fmt::format("the {} the {} hardly differ from those of the corpus: {:.2f}, "
                                 "of 1 and more",
                                 things, kind_.names().things, number),
          .repair = "look whether they can be told from the text at all"});
  };
  say("words of", all.distinctiveness);
  say("words beside", all.boundary_distinctiveness);
}

}  // namespace weft
