// SPDX-License-Identifier: Zlib
#include "pliant/touch/LatticeBounds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace pliant {

namespace {

constexpr double kKeptFor = 0.03;       ///< of a cell, that vertices may go before the bounds are taken anew
constexpr double kWidestGap = 0.5;      ///< of a cell
constexpr double kEdgeRounding = 1e-5;  ///< of F, whose edges are floats

Vector3 displacementAt(const float* x) {
    return {static_cast<double>(x[0]), static_cast<double>(x[1]), static_cast<double>(x[2])};
}

/// Least eigenvalue of F'F by Gershgorin's discs, >= 0.
double leastSquaredStretch(const Matrix3& F) {
    const Matrix3 C = F.transpose() * F;
    double least = C(0, 0);
    for (int i = 0; i < 3; ++i) {
        double disc = C(i, i);
        for (int j = 0; j < 3; ++j)
            if (j != i) disc -= std::abs(C(i, j));
        least = std::min(least, disc);
    }
    return std::max(0.0, least);
}

}  // namespace

void LatticeBounds::update(const ContactLattice& lattice, const float* displacements) {
    const auto count = static_cast<std::size_t>(4 * lattice.vertexCount());
    m_spacing = lattice.spacing;
    if (!std::all_of(displacements, displacements + count, [](float u) { return std::abs(u) < 1e15f; }))
        return forget(lattice);
    if (m_reference.size() != count) return takeReference(lattice, displacements);
    float squared = 0.0f;
    for (std::size_t i = 0; i < count; i += 4) {
        const float x = displacements[i] - m_reference[i], y = displacements[i + 1] - m_reference[i + 1],
                    z = displacements[i + 2] - m_reference[i + 2];
        const float way = x * x + y * y + z * z;
        squared = way > squared ? way : squared;
    }
    m_moved = std::sqrt(static_cast<double>(squared));
    if (!(m_moved <= kKeptFor * m_spacing)) takeReference(lattice, displacements);
}

void LatticeBounds::takeReference(const ContactLattice& lattice, const float* displacements) {
    m_reference.assign(displacements, displacements + 4 * lattice.vertexCount());
    m_moved = 0.0;
    const auto cells = static_cast<std::size_t>(lattice.cellCount());
    m_own.resize(cells);
    m_stretches.resize(cells);
    m_gaps.resize(cells);
    m_lower.resize(cells);
    m_upper.resize(cells);
    stretchCells(lattice);
    separateCells(lattice);
}

// Nothing is known of a lattice that is nowhere, and with the next state everything is taken anew.
void LatticeBounds::forget(const ContactLattice& lattice) {
    m_reference.clear();
    m_stretches.assign(static_cast<std::size_t>(lattice.cellCount()), 0.0);
    m_gaps.assign(static_cast<std::size_t>(lattice.cellCount()), 0.0);
    m_least = 0.0;
}

void LatticeBounds::stretchCells(const ContactLattice& lattice) {
    for (int c = 0; c < lattice.cellCount(); ++c) {
        std::array<Vector3, 8> u;
        for (int i = 0; i < 8; ++i)
            u[static_cast<std::size_t>(i)] = displacementAt(m_reference.data() + 4 * lattice.cellVertices(i, c));
        Matrix3 F = Matrix3::Identity();
        double spread = 0.0;  // sum over the axes of the largest squared difference of an edge from their mean
        for (int axis = 0; axis < 3; ++axis) {
            const std::size_t bit = std::size_t(1) << axis;
            std::array<Vector3, 4> edges;
            Vector3 mean = Vector3::Zero();
            for (std::size_t i = 0, e = 0; i < 8; ++i)
                if ((i & bit) == 0) mean += 0.25 * (edges[e++] = (u[i | bit] - u[i]) / lattice.spacing);
            double most = 0.0;
            for (const Vector3& edge : edges) most = std::max(most, (edge - mean).squaredNorm());
            F.col(axis) += mean;
            spread += most;
        }
        m_own[static_cast<std::size_t>(c)] = std::sqrt(leastSquaredStretch(F)) - std::sqrt(spread) - kEdgeRounding;
    }
    m_least = m_own.empty() ? 0.0 : *std::min_element(m_own.begin(), m_own.end());
    const Eigen::Vector3i& size = lattice.cells;
    for (int c = 0; c < lattice.cellCount(); ++c) {
        double least = m_own[static_cast<std::size_t>(c)];
        for (int k = 0; k < 27; ++k) {
            const Eigen::Vector3i at = lattice.cellPlaces.col(c) + Eigen::Vector3i(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1);
            if ((at.array() < 0).any() || (at.array() >= size.array()).any()) continue;
            const int beside =
                lattice.cellNumbers[static_cast<std::size_t>(at[0] + size[0] * (at[1] + size[1] * at[2]))];
            if (lattice.cellPlaces.col(beside) == at) least = std::min(least, m_own[static_cast<std::size_t>(beside)]);
        }
        m_stretches[static_cast<std::size_t>(c)] = least;
    }
}

// Boxes in the order of their lower ends along x: those that a box may be near to are the ones after it up to its upper
// end and the largest gap that matters.
void LatticeBounds::separateCells(const ContactLattice& lattice) {
    const double largest = kWidestGap * lattice.spacing;
    for (int c = 0; c < lattice.cellCount(); ++c) {
        const auto at = static_cast<std::size_t>(c);
        const Vector3 corner = lattice.origin + lattice.spacing * lattice.cellPlaces.col(c).cast<double>();
        m_lower[at] = Vector3::Constant(1e30);
        m_upper[at] = Vector3::Constant(-1e30);
        for (int i = 0; i < 8; ++i) {
            const Vector3 place = corner + lattice.spacing * Vector3(i & 1, i >> 1 & 1, i >> 2) +
                                  displacementAt(m_reference.data() + 4 * lattice.cellVertices(i, c));
            m_lower[at] = m_lower[at].cwiseMin(place);
            m_upper[at] = m_upper[at].cwiseMax(place);
        }
        m_gaps[at] = largest;
    }
    m_order.resize(m_lower.size());
    std::iota(m_order.begin(), m_order.end(), 0);
    std::sort(m_order.begin(), m_order.end(), [this](int a, int b) {
        const double x = m_lower[static_cast<std::size_t>(a)].x(), y = m_lower[static_cast<std::size_t>(b)].x();
        return x < y || (x == y && a < b);
    });
    for (std::size_t i = 0; i < m_order.size(); ++i) {
        const auto a = static_cast<std::size_t>(m_order[i]);
        for (std::size_t j = i + 1; j < m_order.size(); ++j) {
            const auto b = static_cast<std::size_t>(m_order[j]);
            if (m_lower[b].x() > m_upper[a].x() + largest) break;
            const Vector3 apart = (m_lower[b] - m_upper[a]).cwiseMax(m_lower[a] - m_upper[b]).cwiseMax(0.0);
            const double squared = apart.squaredNorm();
            if (squared >= largest * largest) continue;
            const auto steps = (lattice.cellPlaces.col(m_order[i]) - lattice.cellPlaces.col(m_order[j])).cwiseAbs();
            if (steps.maxCoeff() <= 1) continue;
            const double gap = std::sqrt(squared);
            m_gaps[a] = std::min(m_gaps[a], gap);
            m_gaps[b] = std::min(m_gaps[b], gap);
        }
    }
}

// A column of F is a mean of edges, each of which two vertices have changed by the way of both.
double LatticeBounds::change() const {
    return 2.0 * std::sqrt(3.0) * m_moved / m_spacing;
}

double LatticeBounds::leastStretch(int cell) const {
    return std::max(0.0, m_stretches[static_cast<std::size_t>(cell)] - change());
}

double LatticeBounds::leastStretch() const {
    return std::max(0.0, m_least - change());
}

double LatticeBounds::gap(int cell) const {
    const double least = m_gaps[static_cast<std::size_t>(cell)] - 2.0 * m_moved;
    return least > 0.0 ? least : 0.0;
}

}  // namespace pliant
