// The peak speed of one thread of this machine, to compare ops with.
#pragma once

namespace weft::tools {

struct MachinePeak {
  double flops = 0.0;  // per second, in GEMMs of the default network's shapes
  double bytes = 0.0;  // read and written per second in copies of arrays that fit no cache
};

// Takes a tenth of a second or so.
MachinePeak measured_peak();

}  // namespace weft::tools
