// SPDX-License-Identifier: Zlib
#include "pliant/touch/BristleFriction.h"

namespace pliant {

Vector3 BristleFriction::slide(int point, const Vector3& slip, const Vector3& normal, double stiffness, double limit) {
    Vector3& bend = m_bends[static_cast<std::size_t>(point)];
    bend += slip;
    bend -= normal * normal.dot(bend);  // the normal may have turned since the last call
    const double length = bend.norm();
    // The foot slides as far as the limit asks, so that the way back starts at the limit.
    if (stiffness * length > limit) bend *= limit / (stiffness * length);
    return -stiffness * bend;
}

}  // namespace pliant
