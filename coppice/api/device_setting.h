#pragma once

#include "coppice/api/setting_builder.h"

namespace coppice {

/// Adds `device`: auto, cpu, cuda, or GPUs by their numbers, such as cuda:0,1.
void add_device(SettingBuilder<Options>& builder);

}  // namespace coppice
