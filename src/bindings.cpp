// All that R calls, compiled at once: every file includes the whole core, which takes most of the time.
#include "bindings_file.cpp"
#include "bindings_kernel.cpp"
#include "bindings_likelihood.cpp"
#include "bindings_machine.cpp"
#include "bindings_model.cpp"
#include "bindings_set.cpp"
#include "bindings_shard.cpp"
#include "bindings_theory.cpp"
