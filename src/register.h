// What each file of bindings registers with R when the package is loaded.
#ifndef GPSTREAM_REGISTER_H
#define GPSTREAM_REGISTER_H

#include <R_ext/Rdynload.h>

void register_models(DllInfo* dll);
void register_sets(DllInfo* dll);

#endif
