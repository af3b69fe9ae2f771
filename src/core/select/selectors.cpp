#include "selectors.h"

#include "../linear/require.h"

namespace gpstream {

// The name of a rule in files and in R, and of its maker, SelectorPtr make_<maker>(const SelectorSpec&),
// which its unit defines.
#define GPSTREAM_SELECTORS(SELECTOR) \
  SELECTOR(oips, oips)               \
  SELECTOR(variance, variance)       \
  SELECTOR(fixed, fixed)             \
  SELECTOR(grid, grid)               \
  SELECTOR(greedy, greedy)           \
  SELECTOR(kmeans, proposed)         \
  SELECTOR(random, proposed)         \
  SELECTOR(kdpp, proposed)           \
  SELECTOR(noise, noise)             \
  SELECTOR(knearest, knearest)

#define GPSTREAM_DECLARE(name, maker) SelectorPtr make_##maker(const SelectorSpec& spec);
GPSTREAM_SELECTORS(GPSTREAM_DECLARE)
#undef GPSTREAM_DECLARE

const std::map<std::string, SelectorMaker>& selector_registry() {
  static const std::map<std::string, SelectorMaker> registry = {
#define GPSTREAM_ROW(name, maker) {#name, make_##maker},
      GPSTREAM_SELECTORS(GPSTREAM_ROW)
#undef GPSTREAM_ROW
  };
  return registry;
}

SelectorPtr make_selector(const SelectorSpec& spec) {
  const auto found = selector_registry().find(spec.name);
  require(found != selector_registry().end(), "parameter", "there is no selector \"" + spec.name + "\".");
  return found->second(spec);
}

}  // namespace gpstream
