#include "framework/training/apart_ranks.h"

#include <string>
#include <utility>

#include "framework/comm/message.h"
#include "framework/training/state_message.h"

namespace weft {
namespace {

// The least multiple of the ranks, so that all have as many shards.
std::size_t shards_for(std::size_t ranks, std::size_t least) {
  return (least + ranks - 1) / ranks * ranks;
}

}  // namespace

ApartRanks::ApartRanks(const std::shared_ptr<Communicator>& comm, std::size_t min_shards)
    : CommRanks(comm, shards_for(static_cast<std::size_t>(comm->size()), min_shards)) {}

void ApartRanks::stepped(std::int64_t) {
  are_apart_ = true;
}

bool ApartRanks::interrupted(bool mine, bool meets) {
  if (!are_apart_) return any(mine);
  if (!meets && !must_meet(mine)) return false;
  have_met();
  return meet(mine);
}

void ApartRanks::gather_losses(Losses& losses) {
  MessageWriter message;
  for (const auto& [name, loss] : losses) {
    message.put_text(name);
    message.put(loss);
  }
  for (const std::string& text : gather_on_root(*comm_, message.take())) {
    MessageReader reader(text);
    while (!reader.is_at_end()) {
      const std::string name = reader.get_text();
      losses[name] += reader.get<double>();
    }
  }
  if (!is_root()) losses.clear();
}

std::vector<ShardPiece*> ApartRanks::exchange(const Language&, std::span<ShardPiece> mine, DType,
                                              std::exception_ptr failure) {
  if (failure) std::rethrow_exception(std::move(failure));
  std::vector<ShardPiece*> all;
  for (ShardPiece& piece : mine) all.push_back(&piece);
  return all;
}

}  // namespace weft
