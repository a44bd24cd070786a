// SPDX-License-Identifier: Zlib
#include "pliant/collision/body/SurfacePlaces.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "pliant/model/LatticeCell.h"

namespace pliant {
namespace {

constexpr int kOffsetBits = 8;  ///< of the offset along each axis
constexpr int kNoOffset =
    1 << (kOffsetBits - 1);  ///< Along an axis; no part of a code is 0, which is the point itself.
constexpr double kParameterUnit = 1.0 / (1 << 20);  ///< of a parameter; the bridge keeps it in an int
constexpr double kFarthestOffset = 1.25;            ///< distances between surface points
constexpr double kOffsetStep = kFarthestOffset / (kNoOffset - 1);

/// Root of the mean share of the area, m.
double spacingOf(const PointShell& shell) {
    double area = 0.0;
    int points = 0;
    for (Eigen::Index i = 0; i < shell.areas.size(); ++i) {
        if (shell.normals.col(i).isZero(0.0f)) continue;
        area += static_cast<double>(shell.areas[i]);
        ++points;
    }
    return points > 0 ? std::sqrt(area / points) : 0.0;
}

}  // namespace

/// Of the corners of a cell.
struct SurfacePlaces::Weights {
    int cell = 0;
    std::array<double, 8> ofCorner{};
};

SurfacePlaces::SurfacePlaces(const ReducedModel& model) : m_dimension(model.dimension()) {
    const ContactSurface& surface = model.contactSurface;
    const int spheres = model.skeleton.sphereCount();
    if (!surface.exists() || surface.shell.count() != spheres || surface.lattice.cellCount() == 0) return;
    m_step = kOffsetStep * spacingOf(surface.shell);
    if (!(m_step > 0.0)) return;
    m_lattice = &surface.lattice;
    m_restPoints.resize(3, spheres);
    m_isPoint.assign(static_cast<std::size_t>(spheres), 0);
    for (int i = 0; i < spheres; ++i) {
        m_restPoints.col(i) = model.meshFromBody.point(model.skeleton.restCentres.col(i).cast<double>());
        m_isPoint[static_cast<std::size_t>(i)] = surface.shell.normals.col(i).isZero(0.0f) ? 0 : 1;
    }
    const Matrix3 bodyFromMesh = model.meshFromBody.rotation.transpose();
    const int vertices = m_lattice->vertexCount();
    m_rows.resize(static_cast<std::size_t>(3 * vertices) * static_cast<std::size_t>(m_dimension));
    float* out = m_rows.data();
    for (int v = 0; v < vertices; ++v)
        for (int j = 0; j < m_dimension; ++j, out += 3)
            Eigen::Map<Eigen::Vector3f>{out} =
                (bodyFromMesh * m_lattice->basis.block<3, 1>(3 * v, j).cast<double>()).cast<float>();
}

float SurfacePlaces::encode(int sphere, const Vector3& offset) const {
    if (static_cast<std::size_t>(sphere) >= m_isPoint.size() || !m_isPoint[static_cast<std::size_t>(sphere)] ||
        !offset.allFinite())
        return 0.0f;
    std::uint32_t code = 0;
    for (int k = 2; k >= 0; --k) {
        const double steps = std::clamp(offset[k] / m_step, 1.0 - kNoOffset, kNoOffset - 1.0);
        code = (code << kOffsetBits) | static_cast<std::uint32_t>(kNoOffset + static_cast<int>(std::lround(steps)));
    }
    return static_cast<float>(code * kParameterUnit);
}

SurfacePlaces::Weights SurfacePlaces::weightsAt(int sphere, float parameter) const {
    auto code = static_cast<std::uint32_t>(static_cast<double>(parameter) / kParameterUnit);
    Vector3 rest = m_restPoints.col(sphere);
    for (int k = 0; k < 3; ++k, code >>= kOffsetBits)
        rest[k] += m_step * (static_cast<int>(code & ((1u << kOffsetBits) - 1u)) - kNoOffset);
    Weights weights;
    weights.cell = latticeCellAt(*m_lattice, rest);
    const Vector3 place = placeInLatticeCell(*m_lattice, weights.cell, rest);
    // Trilinear inside, affine beyond, as the field is carried (touch/LatticeMap.h).
    const Vector3 within = place.cwiseMax(0.0).cwiseMin(1.0), beyond = place - within;
    for (int i = 0; i < 8; ++i) {
        double factor[3], slope[3];
        for (int k = 0; k < 3; ++k) {
            const bool upper = (i >> k & 1) != 0;
            factor[k] = upper ? within[k] : 1.0 - within[k];
            slope[k] = upper ? beyond[k] : -beyond[k];
        }
        weights.ofCorner[static_cast<std::size_t>(i)] =
            factor[0] * factor[1] * factor[2] + slope[0] * factor[1] * factor[2] + factor[0] * slope[1] * factor[2] +
            factor[0] * factor[1] * slope[2];
    }
    return weights;
}

void SurfacePlaces::basis(int sphere, float parameter, double* rows) const {
    const Weights weights = weightsAt(sphere, parameter);
    const int count = 3 * m_dimension;
    std::fill(rows, rows + count, 0.0);
    for (int i = 0; i < 8; ++i) {
        const float* U = m_rows.data() + static_cast<std::size_t>(m_lattice->cellVertices(i, weights.cell)) *
                                             static_cast<std::size_t>(count);
        const double w = weights.ofCorner[static_cast<std::size_t>(i)];
        for (int j = 0; j < count; ++j) rows[j] += w * static_cast<double>(U[j]);
    }
}

void SurfacePlaces::project(int sphere, float parameter, const Vector3& direction, double* modal) const {
    const Weights weights = weightsAt(sphere, parameter);
    std::fill(modal, modal + m_dimension, 0.0);
    for (int i = 0; i < 8; ++i) {
        const float* U = m_rows.data() + static_cast<std::size_t>(m_lattice->cellVertices(i, weights.cell)) *
                                             static_cast<std::size_t>(3 * m_dimension);
        const Vector3 d = weights.ofCorner[static_cast<std::size_t>(i)] * direction;
        for (int j = 0; j < m_dimension; ++j, U += 3)
            modal[j] += (d.x() * static_cast<double>(U[0]) + d.y() * static_cast<double>(U[1])) +
                        d.z() * static_cast<double>(U[2]);
    }
}

}  // namespace pliant
