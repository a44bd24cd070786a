// SPDX-License-Identifier: Zlib
// Surfaces and motions of the tests of distributed contact.
#pragma once

#include <Eigen/Geometry>
#include <cmath>

#include "pliant/touch/SampleShell.h"

namespace pliant::test {

/// A torus about z: concave, with `around` quads along the ring and half as many across.
inline SurfaceMesh torusSurface(double radius, double tube, int around) {
    const int across = around / 2;
    SurfaceMesh mesh;
    mesh.positions.resize(3, around * across);
    mesh.triangles.resize(3, 2 * around * across);
    for (int i = 0; i < around; ++i)
        for (int j = 0; j < across; ++j) {
            const double a = 2 * M_PI * i / around, b = 2 * M_PI * j / across, out = radius + tube * std::cos(b);
            mesh.positions.col(i * across + j) = Vector3(out * std::cos(a), out * std::sin(a), tube * std::sin(b));
            const int next = (i + 1) % around, up = (j + 1) % across;
            const int p = i * across + j, q = next * across + j, r = next * across + up, s = i * across + up;
            mesh.triangles.col(2 * (i * across + j)) << p, q, r;
            mesh.triangles.col(2 * (i * across + j) + 1) << p, r, s;
        }
    return mesh;
}

inline RigidTransform turned(const Vector3& axis, double angle, const Vector3& translation) {
    RigidTransform t;
    t.rotation = Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
    t.translation = translation;
    return t;
}

}  // namespace pliant::test
