// spacy.FeatureExtractor.v1: the ids of some attributes of every token. Source: spaCy 3.8.
#include "components/layers/layers.h"
#include "framework/text/doc.h"
#include "registry/base/error.h"
#include "registry/functions/registration.h"

namespace weft::layers {

namespace {

bool is_stored(Attr attr) {
  return attr == Attr::orth || attr == Attr::norm || attr == Attr::prefix || attr == Attr::suffix ||
         attr == Attr::shape;
}

// The ids of one attribute of a document, into column `column` of its rows.
void fill_column(const Doc& doc, Attr attr, View rows, std::int64_t column) {
  const auto write = [&](std::span<const StringId> ids) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
      rows.row<std::uint64_t>(static_cast<std::int64_t>(i))[column] = ids[i];
    }
  };
  if (is_stored(attr)) {
    write(doc.attr_ids(attr));
  } else {
    write(doc.attr_values(attr));
  }
}

Forward extract(Context& ctx, const std::vector<Attr>& attrs, DocBatch docs) {
  Ragged features;
  std::int64_t total = 0;
  for (const Doc* doc : docs) {
    features.lengths.push_back(doc->size());
    total += doc->size();
  }
  // The layer that takes it copies it to the device; the ids of a pipeline are looked at on the
  // host first.
  features.data = ctx.host_array({total, static_cast<std::int64_t>(attrs.size())}, DType::u64);
  std::int64_t row = 0;
  for (const Doc* doc : docs) {
    const View rows = features.data.view().slice(row, doc->size());
    for (std::size_t c = 0; c < attrs.size(); ++c) {
      fill_column(*doc, attrs[c], rows, static_cast<std::int64_t>(c));
    }
    row += doc->size();
  }
  if (!ctx.training()) return {std::move(features), {}};
  return {std::move(features), [](Context&, const Value&) { return Value(); }};
}

struct FeatureExtractor {
  std::vector<std::string> columns;
};

template <class V>
void fields(V& v, FeatureExtractor& c) {
  v.required("columns", c.columns, "names of token attributes");
}

ModelPtr make(const FeatureExtractor& c) {
  return feature_extractor(c.columns);
}

}  // namespace

ModelPtr feature_extractor(const std::vector<std::string>& columns) {
  std::vector<Attr> attrs;
  List names;
  for (const std::string& name : columns) {
    const auto attr = attr_of(name);
    if (!attr) throw Error(ErrorKind::config, "\"" + name + "\" is no attribute of tokens");
    attrs.push_back(*attr);
    names.emplace_back(name);
  }
  const auto forward = [attrs](Context& ctx, const Model&, const Value& input) {
    return extract(ctx, attrs, as_docs(input));
  };
  auto model = std::make_shared<Model>("extract_features", forward);
  model->set_attr("columns", std::move(names));
  return model;
}

static const Registration registered{"layers", "spacy.FeatureExtractor.v1", make,
                                     "the ids of some attributes of every token"};

}  // namespace weft::layers
