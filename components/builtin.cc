#include "components/builtin.h"

#include "registry/functions/registration.h"

namespace weft {

void add_builtin(Catalogue& catalogue) {
  catalogue.add(Registration::head(), "libweft");
}

}  // namespace weft
