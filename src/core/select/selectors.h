// The registry of selectors: one line each.
#ifndef GPSTREAM_SELECTORS_H
#define GPSTREAM_SELECTORS_H

#include "fixed.h"
#include "greedy.h"
#include "grid.h"
#include "knearest.h"
#include "oips.h"
#include "proposed.h"
#include "variance.h"

namespace gpstream {

using SelectorMaker = SelectorPtr (*)(const SelectorSpec&);

template <class S>
SelectorPtr new_selector(const SelectorSpec& spec) {
  return std::make_shared<S>(spec);
}

inline const std::map<std::string, SelectorMaker>& selector_registry() {
  static const std::map<std::string, SelectorMaker> registry = {
      {"oips", new_selector<Oips>},       {"variance", new_selector<Variance>},
      {"fixed", new_selector<Fixed>},     {"grid", new_selector<Grid>},
      {"greedy", new_selector<Greedy>},   {"kmeans", new_selector<Proposed>},
      {"random", new_selector<Proposed>}, {"kdpp", new_selector<Proposed>},
      {"noise", new_selector<ByNoise>},   {"knearest", new_selector<KNearest>},
  };
  return registry;
}

inline SelectorPtr make_selector(const SelectorSpec& spec) {
  const auto found = selector_registry().find(spec.name);
  require(found != selector_registry().end(), "parameter", "there is no selector \"" + spec.name + "\".");
  return found->second(spec);
}

}  // namespace gpstream

#endif
