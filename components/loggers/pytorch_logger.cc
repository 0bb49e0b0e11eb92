#include "framework/training/logs/silent_log.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

struct Settings {
  std::string prefix = "pytorch";
  std::int64_t device = 0;
  std::string cuda_mem_pool = "all";
  std::string cuda_mem_metric = "all";
};

template <class V>
void fields(V& v, Settings& c) {
  v("prefix", c.prefix, "put before the names of its values");
  v("device", c.device, "the number of the GPU", at_least(0));
  v("cuda_mem_pool", c.cuda_mem_pool, "the kind of memory");
  v("cuda_mem_metric", c.cuda_mem_metric, "the number that is told of it");
}

Logger pytorch_logger(const Settings&) {
  return silent_log(
      "spacy.PyTorchLogger.v1 tells of the memory of PyTorch, which weft does not use; it logs "
      "nothing");
}

const Registration registered{"spacy.PyTorchLogger.v1", pytorch_logger,
                              "known by name; there is no PyTorch whose memory it could tell of"};

}  // namespace
}  // namespace weft
