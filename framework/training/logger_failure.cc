#include "framework/training/logger_failure.h"

#include <exception>
#include <new>
#include <string>

#include "registry/base/error.h"

namespace weft {
namespace {

[[noreturn]] void fail(const std::string& what) {
  throw Error(ErrorKind::internal, "the logger of [training.logger] failed: " + what);
}

}  // namespace

void run_logger(const std::function<void()>& part) {
  try {
    part();
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    fail(error.what());
  } catch (...) {
    fail("it threw something that is no std::exception");
  }
}

}  // namespace weft
