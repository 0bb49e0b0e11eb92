#include "framework/pipeline/output_form.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "framework/nn/model.h"
#include "framework/text/doc.h"
#include "registry/base/error.h"

namespace weft {
namespace {

std::int64_t tokens_in(DocBatch docs) {
  std::int64_t tokens = 0;
  for (const Doc* doc : docs) tokens += doc->size();
  return tokens;
}

bool has_rows(const Value& value, std::size_t rows) {
  const auto* array = std::get_if<Tensor>(&value);
  return array != nullptr && array->shape().rank() == 2 && std::cmp_equal(array->dim(0), rows);
}

bool is_of_documents(Context& ctx, const Value& value, DocBatch docs) {
  if (!std::holds_alternative<Ragged>(value) && !std::holds_alternative<TensorList>(value)) {
    return false;
  }
  const Ragged rows = as_ragged(ctx, value);
  return rows.data.shape().rank() == 2 &&
         std::equal(docs.begin(), docs.end(), rows.lengths.begin(), rows.lengths.end(),
                    [](const Doc* doc, std::int64_t length) { return doc->size() == length; });
}

bool has_form(Context& ctx, const Value& value, DocBatch docs, OutputForm form) {
  switch (form) {
    case OutputForm::row_of_document:
      return has_rows(value, docs.size());
    case OutputForm::row_of_token:
      return has_rows(value, static_cast<std::size_t>(tokens_in(docs)));
    case OutputForm::rows_of_documents:
      return is_of_documents(ctx, value, docs);
  }
  return false;
}

std::string found(Context& ctx, const Value& value, DocBatch docs) {
  if (is_of_documents(ctx, value, docs)) return "a row for each token, document by document";
  if (has_rows(value, docs.size())) return "a row for each document";
  if (has_rows(value, static_cast<std::size_t>(tokens_in(docs)))) {
    return "a row for each token, of all documents in one array";
  }
  return "something else";
}

const char* wanted(OutputForm form) {
  switch (form) {
    case OutputForm::row_of_document:
      return "a row for each document";
    case OutputForm::row_of_token:
      return "a row for each token, of all documents in one array";
    case OutputForm::rows_of_documents:
      return "a row for each token, document by document";
  }
  return "";
}

}  // namespace

void require_output(Context& ctx, const Model& model, DocBatch docs, OutputForm form,
                    const char* usual) {
  if (tokens_in(docs) == 0) return;
  const Value output = model.predict(ctx, docs);
  if (has_form(ctx, output, docs, form)) return;
  throw Error(ErrorKind::config,
              fmt::format("its model ({}) gives {}, and not {}; take {}", model.name(),
                          found(ctx, output, docs), wanted(form), usual));
}

}  // namespace weft
