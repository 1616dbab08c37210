#pragma once

#include "coppice/ranks/messenger.h"

#include <string>
#include <vector>

namespace coppice {

/// What a rank other than 0 does: says who it is, prepares what rank 0 tells it to, trains the nets that it is given. Returns
/// what rank 0 says the process is to return.
int serve(Messenger& messenger, std::vector<std::string> arguments);

}  // namespace coppice
