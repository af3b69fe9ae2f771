// The registry of selectors: one line each.
#ifndef GPSTREAM_SELECTORS_H
#define GPSTREAM_SELECTORS_H

#include "selectors/fixed.h"
#include "selectors/oips.h"

namespace gpstream {

using SelectorMaker = SelectorPtr (*)(const SelectorSpec&);

template <class S>
SelectorPtr new_selector(const SelectorSpec& spec) {
  return std::make_shared<S>(spec);
}

inline const std::map<std::string, SelectorMaker>& selector_registry() {
  static const std::map<std::string, SelectorMaker> registry = {
      {"oips", new_selector<Oips>},
      {"fixed", new_selector<Fixed>},
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
