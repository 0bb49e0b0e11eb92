// The part of a step in which the gradients of all shards go to the ranks that update their
// parameters. Three rounds: how much, then at the same time the facts of every shard for all and
// the gradients for their owners.
#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "framework/comm/message.h"
#include "framework/comm/reused_bytes.h"
#include "framework/pipeline/language.h"
#include "framework/training/gradient_message.h"
#include "framework/training/sync_ranks.h"

namespace weft {
namespace {

enum class Outcome : std::uint8_t { done, failed };

std::size_t sum_of(const std::vector<std::size_t>& parts) {
  return std::accumulate(parts.begin(), parts.end(), std::size_t{0});
}

// The ranges, losses and kept results of shards.
// Losses and kept results are small and wanted by all: every rank then knows the losses of the
// whole batch, and components finish it with the results of all shards.
std::string write_facts(const Language& nlp, std::span<const ShardPiece> pieces) {
  MessageWriter message;
  message.put(Outcome::done);
  message.put<std::uint64_t>(pieces.size());
  const auto pipeline = nlp.pipeline();
  for (const ShardPiece& piece : pieces) {
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
  }
  return message.take();
}

// A rank that failed takes part in the exchange all the same and tells its error there: the others
// would wait for it until the deadline.
std::string write_failure(const std::exception_ptr& failure) {
  MessageWriter message;
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
  return message.take();
}

void read_piece(MessageReader& message, const Language& nlp, ShardPiece& piece) {
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

// The messages of a step to and from all ranks; `in` and `out` have those of gradients, one behind
// the other.
struct SyncRanks::Traffic {
  std::vector<std::uint64_t> own_sizes, sizes;  // of each rank: bytes to every rank, bytes of facts
  std::string facts_in, in;
  ReusedBytes facts_out, out;
  std::vector<std::size_t> to, facts_bytes, from;

  std::string_view facts_of(std::size_t rank) const {
    return part(facts_out.text(), facts_bytes, rank);
  }
  std::string_view gradients_of(std::size_t rank) const { return part(out.text(), from, rank); }

 private:
  static std::string_view part(std::string_view all, const std::vector<std::size_t>& bytes,
                               std::size_t rank) {
    std::size_t begin = 0;
    for (std::size_t r = 0; r < rank; ++r) begin += bytes[r];
    return all.substr(begin, bytes[rank]);
  }
};

void SyncRanks::write_all(std::span<const ShardPiece> mine, Traffic& traffic) const {
  MessageWriter message(std::move(traffic.in));
  traffic.to.clear();
  std::size_t before = 0;
  for (int rank = 0; rank < comm_->size(); ++rank) {
    if (rank != comm_->rank()) {
      for (const ShardPiece& piece : mine) {
        write_gradients(message, piece.gradients, parameters_,
                        [&](std::size_t i) { return owners_[i] == rank; });
      }
    }
    traffic.to.push_back(message.size() - before);
    before = message.size();
  }
  traffic.in = message.take();
}

void SyncRanks::exchange_all(const std::shared_ptr<Traffic>& keep) const {
  Traffic& traffic = *keep;
  const std::size_t ranks = traffic.to.size();
  traffic.own_sizes.assign(traffic.to.begin(), traffic.to.end());
  traffic.own_sizes.push_back(traffic.facts_in.size());
  traffic.sizes.resize(traffic.own_sizes.size() * ranks);
  comm_
      ->all_gather({traffic.own_sizes.data(), traffic.own_sizes.size(), DType::u64},
                   {traffic.sizes.data(), traffic.sizes.size(), DType::u64}, keep)
      .wait();
  const auto rank = static_cast<std::size_t>(comm_->rank());
  traffic.from.clear();
  traffic.facts_bytes.clear();
  for (std::size_t r = 0; r < ranks; ++r) {
    traffic.from.push_back(traffic.sizes[r * (ranks + 1) + rank]);
    traffic.facts_bytes.push_back(traffic.sizes[r * (ranks + 1) + ranks]);
  }
  traffic.facts_out.hold(sum_of(traffic.facts_bytes));
  traffic.out.hold(sum_of(traffic.from));
  const Work all_facts = comm_->all_gather_v(
      {traffic.facts_in.data(), traffic.facts_in.size(), DType::u8},
      {traffic.facts_out.data(), traffic.facts_out.size(), DType::u8}, traffic.facts_bytes, keep);
  const Work gradients =
      comm_->all_to_all_v({traffic.in.data(), traffic.in.size(), DType::u8}, traffic.to,
                          {traffic.out.data(), traffic.out.size(), DType::u8}, traffic.from, keep);
  all_facts.wait();
  gradients.wait();
}

// One gradient for all shards of this rank, in the first of them.
void SyncRanks::add_own(std::span<ShardPiece> mine) const {
  if (mine.size() < 2) return;
  std::vector<const Gradients*> others;
  for (const ShardPiece& piece : mine.subspan(1)) others.push_back(&piece.gradients);
  mine.front().gradients.add(others);
  for (ShardPiece& piece : mine.subspan(1)) piece.gradients.clear();
}

// Gradients of parameters of other ranks have been sent; here they would only take memory.
void SyncRanks::drop_foreign(std::span<ShardPiece> mine) const {
  for (ShardPiece& piece : mine) {
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      if (!is_mine(i)) piece.gradients.drop(*parameters_[i].parameter);
    }
  }
}

std::vector<ShardPiece*> SyncRanks::pieces_from(const Language& nlp, const Traffic& traffic,
                                                std::span<ShardPiece> mine, DType gradient_type) {
  // Pointers into it are given away: it grows before.
  std::vector<std::size_t> counts;
  for (int rank = 0; rank < comm_->size(); ++rank) {
    MessageReader facts(traffic.facts_of(static_cast<std::size_t>(rank)));
    facts.get<Outcome>();
    counts.push_back(facts.get<std::uint64_t>());
  }
  const std::size_t needed = sum_of(counts) - mine.size();
  if (received_.size() < needed) received_.resize(needed);
  // Pieces stand in the order of the ranks, and so of the shards, because a rank has consecutive
  // ones: sums over them are those of one rank, with equal bytes.
  std::vector<ShardPiece*> all;
  std::size_t used = 0;
  for (int rank = 0; rank < comm_->size(); ++rank) {
    if (rank == comm_->rank()) {
      for (ShardPiece& piece : mine) all.push_back(&piece);
      continue;
    }
    const auto r = static_cast<std::size_t>(rank);
    MessageReader facts(traffic.facts_of(r)), gradients(traffic.gradients_of(r));
    facts.get<Outcome>();
    facts.get<std::uint64_t>();
    for (std::size_t i = 0; i < counts[r]; ++i) {
      ShardPiece& piece = received_[used++];
      read_piece(facts, nlp, piece);
      piece.gradients.clear();
      piece.gradients.keep_as(gradient_type);
      read_gradients(gradients, parameters_, piece.gradients);
      all.push_back(&piece);
    }
  }
  return all;
}

void SyncRanks::throw_first_failure(const Traffic& traffic, const std::exception_ptr& own) {
  for (int rank = 0; rank < comm_->size(); ++rank) {
    MessageReader reader(traffic.facts_of(static_cast<std::size_t>(rank)));
    if (reader.get<Outcome>() == Outcome::done) continue;
    is_agreed_ = true;
    if (own && rank == comm_->rank()) std::rethrow_exception(own);
    const auto kind = reader.get<ErrorKind>();
    throw Error(kind, fmt::format("rank {}: {}", rank, reader.get_text()));
  }
}

// The memory of the messages is taken up again by the next step, but not after an error: an
// operation that nobody waits for may still use it.
std::vector<ShardPiece*> SyncRanks::exchange(const Language& nlp, std::span<ShardPiece> mine,
                                             DType gradient_type, std::exception_ptr failure) {
  const std::shared_ptr<Traffic> traffic =
      traffic_ ? std::exchange(traffic_, nullptr) : std::make_shared<Traffic>();
  if (!failure) {
    try {
      if (!options_.is_exact) add_own(mine);
      write_all(mine, *traffic);
      traffic->facts_in = write_facts(nlp, mine);
    } catch (...) {
      failure = std::current_exception();
    }
  }
  if (failure) {
    traffic->in.clear();
    traffic->to.assign(static_cast<std::size_t>(comm_->size()), 0);
    traffic->facts_in = write_failure(failure);
  }
  exchange_all(traffic);
  throw_first_failure(*traffic, failure);
  drop_foreign(mine);
  std::vector<ShardPiece*> all = pieces_from(nlp, *traffic, mine, gradient_type);
  traffic_ = traffic;
  return all;
}

}  // namespace weft
