// SPDX-License-Identifier: Zlib
#include "pliant/shell/ChoosePoints.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <memory>

#include "pliant/shell/FarthestPoints.h"
#include "pliant/skeleton/PointTree.h"

namespace pliant {

namespace {

/// Points at distances of at least s that cover an area A to s number about 0.8 A / s^2.
constexpr double pointsPerSquare = 0.8;
/// Drawn vertices are wanted where they are farther apart than this share of the spacing: nearer ones are as good as
/// any point between them.
constexpr double coarse = 0.5;
/// Nor are they wanted where facets lie below the round surface that they stand for by no more than this share of the
/// bounding box's diagonal: half of what the surface that collides may be off the one that is drawn.
constexpr double unseenSag = 5e-4;

/// Radius of convex curvature that three quarters of the area exceed, m.
double smallRadius(const OrientedSurface& s, const SmoothSurface& smooth) {
    std::vector<std::pair<double, double>> curvatures;  // largest principal one, area
    for (int t = 0; t < s.triangleCount(); ++t) {
        const Eigen::SelfAdjointEigenSolver<Matrix3> solver(smooth.curvature[static_cast<std::size_t>(t)],
                                                            Eigen::EigenvaluesOnly);
        curvatures.emplace_back(std::max(solver.eigenvalues()[2], 1e-9 / s.diagonal), s.areas[t]);
    }
    std::sort(curvatures.begin(), curvatures.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    double passed = 0.0;
    const double quarter = 0.25 * s.areas.sum();
    for (const auto& [curvature, area] : curvatures)
        if ((passed += area) >= quarter) return 1.0 / curvature;
    return 1.0 / curvatures.back().first;
}

/// Whether drawn vertices stand out over the caps between them so far that it is seen.
/// @param side m, of an average triangle @param radius m, of the surface where it is most curved
bool verticesStandOut(double side, double radius, double spacing, double diagonal) {
    return side > coarse * spacing && side * side / (8.0 * radius) > unseenSag * diagonal;
}

double chooseSpacing(const OrientedSurface& s, const SmoothSurface& smooth, const ShellOptions& options) {
    if (options.spacing > 0.0) return options.spacing;
    return std::clamp(0.7 * smallRadius(s, smooth), s.diagonal / 60.0, s.diagonal / 20.0);
}

/// The spacing at which edges (one point a spacing) and faces together need no more points than are left.
double affordableSpacing(double area, double edgeLength, double left) {
    return (edgeLength + std::sqrt(edgeLength * edgeLength + 4.0 * left * pointsPerSquare * area)) / (2.0 * left);
}

class Chooser {
public:
    Chooser(const OrientedSurface& surface, const SharpFeatures& features, const SurfacePoints& samples, double spacing,
            int most)
        : m_surface(surface),
          m_features(features),
          m_samples(samples),
          m_spacing(spacing),
          m_most(most),
          m_corners(features.corners, 0.7 * spacing),
          m_vertices(features.convexVertices, 0.7 * spacing),
          m_edges(features.edges, 0.7 * spacing),
          m_faces(samples, 0.7 * spacing) {
        if (features.convexVertices.count() > 0)
            m_vertexTree = std::make_unique<PointTree>(features.convexVertices.positions);
    }

    /// Those farthest from each other first, and no more than half of all points: thousands of leaves have faces, too.
    void takeCorners() {
        while (m_chosen.count() < std::max(1, m_most / 2) && m_corners.distance() > 1e-6 * m_spacing)
            take(m_features.corners, m_corners.farthest(), false);
    }
    void takeConvexVertices() {
        while (hasRoom() && m_vertices.distance() > 0.2 * m_spacing) takeVertex(m_vertices.farthest());
    }
    /// @param spacing no point of an edge is farther from a chosen one
    void takeEdges(double spacing) {
        while (hasRoom() && m_edges.distance() > spacing) {
            const int i = m_edges.farthest();
            const int vertex =
                vertexNear(m_features.edges.positions.col(i), m_features.edges.normals.col(i), m_edges.distanceOf(i));
            if (vertex >= 0 && vertex < m_features.onEdges)
                takeVertex(vertex);
            else
                take(m_features.edges, i, false);
        }
    }
    void takeFaces() { takeFaces(m_spacing, m_most); }
    /// @param spacing no point of the surface is farther from a chosen one, where `most` points are enough
    void takeFaces(double spacing, int most) {
        while (m_chosen.count() < most && m_faces.distance() > spacing) {
            const int i = m_faces.farthest();
            const int vertex = vertexNear(m_samples.positions.col(i), m_samples.normals.col(i), m_faces.distanceOf(i));
            if (vertex >= m_features.onEdges)
                takeVertex(vertex);
            else
                take(m_samples, i, true);
        }
    }
    void finish(ChosenPoints& result) {
        m_chosen.trim();
        result.points = std::move(m_chosen);
        result.isSmooth = std::move(m_isSmooth);
        result.nearest = m_faces.nearest();
        result.spacing = m_faces.distance();
    }

private:
    bool hasRoom() const { return m_chosen.count() < m_most; }

    void take(const SurfacePoints& from, int i, bool isSmooth) {
        const Vector3 x = from.positions.col(i), normal = from.normals.col(i);
        const int number = m_chosen.count();
        m_chosen.add(m_surface, from.triangles[static_cast<std::size_t>(i)], from.weights.col(i), normal);
        m_isSmooth.push_back(isSmooth);
        for (FarthestPoints* set : {&m_corners, &m_vertices, &m_edges, &m_faces}) set->choose(x, normal, number);
    }
    void takeVertex(int vertex) { take(m_features.convexVertices, vertex, vertex >= m_features.onEdges); }

    /// A convex vertex that may stand in for a point which is `distance` from what is chosen; -1: none.
    int vertexNear(const Vector3& x, const Vector3& normal, double distance) const {
        if (!m_vertexTree) return -1;
        const int v = m_vertexTree->nearest(x);
        const bool near = (m_features.convexVertices.positions.col(v) - x).norm() < 0.35 * distance;
        return near && normal.dot(m_features.convexVertices.normals.col(v)) > 0.8 &&
                       m_vertices.distanceOf(v) > 0.2 * distance
                   ? v
                   : -1;
    }

    const OrientedSurface& m_surface;
    const SharpFeatures& m_features;
    const SurfacePoints& m_samples;
    double m_spacing;
    int m_most;
    FarthestPoints m_corners, m_vertices, m_edges, m_faces;
    std::unique_ptr<PointTree> m_vertexTree;
    SurfacePoints m_chosen;
    std::vector<char> m_isSmooth;
};

}  // namespace

ChosenPoints choosePoints(const OrientedSurface& surface, const SmoothSurface& smooth, const ShellOptions& options) {
    const double area = surface.areas.sum(), most = options.maximumPoints;
    double spacing = chooseSpacing(surface, smooth, options);
    double fine = 0.125 * spacing;
    if (options.edgeSpacing > 0.0) fine = std::min(fine, 0.25 * options.edgeSpacing);
    const SharpFeatures features = findFeatures(surface, smooth, fine);
    const double left = std::max(most - features.corners.count(), 0.5 * most);
    spacing = std::max(spacing, affordableSpacing(area, features.edgeLength, left));
    const double expected = pointsPerSquare * area / (spacing * spacing) + features.edgeLength / spacing;
    ChosenPoints result;
    result.samples = sampleArea(surface, smooth, static_cast<int>(std::clamp(20.0 * expected, 8000.0, 32000.0)));

    Chooser chooser(surface, features, result.samples, spacing, options.maximumPoints);
    chooser.takeCorners();
    const double side = std::sqrt(4.0 / std::sqrt(3.0) * area / surface.triangleCount());  // of an average triangle
    if (verticesStandOut(side, smallRadius(surface, smooth), spacing, surface.diagonal) &&
        features.corners.count() + features.convexVertices.count() < 0.75 * most)
        chooser.takeConvexVertices();
    chooser.takeEdges(0.5 * spacing);
    chooser.takeFaces();
    const int half = std::max(1, options.maximumPoints / 2);
    // What has more corners than points has edges everywhere: half of what corners leave is for faces, as far as edges
    // have left it.
    if (features.corners.count() > half) chooser.takeFaces(0.0, half + options.maximumPoints / 4);
    if (options.edgeSpacing > 0.0) chooser.takeEdges(0.5 * options.edgeSpacing);
    chooser.finish(result);
    return result;
}

}  // namespace pliant
