#pragma once

namespace coppice {

/// Bytes that this process may use at most: what the machine has, or less where its container or `ulimit -v` says so.
double usable_memory();

/// What `memory` is where nobody says otherwise: most of that.
double usual_memory();

/// Gives memory that was freed back to the system where the C library would keep it.
void return_free_memory();

}  // namespace coppice
