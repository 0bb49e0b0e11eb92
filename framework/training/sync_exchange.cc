// The part of a step in which the gradients of all shards go to the ranks that update them. Two
// rounds: how much each rank has for each, then these messages.
#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "framework/comm/comm_error.h"
#include "framework/comm/message.h"
#include "framework/comm/reused_bytes.h"
#include "framework/pipeline/language.h"
#include "framework/training/gradient_message.h"
#include "framework/training/gradient_part.h"
#include "framework/training/sync_ranks.h"

namespace weft {
namespace {

enum class Outcome : std::uint8_t { done, failed };

// The range, losses and kept results of a shard. Losses and kept results are small and wanted by
// all: every rank then knows the losses of the whole batch, and components finish it with the
// results of all shards.
std::string facts_of(const Language& nlp, const ShardPiece& piece) {
  MessageWriter message;
  const auto pipeline = nlp.pipeline();
  message.put<std::uint64_t>(piece.range.begin);
  message.put<std::uint64_t>(piece.range.end);
  message.put<std::uint64_t>(piece.losses.size());
  for (const auto& [name, loss] : piece.losses) {
    message.put_text(name);
    message.put(loss);
  }
  for (std::size_t i = 0; i < pipeline.size(); ++i) {
    const bool has_kept = i < piece.kept.size() && piece.kept[i].has_value();
    message.put<std::uint8_t>(has_kept ? 1 : 0);
    if (has_kept) message.put_text(pipeline[i].component->pack_kept(piece.kept[i]));
  }
  return message.take();
}

// A rank that failed takes part in the exchange all the same and tells its error there: the others
// would wait for it until the deadline.
void write_failure(MessageWriter& message, const std::exception_ptr& failure) {
  message.put(Outcome::failed);
  try {
    std::rethrow_exception(failure);
  } catch (const Error& error) {
    message.put(error.kind());
    message.put_text(error.what());
  } catch (const std::bad_alloc&) {
    message.put(ErrorKind::memory);
    message.put_text("out of memory");
  } catch (const std::exception& error) {
    message.put(ErrorKind::internal);
    message.put_text(error.what());
  }
}

void read_facts(MessageReader& message, const Language& nlp, ShardPiece& piece) {
  piece.range.begin = message.get<std::uint64_t>();
  piece.range.end = message.get<std::uint64_t>();
  piece.losses.clear();
  for (auto losses = message.get<std::uint64_t>(); losses > 0; --losses) {
    const std::string name = message.get_text();
    piece.losses[name] = message.get<double>();
  }
  piece.kept.clear();
  for (const NamedComponent& component : nlp.pipeline()) {
    std::any& kept = piece.kept.emplace_back();
    if (message.get<std::uint8_t>() == 0) continue;
    kept = component.component->unpack_kept(message.get_text());
  }
}

}  // namespace

// The messages of a step to all ranks and from them, one behind the other.
struct SyncRanks::Traffic {
  std::string in;
  ReusedBytes out;
  std::vector<std::size_t> to, from;            // bytes
  std::vector<std::uint64_t> own_sizes, sizes;  // of the messages of each rank to every rank

  std::string_view from_rank(std::size_t rank) const {
    std::size_t begin = 0;
    for (std::size_t r = 0; r < rank; ++r) begin += from[r];
    return out.text().substr(begin, from[rank]);
  }
};

// Writes a message to each other rank.
template <class Write>
void SyncRanks::write_messages(Traffic& traffic, Write write) const {
  MessageWriter message(std::move(traffic.in));
  traffic.to.clear();
  std::size_t before = 0;
  for (int rank = 0; rank < comm_->size(); ++rank) {
    if (rank != comm_->rank()) write(message, rank);
    traffic.to.push_back(message.size() - before);
    before = message.size();
  }
  traffic.in = message.take();
}

// The facts of this rank's shards, for all, and their gradients, for the owner.
void SyncRanks::write_pieces(const Language& nlp, std::span<const ShardPiece> mine,
                             Traffic& traffic) const {
  std::vector<std::string> facts;
  for (const ShardPiece& piece : mine) facts.push_back(facts_of(nlp, piece));
  write_messages(traffic, [&](MessageWriter& message, int rank) {
    message.put(Outcome::done);
    message.put<std::uint64_t>(mine.size());
    for (std::size_t i = 0; i < mine.size(); ++i) {
      message.put_bytes(facts[i].data(), facts[i].size());
      write_gradients(message, mine[i].gradients, parameters_,
                      [&](std::size_t parameter) { return part(parameter, rank); });
    }
  });
}

void SyncRanks::exchange_all(const std::shared_ptr<Traffic>& keep) const {
  Traffic& traffic = *keep;
  const std::size_t ranks = traffic.to.size();
  traffic.own_sizes.assign(traffic.to.begin(), traffic.to.end());
  traffic.sizes.resize(ranks * ranks);
  comm_
      ->all_gather({traffic.own_sizes.data(), ranks, DType::u64},
                   {traffic.sizes.data(), traffic.sizes.size(), DType::u64}, keep)
      .wait();
  traffic.from.clear();
  for (std::size_t r = 0; r < ranks; ++r) {
    traffic.from.push_back(traffic.sizes[r * ranks + static_cast<std::size_t>(comm_->rank())]);
  }
  traffic.out.hold(sum_of_lengths(traffic.from, kMostBytesOfRanks));
  comm_
      ->all_to_all_v({traffic.in.data(), traffic.in.size(), DType::u8}, traffic.to,
                     {traffic.out.data(), traffic.out.size(), DType::u8}, traffic.from, keep)
      .wait();
}

// One gradient for all shards of this rank, in the first of them.
void SyncRanks::add_own(std::span<ShardPiece> mine) const {
  if (mine.size() < 2) return;
  std::vector<const Gradients*> others;
  for (const ShardPiece& piece : mine.subspan(1)) others.push_back(&piece.gradients);
  mine.front().gradients.add(others);
  for (ShardPiece& piece : mine.subspan(1)) piece.gradients.clear();
}

// Gradients of parts of other ranks have been sent; here they would only take memory and time.
void SyncRanks::drop_foreign(std::span<ShardPiece> mine) const {
  for (ShardPiece& piece : mine) {
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      const Parameter& parameter = *parameters_[i].parameter;
      const ArrayPart mine = my_part(i);
      if (mine.is_empty()) {
        piece.gradients.drop(parameter);
      } else if (!mine.is_whole(parameter.value.size())) {
        keep_part(piece.gradients, parameter, mine);
      }
    }
  }
}

std::vector<ShardPiece*> SyncRanks::pieces_from(const Language& nlp, const Traffic& traffic,
                                                std::span<ShardPiece> mine, DType gradient_type) {
  std::vector<MessageReader> messages;
  std::vector<std::size_t> counts;
  for (int rank = 0; rank < comm_->size(); ++rank) {
    MessageReader& message =
        messages.emplace_back(traffic.from_rank(static_cast<std::size_t>(rank)));
    const bool is_own = rank == comm_->rank();
    if (!is_own) message.get<Outcome>();
    counts.push_back(is_own ? 0 : message.get_count());
  }
  // Pointers into it are given away: it grows before.
  const std::size_t needed = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
  if (received_.size() < needed) received_.resize(needed);
  // Pieces stand in the order of the ranks, and so of the shards, because a rank has consecutive
  // ones: sums over them are those of one rank, with equal bytes.
  std::vector<ShardPiece*> all;
  std::size_t used = 0;
  for (std::size_t rank = 0; rank < messages.size(); ++rank) {
    if (rank == static_cast<std::size_t>(comm_->rank())) {
      for (ShardPiece& piece : mine) all.push_back(&piece);
    }
    for (std::size_t i = 0; i < counts[rank]; ++i) {
      ShardPiece& piece = received_[used++];
      read_facts(messages[rank], nlp, piece);
      piece.gradients.clear();
      piece.gradients.keep_as(gradient_type);
      read_gradients(
          messages[rank], parameters_, [this](std::size_t p) { return my_part(p); },
          piece.gradients);
      all.push_back(&piece);
    }
  }
  return all;
}

// The first rank's, on all of them.
void SyncRanks::throw_failures(const Traffic& traffic, const std::exception_ptr& own) {
  for (int rank = 0; rank < comm_->size(); ++rank) {
    if (rank == comm_->rank()) {
      is_agreed_ = is_agreed_ || own;
      if (own) std::rethrow_exception(own);
      continue;
    }
    MessageReader message(traffic.from_rank(static_cast<std::size_t>(rank)));
    if (message.get<Outcome>() == Outcome::done) continue;
    is_agreed_ = true;
    const auto kind = message.get<ErrorKind>();
    if (kind > ErrorKind::internal) throw PeerLost("a rank tells of an error of no kind");
    throw Error(kind, fmt::format("rank {}: {}", rank, message.get_text()));
  }
}

// The memory of the messages is taken up again by the next step, but not after an error: an
// operation that nobody waits for may still use it.
std::vector<ShardPiece*> SyncRanks::exchange(const Language& nlp, std::span<ShardPiece> mine,
                                             DType gradient_type, std::exception_ptr failure) {
  follow_growth();
  const std::shared_ptr<Traffic> traffic =
      traffic_ ? std::exchange(traffic_, nullptr) : std::make_shared<Traffic>();
  if (!failure) {
    try {
      if (!options_.is_exact) add_own(mine);
      write_pieces(nlp, mine, *traffic);
    } catch (...) {
      failure = std::current_exception();
    }
  }
  if (failure) {
    write_messages(*traffic, [&](MessageWriter& message, int) { write_failure(message, failure); });
  }
  exchange_all(traffic);
  throw_failures(*traffic, failure);
  drop_foreign(mine);
  std::vector<ShardPiece*> all = pieces_from(nlp, *traffic, mine, gradient_type);
  traffic_ = traffic;
  return all;
}

}  // namespace weft
