#include "framework/nn/parameter_block.h"

namespace weft {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kSmallest = std::size_t{1} << 20;
constexpr std::size_t kForAlignment = std::size_t{64} << 10;  // of a thousand parameters

constexpr std::size_t kLargePage = std::size_t{2} << 20;

// Whole large pages where that leaves less than half of the last one empty: to get many small ones
// takes longer than to fill them.
std::size_t in_pages(std::size_t bytes) {
  const std::size_t rest = bytes % kLargePage;
  return rest <= kLargePage / 2 ? bytes : bytes - rest + kLargePage;
}

}  // namespace

ParameterBlock::ParameterBlock(std::size_t bytes) {
  if (bytes >= kSmallest) pages_ = std::make_shared<ZeroedPages>(in_pages(bytes + kForAlignment));
}

Storage ParameterBlock::allocate(std::size_t bytes) {
  if (!pages_ || bytes > pages_->size() - used_) return HostAllocator().allocate(bytes);
  void* data = static_cast<char*>(pages_->data()) + used_;
  const std::size_t aligned = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  used_ = aligned < pages_->size() - used_ ? used_ + aligned : pages_->size();
  return {data, bytes, Device{}, pages_};
}

}  // namespace weft
