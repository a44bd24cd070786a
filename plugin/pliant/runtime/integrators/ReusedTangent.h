// SPDX-License-Identifier: Zlib
// Steps with the tangent stiffness of an earlier one (ReusedTangent.cpp has the equations; what blocks of
// bodies do is declared in BlockStep.h). Private to runtime/.
#pragma once

#include "pliant/runtime/BatchStorage.h"

namespace pliant {

/// What S of a step of h seconds is made of K with, by the settings.
TangentFactors tangentFactors(const BatchStorage& batch, double h);
/// Whether the settings let steps go on with earlier tangents.
bool mayReuseTangents(const BatchStorage& batch);
/// Whether the factor of the last step is good enough for a step of h seconds from the present q.
bool reusesTangent(const BatchStorage& batch, int body, double h);
/// Makes BatchStorage::restTangent that of a step of h seconds, where bodies may share it. Not while others step.
void prepareRestTangent(BatchStorage& batch, double h);

}  // namespace pliant
