// SPDX-License-Identifier: Zlib
#include "pliant/touch/SurfaceModel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "pliant/math/Error.h"
#include "pliant/touch/LatticeMap.h"

namespace pliant {

namespace {

SphereTiles verticesOf(const ContactLattice& lattice) {
    ContactSkeleton vertices;
    vertices.restCentres = PointsF::Zero(3, lattice.vertexCount());
    vertices.radii = VectorXf::Zero(lattice.vertexCount());
    vertices.basis = lattice.basis;
    std::vector<int> all(static_cast<std::size_t>(lattice.vertexCount()));
    std::iota(all.begin(), all.end(), 0);
    return tilesOf(vertices, all);
}

}  // namespace

SurfaceModel::SurfaceModel(std::shared_ptr<const CollisionModel> model) : m_collision(std::move(model)) {
    const ReducedModel& m = m_collision->reduced();
    const PointShell& shell = m.contactSurface.shell;
    const int count = m.skeleton.sphereCount();
    if (m.contactSurface.shell.count() != count || m.contactSurface.lattice.cellCount() == 0)
        throw Error("model \"" + m.name + "\"",
                    "it has a distance field, but no surface points or lattice to go with it", "make the model again");
    m_latticeTiles = verticesOf(m.contactSurface.lattice);
    m_clusters = PointClusters(*m_collision);
    m_restPoints.resize(3, count);
    m_isSurfacePoint.assign(static_cast<std::size_t>(count), 0);
    m_capHeights.assign(static_cast<std::size_t>(count), 0.0);
    double area = 0.0;
    int points = 0;
    for (int i = 0; i < count; ++i) {
        m_restPoints.col(i) = meshFromBody().point(m.skeleton.restCentres.col(i).cast<double>());
        m_latticePlaces.push_back(latticePlace(m.contactSurface.lattice, m_restPoints.col(i)));
        if (i >= shell.count() || shell.normals.col(i).isZero(0.0f)) continue;
        m_isSurfacePoint[static_cast<std::size_t>(i)] = 1;
        area += static_cast<double>(shell.areas[i]);
        ++points;
        const double height =
            static_cast<double>(shell.capRadii[i]) * (1.0 - std::cos(static_cast<double>(shell.capAngles[i])));
        m_capHeights[static_cast<std::size_t>(i)] = height;
        m_largestCapHeight = std::max(m_largestCapHeight, height);
    }
    m_hasOnlySurfacePoints = points == count;
    m_pointSpacing = points > 0 ? std::sqrt(area / points) : 0.0;
    listNearPoints();
    findSharpPoints();
    m_isAngular = 10 * std::count(m_isSharp.begin(), m_isSharp.end(), 1) > points;
    measureFacingAreas();
    m_edges = surfaceEdges(m, m_isSurfacePoint, m_restPoints);
    if (isThin())
        measureRoom(m_restPoints, m_edges);
    else
        for (SharpEdge& edge : m_edges) edge.room = 2.0 * m.contactSurface.thickness;
}

// Around a point of a smooth part nearly all normals are like its own, around one of an edge only those along the edge.
// What looks the other way is on the far side of a sheet that is thinner than its points are apart. Along a straight
// edge all look the same way, and the corner at its end by 35 degrees aside where faces meet at right angles.
void SurfaceModel::findSharpPoints() {
    constexpr float like = 0.9f, farSide = -0.5f, little = 0.85f, same = 0.9998f;
    const PointsF& normals = surface().shell.normals;
    m_isSharp.assign(m_isSurfacePoint.size(), 0);
    m_isOnFlat.assign(m_isSurfacePoint.size(), 0);
    const double reach = 2.0 * m_pointSpacing;
    for (Eigen::Index i = 0; i < m_restPoints.cols(); ++i) {
        if (!m_isSurfacePoint[static_cast<std::size_t>(i)]) continue;
        int near = 0, alike = 0, aside = 0;
        for (Eigen::Index j = 0; j < m_restPoints.cols(); ++j) {
            if (j == i || !m_isSurfacePoint[static_cast<std::size_t>(j)]) continue;
            if ((m_restPoints.col(j) - m_restPoints.col(i)).squaredNorm() > reach * reach) continue;
            const float cosine = normals.col(i).dot(normals.col(j));
            near += cosine > farSide ? 1 : 0;
            alike += cosine > like ? 1 : 0;
            aside += cosine > little && cosine < same ? 1 : 0;
        }
        m_isSharp[static_cast<std::size_t>(i)] = 2 * alike < near ? 1 : 0;
        m_isOnFlat[static_cast<std::size_t>(i)] =
            aside == 0 && !(m_capHeights[static_cast<std::size_t>(i)] > 0.0) ? 1 : 0;
    }
}

// The normal of a sharp point has the same angle to all of its faces, or about: its cosine is that with the normals of
// the smooth points beside it.
void SurfaceModel::measureFacingAreas() {
    constexpr double faces = 0.2, ofAnEdge = 0.7;
    const PointShell& shell = surface().shell;
    const double reach = 2.5 * m_pointSpacing;
    m_facingAreas.assign(m_isSurfacePoint.size(), 0.0);
    Vector3 shadows = Vector3::Zero();
    for (Eigen::Index i = 0; i < m_restPoints.cols(); ++i) {
        if (!m_isSurfacePoint[static_cast<std::size_t>(i)]) continue;
        double cosine = 1.0;
        if (m_isSharp[static_cast<std::size_t>(i)]) {
            double sum = 0.0;
            int count = 0;
            for (Eigen::Index j = 0; j < m_restPoints.cols(); ++j) {
                const auto other = static_cast<std::size_t>(j);
                if (!m_isSurfacePoint[other] || m_isSharp[other]) continue;
                if ((m_restPoints.col(j) - m_restPoints.col(i)).squaredNorm() > reach * reach) continue;
                const auto between = static_cast<double>(shell.normals.col(i).dot(shell.normals.col(j)));
                if (between < faces) continue;
                sum += between;
                ++count;
            }
            cosine = count > 0 ? sum / count : ofAnEdge;
        }
        const double area = cosine * static_cast<double>(shell.areas[i]);
        m_facingAreas[static_cast<std::size_t>(i)] = area;
        const Vector3 normal = meshFromBody().rotation * shell.normals.col(i).cast<double>();
        shadows += 0.5 * area * normal.cwiseAbs();
    }
    m_largestShadow = shadows.maxCoeff();
}

// A point x of a cell with centre c and half diagonal h has a surface point within |p - c| + h, p the one nearest to c;
// whichever is nearest to x is no farther from c than that and h.
void SurfaceModel::listNearPoints() {
    const ContactLattice& lattice = surface().lattice;
    const double half = 0.5 * std::sqrt(3.0) * lattice.spacing;
    m_firstNearPoint.assign(1, 0);
    std::vector<double> distances(static_cast<std::size_t>(m_restPoints.cols()));
    for (int cell = 0; cell < lattice.cellCount(); ++cell) {
        const Vector3 centre =
            lattice.origin + lattice.spacing * (lattice.cellPlaces.col(cell).cast<double>() + Vector3::Constant(0.5));
        double least = std::numeric_limits<double>::max();
        for (std::size_t i = 0; i < distances.size(); ++i) {
            if (!m_isSurfacePoint[i]) continue;
            distances[i] = (m_restPoints.col(static_cast<Eigen::Index>(i)) - centre).norm();
            least = std::min(least, distances[i]);
        }
        for (std::size_t i = 0; i < distances.size(); ++i)
            if (m_isSurfacePoint[i] && distances[i] <= least + 2.0 * half) m_nearPoints.push_back(static_cast<int>(i));
        m_firstNearPoint.push_back(static_cast<int>(m_nearPoints.size()));
    }
}

int SurfaceModel::nearestPoint(const Vector3& rest) const {
    const auto cell = static_cast<std::size_t>(latticeCellAt(surface().lattice, rest));
    int nearest = 0;
    double least = std::numeric_limits<double>::max();
    for (int k = m_firstNearPoint[cell]; k < m_firstNearPoint[cell + 1]; ++k) {
        const int point = m_nearPoints[static_cast<std::size_t>(k)];
        const double distance = (m_restPoints.col(point) - rest).squaredNorm();
        if (distance >= least) continue;
        least = distance;
        nearest = point;
    }
    return nearest;
}

}  // namespace pliant
