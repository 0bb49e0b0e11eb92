#include "tools/serve/answer_memory.h"

namespace weft::tools {

std::shared_ptr<const void> AnswerMemory::hold(std::size_t bytes) {
  if (bytes < kSmall) bytes = 0;
  const std::size_t before = held_.fetch_add(bytes);
  std::shared_ptr<const void> held(this, [this, bytes](const void*) { held_.fetch_sub(bytes); });
  return bytes == 0 || before == 0 || before + bytes <= most_ ? held : nullptr;
}

}  // namespace weft::tools
