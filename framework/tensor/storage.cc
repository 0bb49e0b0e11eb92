#include "framework/tensor/storage.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include <sys/mman.h>

#include "registry/error.h"

namespace weft {
namespace {

constexpr std::size_t alignment = 64;
constexpr std::size_t smallest_block = std::size_t{1} << 20;

std::size_t aligned(std::size_t bytes) {
  return (bytes + alignment - 1) / alignment * alignment;
}

std::function<bool(std::size_t)> injected;

[[noreturn]] void fail(std::size_t bytes) {
  throw Error(ErrorKind::memory, "out of memory: " + std::to_string(bytes) + " bytes wanted");
}

void check_injected(std::size_t bytes) {
  if (injected && injected(bytes)) fail(bytes);
}

std::shared_ptr<void> host_memory(std::size_t bytes) {
  void* data = std::aligned_alloc(alignment, std::max(alignment, aligned(bytes)));
  if (data == nullptr) fail(bytes);
  return {data, std::free};
}

// A block of an arena: straight from the system, so that it goes back there when it is given up,
// and so that only what was touched of it takes memory.
std::shared_ptr<void> block_memory(std::size_t bytes) {
  void* data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) fail(bytes);
  return {data, [bytes](void* block) { ::munmap(block, bytes); }};
}

}  // namespace

Storage HostAllocator::allocate(std::size_t bytes) {
  check_injected(bytes);
  std::shared_ptr<void> memory = host_memory(bytes);
  void* data = memory.get();
  return {data, bytes, Device{}, std::move(memory)};
}

// Blocks grow to the largest step seen, so that later steps take no memory from the system. The
// pieces carry no owner: that they end with `reset` is what makes them cheap.
struct Arena::State {
  struct Block {
    std::shared_ptr<void> memory;
    std::size_t bytes = 0;
    std::size_t used = 0;
  };
  std::vector<Block> blocks;
  std::size_t current = 0;
  std::size_t in_use = 0;
  std::size_t peak = 0;
};

Arena::Arena() : state_(std::make_unique<State>()) {}
Arena::~Arena() = default;

Storage Arena::allocate(std::size_t bytes) {
  check_injected(bytes);
  State& state = *state_;
  const std::size_t wanted = std::max(alignment, aligned(bytes));
  while (state.current < state.blocks.size() &&
         state.blocks[state.current].bytes - state.blocks[state.current].used < wanted) {
    ++state.current;
  }
  if (state.current == state.blocks.size()) {
    const std::size_t doubled = state.blocks.empty() ? 0 : 2 * state.blocks.back().bytes;
    const std::size_t size = std::max({wanted, smallest_block, doubled});
    state.blocks.push_back({block_memory(size), size, 0});
  }
  State::Block& block = state.blocks[state.current];
  void* data = static_cast<char*>(block.memory.get()) + block.used;
  block.used += wanted;
  state.in_use += wanted;
  state.peak = std::max(state.peak, state.in_use);
  return {data, bytes, Device{}, nullptr};
}

void Arena::reset() {
  State& state = *state_;
  if (state.blocks.size() > 1) {
    // One block of the whole size: the next step of this size finds it in one piece.
    const std::size_t size = aligned(state.peak);
    state.blocks.clear();
    state.blocks.push_back({block_memory(size), size, 0});
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

void fail_allocations(std::function<bool(std::size_t bytes)> fails) {
  injected = std::move(fails);
}

}  // namespace weft
