#pragma once

#include "coppice/api/options.h"
#include "coppice/api/result.h"
#include "coppice/core/export.h"

#include <functional>

namespace coppice {

/// Trains nets that find their own size on the rows of a table, which must stay as it is meanwhile.
///
/// `stop` is asked several times a second, in the calling thread: as soon as it says true the training ends with the
/// nets as they are (Result::stopped); before there are any it fails with an error of kind interrupted. `observer` may be
/// null. Several trainings may run at once in one process.
COPPICE_API Result train(const Table& table, const Options& options, Observer* observer = nullptr,
                         const std::function<bool()>& stop = {});

}  // namespace coppice
