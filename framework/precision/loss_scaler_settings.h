// The numbers that drive a loss scaler. With bounds 0 and infinity the sequence of scales is that
// of PyTorch's GradScaler, with 0 and 2^24 that of Apex. Source: docs/precision.md, "Loss scaling".
#pragma once

namespace weft {

struct LossScalerSettings {
  bool dynamic = true;          // false: the scale stays at init_scale; steps are still skipped
  double init_scale = 65536.0;  // kept within the bounds
  double growth_factor = 2.0;
  double backoff_factor = 0.5;
  int growth_interval = 2000;
  double min_scale = 1.0;
  double max_scale = 16777216.0;
  int max_consecutive_skips = 20;
};

}  // namespace weft
