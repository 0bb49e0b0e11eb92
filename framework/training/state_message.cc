#include "framework/training/state_message.h"

#include <cstdint>
#include <memory>

#include "framework/comm/message.h"

namespace weft {

std::string write_states(const std::map<std::string, OptimizerState>& states) {
  MessageWriter message;
  for (const auto& [name, state] : states) {
    message.put_text(name);
    message.put(state.updates);
    for (const Tensor* tensor : {&state.mom1, &state.mom2, &state.average}) {
      message.put_tensor(*tensor);
    }
  }
  return message.take();
}

std::map<std::string, OptimizerState> read_states(std::string_view bytes) {
  std::map<std::string, OptimizerState> states;
  MessageReader message(bytes);
  while (!message.is_at_end()) {
    OptimizerState& state = states[message.get_text()];
    state.updates = message.get<std::int64_t>();
    for (Tensor* tensor : {&state.mom1, &state.mom2, &state.average}) {
      *tensor = message.get_tensor();
    }
  }
  return states;
}

void join_part(const OptimizerState& state, ArrayPart part, const Shape& shape,
               OptimizerState& whole) {
  for (const Tensor* kept : {&state.mom1, &state.mom2, &state.average}) {
    if (*kept && kept->size() != part.size()) return;
  }
  whole.updates = state.updates;
  for (const auto kept : {&OptimizerState::mom1, &OptimizerState::mom2, &OptimizerState::average}) {
    const Tensor& from = state.*kept;
    Tensor& to = whole.*kept;
    if (!from) continue;
    if (part.is_whole(shape.size())) {
      to = from.reshaped(shape);
      continue;
    }
    if (!to) to = Tensor::zeros(shape, from.dtype());
    to.reshaped({to.size()}).rows(part.begin, part.end).copy_from(from.reshaped({from.size()}));
  }
}

// Lengths first, so that rank 0 has the room; then everybody sends to rank 0 alone, by an exchange
// in which all other parts are empty.
std::vector<std::string> gather_on_root(Communicator& comm, const std::string& mine) {
  const auto ranks = static_cast<std::size_t>(comm.size());
  struct Buffers {
    std::uint64_t length = 0;
    std::vector<std::uint64_t> lengths;
    std::string in, out;
  };
  auto buffers = std::make_shared<Buffers>();
  buffers->in = comm.is_root() ? std::string() : mine;
  buffers->length = buffers->in.size();
  buffers->lengths.resize(ranks);
  comm.all_gather({&buffers->length, 1, DType::u64}, {buffers->lengths.data(), ranks, DType::u64},
                  buffers)
      .wait();
  std::vector<std::size_t> to(ranks, 0), from(ranks, 0);
  to[0] = buffers->in.size();
  if (comm.is_root()) from.assign(buffers->lengths.begin(), buffers->lengths.end());
  buffers->out.resize(sum_of_lengths(from, kMostBytesOfRanks));
  comm.all_to_all_v({buffers->in.data(), buffers->in.size(), DType::u8}, to,
                    {buffers->out.data(), buffers->out.size(), DType::u8}, from, buffers)
      .wait();
  std::vector<std::string> texts;
  std::size_t at = from.front();
  for (std::size_t rank = 1; rank < ranks && comm.is_root(); ++rank) {
    texts.push_back(buffers->out.substr(at, from[rank]));
    at += from[rank];
  }
  return texts;
}

}  // namespace weft
