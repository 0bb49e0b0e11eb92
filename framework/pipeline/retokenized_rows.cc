#include "framework/pipeline/retokenized_rows.h"

#include <algorithm>

#include "framework/ops/context.h"
#include "framework/ops/gather.h"
#include "framework/text/doc.h"
#include "registry/base/error.h"

namespace weft {

Tokenizations tokenizations_of(DocBatch docs) {
  Tokenizations all;
  all.reserve(docs.size());
  for (const Doc* doc : docs) all.push_back(doc->tokens());
  return all;
}

bool are_retokenized(const Tokenizations& then, DocBatch docs) {
  if (then.empty()) return false;
  if (then.size() != docs.size()) {
    throw Error(ErrorKind::internal, "token vectors were made for another number of documents");
  }
  return !std::equal(then.begin(), then.end(), docs.begin(),
                     [](const auto& tokens, const Doc* doc) { return tokens == doc->tokens(); });
}

std::vector<std::int32_t> rows_after(const TokenTable& then, const TokenTable& now) {
  std::vector<std::int32_t> rows(now.size(), -1);
  std::size_t old = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    const std::size_t start = now.char_start(i), end = now.char_end(i);
    while (old < then.size() && then.char_end(old) <= start) ++old;
    // Old tokens that end within this one; a piece ends before its token does, or begins behind
    // the token's start.
    for (; old < then.size() && then.char_end(old) <= end; ++old) {
      if (then.char_start(old) >= start) rows[i] = static_cast<std::int32_t>(old);
    }
  }
  return rows;
}

Ragged retokenized_rows(Context& ctx, const Value& output, const Tokenizations& then,
                        DocBatch docs) {
  const Ragged before = as_ragged(ctx, output);
  Ragged after;
  std::vector<std::int32_t> rows;
  std::int32_t first = 0;
  for (std::size_t d = 0; d < docs.size(); ++d) {
    for (const std::int32_t row : rows_after(*then[d], *docs[d]->tokens())) {
      rows.push_back(row < 0 ? row : first + row);
    }
    first += static_cast<std::int32_t>(then[d]->size());
    after.lengths.push_back(docs[d]->size());
  }
  Tensor index = ctx.host_array({static_cast<std::int64_t>(rows.size())}, DType::i32);
  std::copy(rows.begin(), rows.end(), index.data<std::int32_t>());
  after.data =
      ctx.empty({static_cast<std::int64_t>(rows.size()), before.data.dim(1)}, before.data.dtype());
  ctx.run<GatherRows>(before.data, ctx.placed(index), after.data.view());
  return after;
}

}  // namespace weft
