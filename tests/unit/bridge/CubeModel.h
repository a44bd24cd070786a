// SPDX-License-Identifier: Zlib
// A cube that deforms little, and how it is damped to come to rest soon.
#pragma once

#include <array>
#include <memory>

#include "btPliant/btPliantBody.h"
#include "pliant/model/ReducedModel.h"
#include "validation/contact/SolidBodies.h"

namespace pliant::test {

constexpr double kCubeSize = 0.2;  // m

inline std::shared_ptr<const ReducedModel> cube() {
    static const auto model = solidBox({kCubeSize, kCubeSize, kCubeSize});
    return model;
}

inline btPliantBodyInfo dampedCube() {
    btPliantBodyInfo info;
    info.m_damping.mass = 1.0;
    info.m_damping.stiffness = 2e-3;
    return info;
}

}  // namespace pliant::test
