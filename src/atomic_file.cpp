#include "atomic_file.h"

#include <cerrno>
#include <cstring>

#include "core/linear/require.h"

#ifdef _WIN32
#include "atomic_file_windows.h"
#else
#include "atomic_file_posix.h"
#endif
