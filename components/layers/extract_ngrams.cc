// spacy.extract_ngrams.v1: the different words and word sequences of every document, counted.
// Source: spaCy 3.8; docs/text-classification.md, section 2.
#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "components/layers/layers.h"
#include "framework/text/doc.h"
#include "framework/text/hash.h"
#include "registry/base/error.h"
#include "registry/functions/registration.h"

namespace weft::layers {

namespace {

constexpr int kLongest = 64;  // words of a sequence

struct Counted {
  std::vector<std::uint64_t> keys;
  std::vector<std::int32_t> counts;
  std::vector<std::int64_t> lengths;

  void add_document(std::vector<std::uint64_t>& found);
};

// Each key once, in ascending order.
void Counted::add_document(std::vector<std::uint64_t>& found) {
  std::sort(found.begin(), found.end());
  const std::size_t before = keys.size();
  for (const std::uint64_t key : found) {
    if (keys.size() > before && keys.back() == key) {
      ++counts.back();
    } else {
      keys.push_back(key);
      counts.push_back(1);
    }
  }
  lengths.push_back(static_cast<std::int64_t>(keys.size() - before));
}

// The ids of the tokens, then the hash of each sequence of 2 ... `longest` of them.
void find_keys(std::span<const std::uint64_t> ids, int longest, std::vector<std::uint64_t>& keys) {
  static_assert(std::endian::native == std::endian::little, "ids are hashed as they lie");
  keys.assign(ids.begin(), ids.end());
  for (std::size_t n = 2; n <= static_cast<std::size_t>(longest); ++n) {
    for (std::size_t i = 0; i + n <= ids.size(); ++i) {
      const auto* bytes = reinterpret_cast<const char*>(ids.data() + i);
      keys.push_back(murmur_hash64({bytes, 8 * n}, 0));
    }
  }
}

std::vector<std::uint64_t> ids_of(const Doc& doc, Attr attr) {
  const bool stored = attr == Attr::orth || attr == Attr::norm || attr == Attr::prefix ||
                      attr == Attr::suffix || attr == Attr::shape;
  if (stored) {
    const auto ids = doc.attr_ids(attr);
    return {ids.begin(), ids.end()};
  }
  const auto ids = doc.attr_values(attr);
  return {ids.begin(), ids.end()};
}

template <class T>
Tensor array_of(Context& ctx, const std::vector<T>& values) {
  Tensor array = ctx.host_array({static_cast<std::int64_t>(values.size()), 1}, DTypeOf<T>::value);
  if (!values.empty()) std::memcpy(array.data<T>(), values.data(), values.size() * sizeof(T));
  return array;
}

// Works on the host and has no gradient: keys are whole numbers. Where in a document a key stands
// is not kept.
Forward extract(Context& ctx, Attr attr, int longest, DocBatch docs) {
  Counted counted;
  std::vector<std::uint64_t> keys;
  for (const Doc* doc : docs) {
    if (longest > 1 && doc->empty()) {
      throw Error(
          ErrorKind::data,
          fmt::format("a document without tokens has no sequences of words: with ngram_size "
                      "{} every text needs a token; leave empty texts out, or set "
                      "ngram_size to 1",
                      longest));
    }
    find_keys(ids_of(*doc, attr), longest, keys);
    counted.add_document(keys);
  }
  TensorList list = {array_of(ctx, counted.keys), array_of(ctx, counted.counts),
                     array_of(ctx, counted.lengths)};
  if (!ctx.training()) return {std::move(list), {}};
  return {std::move(list), [](Context&, const Value&) { return Value(); }};
}

// A key and its count for each sequence of up to so many words.
LayerCost cost_for(int ngram_size) {
  const double longest = ngram_size;
  return {.per_row = 3 * longest, .per_document = 2, .width = longest};
}

struct ExtractNgrams {
  int ngram_size = 1;
  int attr = static_cast<int>(Attr::lower);
};

template <class V>
void fields(V& v, ExtractNgrams& c) {
  v.required("ngram_size", c.ngram_size, "words of the longest sequence",
             closed_range(1, kLongest));
  v("attr", c.attr, "number of the attribute of a token: 65 for ORTH, 66 for LOWER",
    closed_range(0, 1000));
}

ModelPtr make(const ExtractNgrams& c) {
  return extract_ngrams(c.ngram_size, c.attr);
}

}  // namespace

ModelPtr extract_ngrams(int ngram_size, int attr) {
  const auto name = attr < 1 ? std::nullopt : symbol_name(static_cast<StringId>(attr));
  if (!name || !attr_of(*name)) {
    throw Error(ErrorKind::config,
                fmt::format("attr {} is the number of no attribute of tokens; 65 is ORTH", attr));
  }
  // A model file may say something else of either: the config decides.
  const auto forward = [attr, ngram_size](Context& ctx, const Model&, const Value& input) {
    return extract(ctx, static_cast<Attr>(attr), ngram_size, as_docs(input));
  };
  auto model = std::make_shared<Model>("extract_ngrams", forward);
  model->set_attr("ngram_size", ngram_size);
  model->set_attr("attr", attr);
  model->set_cost([ngram_size](const Model&, double) { return cost_for(ngram_size); });
  return model;
}

static const Registration registered{"layers", "spacy.extract_ngrams.v1", make,
                                     "words and word sequences of documents, counted"};

}  // namespace weft::layers
