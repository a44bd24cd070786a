// SPDX-License-Identifier: Zlib
#include "btPliant/body/BegunPose.h"

namespace btPliantInternal {

void forgetBegun(BodyData& data) {
    data.character->begunStep = 0.0;
    dataOf(*data.system).posesAreBegun = false;
    data.body->activate(true);
}

}  // namespace btPliantInternal
