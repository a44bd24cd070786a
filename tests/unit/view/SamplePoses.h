// SPDX-License-Identifier: Zlib
// Poses that are different for every number.
#pragma once

#include <Eigen/Geometry>
#include <random>
#include <string>
#include <vector>

#include "pliant/view/Poses.h"

namespace pliant::test {

/// Two models, of 3 bodies with 5 coordinates and of one rigid body.
inline std::vector<Poses> samplePoses(int number, double time) {
    std::mt19937 random(static_cast<unsigned int>(number));
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    std::vector<Poses> poses(2);
    poses[0].resize(3, 5);
    poses[1].resize(1, 0);
    for (Poses& group : poses) {
        group.time = time;
        for (RigidTransform& frame : group.worldFromBody) {
            Eigen::Quaterniond turn(uniform(random), uniform(random), uniform(random), uniform(random));
            frame.rotation = turn.normalized().toRotationMatrix();
            frame.translation = 1e4 * Vector3(uniform(random), uniform(random), uniform(random));
        }
        for (double& q : group.q) q = 0.1 * uniform(random);
    }
    return poses;
}

}  // namespace pliant::test
