#pragma once

/// Coppice: neural networks that find their own size. All of the public interface; examples/ shows how it is used.

#include "coppice/analysis/explain.h"
#include "coppice/analysis/metrics.h"
#include "coppice/api/options.h"
#include "coppice/api/result.h"
#include "coppice/api/train.h"
#include "coppice/core/choices.h"
#include "coppice/core/error.h"
#include "coppice/core/matrix.h"
#include "coppice/data/table.h"
#include "coppice/exports/export.h"
#include "coppice/model/model.h"
#include "coppice/run/directory.h"
#include "coppice/run/read.h"
#include "coppice/search/search.h"
#include "coppice/version.h"
