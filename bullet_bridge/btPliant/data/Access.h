// SPDX-License-Identifier: Zlib
// Internal: the one way from the public classes to what they keep, which no installed header shows.
#pragma once

#include "btPliant/btPliantBody.h"
#include "btPliant/btPliantConstraintSolver.h"
#include "btPliant/btPliantContactSensor.h"
#include "btPliant/btPliantJoint.h"
#include "btPliant/btPliantSystem.h"

namespace btPliantInternal {

/// The friend of the classes that have data of their own.
struct Access {
    using OfBody = btPliantBody::Data;
    using OfSystem = btPliantSystem::Data;
    using OfJoint = btPliantJoint::Data;
    using OfSensor = btPliantContactSensor::Data;
    using OfSolver = btPliantConstraintSolver::SolverGroup;

    /// A new body of one of the public classes, with what it keeps.
    template <class Body>
    static btPliantBody* make(const btRigidBody::btRigidBodyConstructionInfo& construction,
                              std::unique_ptr<OfBody> data) {
        return new Body(construction, std::move(data));
    }

    /// What `owner` keeps, const where it is const.
    template <class Owner>
    static auto& data(Owner& owner) {
        return owner.data();
    }
};

using BodyData = Access::OfBody;       // defined in BodyData.h
using SystemData = Access::OfSystem;   // defined in SystemData.h
using JointData = Access::OfJoint;     // defined in JointData.h
using SensorData = Access::OfSensor;   // defined in SensorData.h
using SolverGroup = Access::OfSolver;  // defined in step/SolverGroup.h

/// What a body, a system, a joint or a sensor keeps beside Bullet's class.
template <class Owner>
auto& dataOf(Owner& owner) {
    return Access::data(owner);
}

}  // namespace btPliantInternal
