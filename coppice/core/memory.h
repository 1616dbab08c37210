#pragma once

namespace coppice {

/// Gives memory that was freed back to the system where the C library would keep it.
void return_free_memory();

}  // namespace coppice
