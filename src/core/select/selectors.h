// The registry of selectors: one line each.
#ifndef GPSTREAM_SELECTORS_H
#define GPSTREAM_SELECTORS_H

#include <map>
#include <string>

#include "selector.h"

namespace gpstream {

using SelectorMaker = SelectorPtr (*)(const SelectorSpec&);

const std::map<std::string, SelectorMaker>& selector_registry();

SelectorPtr make_selector(const SelectorSpec& spec);

}  // namespace gpstream

#endif
