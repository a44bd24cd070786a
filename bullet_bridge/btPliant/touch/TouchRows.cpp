// SPDX-License-Identifier: Zlib
#include "btPliant/touch/TouchRows.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "btPliant/data/Convert.h"
#include "pliant/touch/LatticeBasis.h"

namespace btPliantInternal {

using pliant::Matrix3;
using pliant::Vector3;

namespace {

/// The point in the lattice of one of its bodies.
pliant::LatticePoint latticePointOf(const TouchConstraint& touch, const TouchPoint& point, bool isShell,
                                    const pliant::ContactLattice& lattice) {
    const TouchRole& role = touch.pair->touch->roles[static_cast<std::size_t>(point.role)];
    if (!isShell) return pliant::latticePointAt(lattice, role.fieldRest[static_cast<std::size_t>(point.found)]);
    const int number = role.found[static_cast<std::size_t>(point.found)].point;
    const pliant::DistributedShell& shell = role.query->placed().shell();
    return {shell.cells()[static_cast<std::size_t>(shell.cellOf(number))].latticeCell, shell.placeInCell(number)};
}

}  // namespace

void makeTouchRows(TouchConstraint& touch, const TouchPoint& point, int count, double* rows) {
    const int n = touch.dimension();
    const Vector3 directions[3] = {point.cosine * point.normal, point.tangent[0], point.tangent[1]};
    const bool shellIsA = touch.pair->touch->roles[static_cast<std::size_t>(point.role)].shellIsA;
    for (int s = 0; s < 2; ++s) {
        TouchSide& side = touch.side[s];
        const bool isShell = (s == 0) == shellIsA;
        const double sign = isShell ? 1.0 : -1.0;
        if (side.frame > 0) {
            const Vector3 arm = point.lever - toEigen(side.object->getWorldTransform().getOrigin());
            for (int k = 0; k < count; ++k) {
                Eigen::Map<Vector3>(rows + k * n + side.first) = sign * directions[k];
                Eigen::Map<Vector3>(rows + k * n + side.first + 3) = sign * arm.cross(directions[k]);
            }
        }
        if (side.modes == 0) continue;
        const pliant::ReducedModel& model = dataOf(*side.body).model();
        const Matrix3 meshFromWorld =
            model.meshFromBody.rotation * toEigen(side.object->getWorldTransform().getBasis()).transpose();
        Vector3 turned[3];
        for (int k = 0; k < count; ++k)
            turned[k] = 0.5 * sign * (meshFromWorld * (k == 0 ? point.pressure : directions[k]));
        static thread_local std::vector<double> modal;
        modal.resize(static_cast<std::size_t>(3 * side.modes));
        const pliant::ContactLattice& lattice = model.contactSurface.lattice;
        side.basis.along(lattice, latticePointOf(touch, point, isShell, lattice), turned, count, modal.data());
        for (int k = 0; k < count; ++k)
            std::copy_n(modal.data() + k * side.modes, side.modes, rows + k * n + side.first + side.frame);
    }
}

Vector3 givenVelocity(const TouchSide& side, const Vector3& place) {
    const btRigidBody* rigid = btRigidBody::upcast(side.object);
    if (side.frame > 0 || !rigid || !rigid->isKinematicObject()) return Vector3::Zero();
    const Vector3 arm = place - toEigen(rigid->getCenterOfMassPosition());
    return toEigen(rigid->getLinearVelocity()) + toEigen(rigid->getAngularVelocity()).cross(arm);
}

}  // namespace btPliantInternal
