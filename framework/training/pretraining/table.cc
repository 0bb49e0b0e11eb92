#include "framework/training/pretraining/table.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace weft {

std::string rounded(double number, int width) {
  constexpr int most_decimals = 4;
  std::string whole = fmt::format("{:.0f}", std::trunc(number));
  const int decimals = width - static_cast<int>(whole.size()) - 1;
  if (decimals <= 1) return whole;
  return fmt::format("{:.{}f}", number, std::min(decimals, most_decimals));
}

std::string PretrainTable::header(bool has_dev) {
  std::string lines = fmt::format("{:>3}   {:>10}   {:>10}   {:>6}   {:>6}", "#", "# Words",
                                  "Total Loss", "Loss", "w/s");
  std::string rules = "---   ----------   ----------   ------   ------";
  if (has_dev) {
    lines += "     Dev Loss";
    rules += "   ----------";
  }
  return lines + "\n" + rules + "\n";
}

std::optional<std::string> PretrainTable::row(PretrainState& state, std::int64_t pass,
                                              double words_per_second,
                                              std::optional<double> dev_loss) {
  if (state.words - state.words_at_row < kWordsPerRow) return std::nullopt;
  std::string line = fmt::format("{:>3}   {:>10}   {:>10}   {:>6}   {:>6.0f}", pass, state.words,
                                 rounded(state.loss, 10),
                                 rounded(state.loss - state.loss_at_row, 6), words_per_second);
  if (dev_loss) line += fmt::format("   {:>10}", rounded(*dev_loss, 10));
  state.words_at_row = state.words;
  state.loss_at_row = state.loss;
  return line + "\n";
}

}  // namespace weft
