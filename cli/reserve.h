#pragma once

#include <string_view>

// What the program does for the time when there is no memory.
namespace coppice::cli {

inline constexpr std::string_view no_memory =
    "out of memory; use a smaller file, fewer nets or fewer threads";

/// Keeps some memory that is given back when an allocation fails, so that what was begun can be undone (destructors of JSON
/// allocate) and a sentence said. Should a destructor find none all the same, which nothing can catch, the program ends with
/// that sentence and exit code 2 too. `program` must live on.
void keep_reserve(std::string_view program);

/// "PROGRAM: out of memory; ...", without allocating anything; returns the exit code.
int complain_without_memory(std::string_view program) noexcept;

}  // namespace coppice::cli
