#include "framework/tensor/storage.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "framework/tensor/large_pages.h"
#include "registry/base/error.h"

namespace weft {
namespace {

constexpr std::size_t alignment = 64;
constexpr std::size_t block_alignment = 256;  // of pieces that a device takes
constexpr std::size_t smallest_block = std::size_t{1} << 20;

std::size_t aligned(std::size_t bytes, std::size_t to = alignment) {
  return (bytes + to - 1) / to * to;
}

std::function<bool(std::size_t)>& injected() {
  static auto& fails = *new std::function<bool(std::size_t)>;
  return fails;
}

[[noreturn]] void fail(std::size_t bytes) {
  throw Error(ErrorKind::memory, "out of memory: " + std::to_string(bytes) + " bytes wanted");
}

std::shared_ptr<void> host_memory(std::size_t bytes) {
  if (bytes >= kSmallestInLargePages) {
    if (std::shared_ptr<void> piece = piece_of_large_pages(bytes)) return piece;
  }
  void* data = std::aligned_alloc(alignment, std::max(alignment, aligned(bytes)));
  if (data == nullptr) fail(bytes);
  return {data, std::free};
}

// A block of an arena: straight from the system, so that it goes back there when it is given up,
// and so that only what was touched of it takes memory.
Storage host_block(std::size_t bytes) {
  void* data = map_large_pages(bytes);
  if (data == nullptr) fail(bytes);
  return {data, bytes, Device{}, {data, [bytes](void* block) { unmap_large_pages(block, bytes); }}};
}

}  // namespace

Storage HostAllocator::allocate(std::size_t bytes) {
  check_injected_failure(bytes);
  std::shared_ptr<void> memory = host_memory(bytes);
  void* data = memory.get();
  return {data, bytes, Device{}, std::move(memory)};
}

// Blocks grow to the largest step seen, so that later steps take no memory from the system. The
// pieces carry no owner: that they end with `reset` is what makes them cheap.
struct Arena::State {
  struct Block {
    Storage memory;
    std::size_t used = 0;

    std::size_t left() const { return memory.bytes - used; }
  };
  BlockSource source;
  std::size_t piece = alignment;
  std::vector<Block> blocks;
  std::size_t current = 0;
  std::size_t in_use = 0;
  std::size_t peak = 0;

  void add_block(std::size_t bytes) { blocks.push_back({source(bytes), 0}); }
  // Else the next step takes what it needs piece by piece.
  void add_block_if_there(std::size_t bytes) {
    try {
      add_block(bytes);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::memory) throw;
    }
  }
  // Larger than what is wanted, unless only that is to be had.
  void grow(std::size_t wanted) {
    const std::size_t doubled = blocks.empty() ? 0 : 2 * blocks.back().memory.bytes;
    const std::size_t size = std::max({wanted, smallest_block, doubled});
    try {
      add_block(size);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::memory || size == wanted) throw;
      add_block(wanted);
    }
  }
};

Arena::Arena() : state_(std::make_unique<State>()) {
  state_->source = host_block;
}

Arena::Arena(BlockSource blocks) : state_(std::make_unique<State>()) {
  state_->source = std::move(blocks);
  state_->piece = block_alignment;
}

Arena::~Arena() = default;
Arena::Arena(Arena&&) noexcept = default;
Arena& Arena::operator=(Arena&&) noexcept = default;

Storage Arena::allocate(std::size_t bytes) {
  check_injected_failure(bytes);
  State& state = *state_;
  const std::size_t wanted = std::max(state.piece, aligned(bytes, state.piece));
  while (state.current < state.blocks.size() && state.blocks[state.current].left() < wanted) {
    ++state.current;
  }
  if (state.current == state.blocks.size()) state.grow(wanted);
  State::Block& block = state.blocks[state.current];
  void* data = static_cast<char*>(block.memory.data) + block.used;
  block.used += wanted;
  state.in_use += wanted;
  state.peak = std::max(state.peak, state.in_use);
  return {data, bytes, block.memory.device, nullptr};
}

void Arena::reset() {
  State& state = *state_;
  if (state.blocks.size() > 1) {
    // One block of the whole size: the next step finds it in one piece, also if it is a little
    // larger, as steps are while batches grow.
    state.blocks.clear();
    state.add_block_if_there(aligned(state.peak + state.peak / 4, state.piece));
  }
  for (State::Block& block : state.blocks) block.used = 0;
  state.current = 0;
  state.in_use = 0;
}

void Arena::release() {
  state_->blocks.clear();
  state_->current = 0;
  state_->in_use = 0;
}

std::size_t Arena::peak() const {
  return state_->peak;
}

std::size_t Arena::in_use() const {
  return state_->in_use;
}

void fail_allocations(std::function<bool(std::size_t bytes)> fails) {
  injected() = std::move(fails);
}

void check_injected_failure(std::size_t bytes) {
  if (injected() && injected()(bytes)) fail(bytes);
}

}  // namespace weft
