#include "framework/training/spread_annotation.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "framework/comm/message.h"
#include "framework/pipeline/annotation_message.h"
#include "framework/pipeline/prediction_groups.h"
#include "framework/training/state_message.h"

namespace weft {
namespace {

using Groups = std::vector<std::span<Doc* const>>;
using Tokens = std::shared_ptr<const TokenTable>;

// Components that merge or split tokens, or set norms, leave other tables. Only annotation is sent:
// rank 0 predicts these groups itself.
enum class Sent : std::uint8_t { annotation, nothing };

Groups of_rank(const Groups& groups, std::size_t rank, std::size_t ranks) {
  Groups mine;
  for (std::size_t g = rank; g < groups.size(); g += ranks) mine.push_back(groups[g]);
  return mine;
}

std::vector<Doc*> docs_of(const Groups& groups) {
  std::vector<Doc*> docs;
  for (const auto& group : groups) docs.insert(docs.end(), group.begin(), group.end());
  return docs;
}

std::vector<Tokens> tokens_of(std::span<Doc* const> docs) {
  std::vector<Tokens> tokens;
  for (const Doc* doc : docs) tokens.push_back(doc->tokens());
  return tokens;
}

// `before`: the tokens of the group's documents when they were predicted.
void write_group(MessageWriter& message, std::span<Doc* const> group,
                 std::span<const Tokens> before) {
  for (std::size_t i = 0; i < group.size(); ++i) {
    if (group[i]->tokens() != before[i]) return message.put(Sent::nothing);
  }
  message.put(Sent::annotation);
  for (const Doc* doc : group) write_annotation(message, *doc);
}

std::string write_groups(const Groups& groups, std::span<const Tokens> before) {
  MessageWriter message;
  for (const auto& group : groups) {
    write_group(message, group, before.first(group.size()));
    before = before.subspan(group.size());
  }
  return message.take();
}

// Gives the groups that were not sent.
Groups read_groups(const std::string& bytes, const Groups& groups) {
  MessageReader message(bytes);
  Groups left;
  for (const auto& group : groups) {
    if (message.get<Sent>() != Sent::annotation) {
      left.push_back(group);
      continue;
    }
    for (Doc* doc : group) read_annotation(message, *doc);
  }
  return left;
}

}  // namespace

void annotate_on_all_ranks(Communicator& comm, const Language& nlp, std::span<Doc* const> docs,
                           WorkerPool& pool) {
  const auto rank = static_cast<std::size_t>(comm.rank());
  const auto ranks = static_cast<std::size_t>(comm.size());
  const Groups all = prediction_groups(docs, nlp.stream()->device(), nlp.predicted_values());
  const Groups mine = of_rank(all, rank, ranks);
  const std::vector<Doc*> own = docs_of(mine);
  const std::vector<Tokens> before = tokens_of(own);
  nlp.annotate(own, pool);
  const std::vector<std::string> texts =
      gather_on_root(comm, comm.is_root() ? std::string() : write_groups(mine, before));
  Groups left;
  for (std::size_t r = 1; r < ranks && comm.is_root(); ++r) {
    for (const auto& group : read_groups(texts[r - 1], of_rank(all, r, ranks)))
      left.push_back(group);
  }
  if (!left.empty()) nlp.annotate(docs_of(left), pool);
}

}  // namespace weft
