// SPDX-License-Identifier: Zlib
#include "pliant/scene/Placing.h"

#include <Eigen/Geometry>
#include <cmath>

namespace pliant::scene {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kRadians = kPi / 180.0;

/// SplitMix64 [SLF14]: a generator whose numbers do not depend on the standard library.
class Chance {
public:
    explicit Chance(std::uint64_t seed) : m_state(seed) {}

    /// Uniform in [-1, 1).
    double signedUnit() {
        m_state += 0x9e3779b97f4a7c15ULL;
        std::uint64_t z = m_state;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        z ^= z >> 31;
        return static_cast<double>(z >> 11) * 0x1.0p-52 - 1.0;
    }

    Vector3 cube() {
        const double x = signedUnit(), y = signedUnit(), z = signedUnit();
        return {x, y, z};
    }

    /// Uniform on the unit sphere, by rejection.
    Vector3 direction() {
        for (;;) {
            const Vector3 v = cube();
            const double length = v.norm();
            if (length > 0.1 && length <= 1.0) return v / length;
        }
    }

private:
    std::uint64_t m_state;
};

Matrix3 eulerXyz(const Vector3& degrees) {
    const Vector3 a = degrees * kRadians;
    return (Eigen::AngleAxisd(a.z(), Vector3::UnitZ()) * Eigen::AngleAxisd(a.y(), Vector3::UnitY()) *
            Eigen::AngleAxisd(a.x(), Vector3::UnitX()))
        .toRotationMatrix();
}

}  // namespace

RigidTransform inFrame(const RigidTransform& frame, const RigidTransform& place) {
    RigidTransform result;
    result.rotation = frame.rotation * place.rotation;
    result.translation = frame.translation + frame.rotation * place.translation;
    return result;
}

RigidTransform frameOf(const Vector3& position, const Vector3& degrees) {
    RigidTransform frame;
    frame.rotation = eulerXyz(degrees);
    frame.translation = position;
    return frame;
}

std::vector<RigidTransform> place(const Placement& placement, const Vector3& up) {
    const auto& n = placement.count;
    const Vector3 middle(0.5 * (n[0] - 1), 0.5 * (n[1] - 1), 0.5 * (n[2] - 1));
    const Matrix3 rotation = eulerXyz(placement.rotation);
    const Vector3 ownUp = placement.frame ? Vector3(placement.frame->rotation.transpose() * up) : up;
    Chance chance(placement.seed);
    std::vector<RigidTransform> places;
    for (int k = 0; k < n[2]; ++k) {
        for (int j = 0; j < n[1]; ++j) {
            for (int i = 0; i < n[0]; ++i) {
                RigidTransform place;
                place.translation = placement.position;
                if (placement.isStack)
                    place.translation += i * placement.spacing.x() * ownUp;
                else
                    place.translation += (Vector3(i, j, k) - middle).cwiseProduct(placement.spacing);
                place.translation += placement.jitterPosition * chance.cube();
                const Vector3 axis = chance.direction();
                const double angle = placement.jitterRotation * kRadians * chance.signedUnit();
                place.rotation = Eigen::AngleAxisd(angle, axis).toRotationMatrix() * rotation;
                if (placement.frame) place = inFrame(*placement.frame, place);
                places.push_back(place);
            }
        }
    }
    return places;
}

}  // namespace pliant::scene
