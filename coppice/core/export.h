#pragma once

/// Marks what the shared library shows; everything else in it is hidden.
#define COPPICE_API __attribute__((visibility("default")))
