#include "registry/base/foreign_exception.h"

#include <exception>
#include <new>

#include "registry/base/error.h"

namespace weft {

std::optional<std::string> foreign_words() {
  try {
    throw;
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return std::nullopt;
  }
}

}  // namespace weft
