#include "framework/training/parts_exchange.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace weft {
namespace {

// Of all ranks together: a few times what the messages of a round cost by themselves.
constexpr std::size_t kBytesOfRound = std::size_t{8} << 20U;

}  // namespace

PartsExchange::PartsExchange(Communicator& comm, std::vector<PartsInTurn> parts, Memory& memory)
    : comm_(comm),
      own_(static_cast<std::size_t>(comm.rank())),
      parts_(std::move(parts)),
      mine_(parts_[own_]),
      memory_(memory) {
  left_.reserve(parts_.size());
  for (const PartsInTurn& of_rank : parts_) left_.push_back(of_rank.left());
}

void PartsExchange::run() {
  std::optional<Round> on_its_way;
  while (std::any_of(left_.begin(), left_.end(), [](std::size_t bytes) { return bytes > 0; })) {
    Round next = start();
    if (on_its_way) finish(*on_its_way);
    on_its_way.emplace(std::move(next));
  }
  if (on_its_way) finish(*on_its_way);
}

std::vector<std::size_t> PartsExchange::next_bytes() {
  std::vector<std::size_t> bytes;
  bytes.reserve(left_.size());
  for (std::size_t& of_rank : left_) {
    bytes.push_back(std::min(of_rank, kBytesOfRound / left_.size()));
    of_rank -= bytes.back();
  }
  return bytes;
}

// After an error an operation that nobody waits for may still use what it was given.
std::shared_ptr<ReusedBytes> PartsExchange::free_memory() {
  if (memory_.empty()) return std::make_shared<ReusedBytes>();
  std::shared_ptr<ReusedBytes> memory = memory_.back();
  memory_.pop_back();
  return memory;
}

PartsExchange::Round PartsExchange::start() {
  std::vector<std::size_t> bytes = next_bytes();
  const auto end_of = [&](std::size_t rank) {
    return std::accumulate(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(rank),
                           std::size_t{0});
  };
  const std::shared_ptr<ReusedBytes> memory = free_memory();
  std::byte* all = memory->hold(end_of(bytes.size()));
  std::byte* place = all + end_of(own_);
  mine_.take(place, bytes[own_]);
  Work work = comm_.all_gather_v({place, bytes[own_], DType::u8}, {all, memory->size(), DType::u8},
                                 bytes, memory);
  return {memory, std::move(bytes), std::move(work)};
}

void PartsExchange::finish(const Round& round) {
  round.work.wait();
  const std::byte* from = round.memory->data();
  for (std::size_t rank = 0; rank < parts_.size(); ++rank) {
    parts_[rank].put(rank == own_ ? nullptr : from, round.bytes[rank]);
    from += round.bytes[rank];
  }
  memory_.push_back(round.memory);
}

}  // namespace weft
