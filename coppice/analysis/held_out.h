#pragma once

#include "coppice/analysis/answers.h"
#include "coppice/model/conformity.h"

namespace coppice {

/// What answers about rows that no net had learned from tell of new ones; the temperature must be known. Nothing if a score
/// is no finite number.
Conformity conformity_of(const Answers& answers, const ModelParts& model);

}  // namespace coppice
