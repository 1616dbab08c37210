#pragma once

namespace coppice::cli {

/// Keeps some memory for the time when there is none: it is given back when an allocation fails, so that what was begun can
/// be undone (destructors of JSON allocate) and a sentence said.
void keep_reserve();

}  // namespace coppice::cli
