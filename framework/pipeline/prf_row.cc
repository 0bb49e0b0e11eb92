#include "framework/pipeline/prf_row.h"

namespace weft {

Object row_of(const Prf& prf) {
  Object row;
  row.set("p", prf.precision());
  row.set("r", prf.recall());
  row.set("f", prf.f_score());
  return row;
}

}  // namespace weft
