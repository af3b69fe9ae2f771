// Files that are either as they were or wholly new, whatever happens meanwhile.
#ifndef GPSTREAM_ATOMIC_FILE_H
#define GPSTREAM_ATOMIC_FILE_H

#include <functional>
#include <string>
#include <vector>

namespace gpstream {

// Writes beside `path`, to `path`.tmp, and renames. What a process that was killed left there is used up by
// the next one to save; one that is still at work is waited for. Errors of kind "io", with the old file
// intact and nothing left behind.
void write_file(const std::string& path, const std::vector<unsigned char>& bytes);

// `check_head(first bytes, their number, size of the file)` is asked before memory for the rest is taken.
std::vector<unsigned char> read_file(
    const std::string& path, std::size_t head,
    const std::function<void(const unsigned char*, std::size_t, unsigned long long)>& check_head);

// A lock is a file that says who holds it. It is taken where nobody does, or where it says `replaces`, which
// the caller knows to be of a process that has ended; of several callers one takes it. Returns what it says
// then: `mine`, or another's words.
std::string take_lock(const std::string& path, const std::string& mine, const std::string& replaces);

// Is there a process of this number on this host?
bool process_lives(double pid);

}  // namespace gpstream

#endif
