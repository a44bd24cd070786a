// SPDX-License-Identifier: Zlib
#include "Revolved.h"

#include <cmath>

#include "pliant/mesh/SurfaceNormals.h"

namespace solids {
namespace {

using pliant::Vector3;

/// Makes the rings of vertices of a shape and the triangles between them.
class Rings {
public:
    explicit Rings(const Revolved& shape) : m_shape(shape) {
        const int points = static_cast<int>(shape.profile.size());
        for (int i = 0; i < points; ++i) addRing(i);
        const bool closed = !isPole(0);
        for (int i = 0; i + (closed ? 0 : 1) < points; ++i) addBand(i, (i + 1) % points);
    }

    std::vector<Vector3> positions;
    std::vector<Eigen::Vector3i> triangles;
    std::vector<int> materials;

private:
    const Vector2& point(int i) const { return m_shape.profile[static_cast<std::size_t>(i)]; }
    bool isPole(int i) const { return point(i).x() == 0; }

    /// Into the shape, across the profile.
    Vector2 inward(int i) const {
        const int n = static_cast<int>(m_shape.profile.size());
        const Vector2 along = (point((i + 1) % n) - point((i + n - 1) % n)).normalized();
        return {-along.y(), along.x()};
    }

    void addRing(int i) {
        m_starts.push_back(static_cast<int>(positions.size()));
        if (isPole(i)) {
            positions.emplace_back(0, 0, point(i).y());
            return;
        }
        const Vector2 in = inward(i);
        for (int s = 0; s < m_shape.segments; ++s) {
            const double angle = 2.0 * 3.14159265358979323846 * s / m_shape.segments;
            const Vector2 p = m_shape.depth ? Vector2(point(i) + m_shape.depth(point(i), angle) * in) : point(i);
            positions.emplace_back(p.x() * std::cos(angle), p.x() * std::sin(angle), p.y());
        }
    }

    int vertex(int ring, int segment) const {
        return m_starts[static_cast<std::size_t>(ring)] + (isPole(ring) ? 0 : segment % m_shape.segments);
    }

    void addBand(int i, int next) {
        const int material = m_shape.materialAt(0.5 * (point(i) + point(next)));
        const auto add = [&](int a, int b, int c) {
            if (a == b || b == c || c == a) return;
            triangles.emplace_back(a, b, c);
            materials.push_back(material);
        };
        for (int s = 0; s < m_shape.segments; ++s) {
            const int a = vertex(i, s), b = vertex(i, s + 1), c = vertex(next, s + 1), d = vertex(next, s);
            add(a, b, c);
            add(a, c, d);
        }
    }

    const Revolved& m_shape;
    std::vector<int> m_starts;
};

}  // namespace

pliant::SurfaceMesh surfaceOf(const Revolved& shape) {
    Rings rings(shape);
    pliant::SurfaceMesh mesh;
    mesh.positions.resize(3, static_cast<Eigen::Index>(rings.positions.size()));
    for (std::size_t v = 0; v < rings.positions.size(); ++v)
        mesh.positions.col(static_cast<Eigen::Index>(v)) = rings.positions[v];
    mesh.triangles.resize(3, static_cast<Eigen::Index>(rings.triangles.size()));
    for (std::size_t t = 0; t < rings.triangles.size(); ++t)
        mesh.triangles.col(static_cast<Eigen::Index>(t)) = rings.triangles[t];
    mesh.triangleMaterial = rings.materials;
    mesh.texcoords.resize(2, 0);
    mesh.colours.resize(4, 0);
    mesh.materials = shape.materials;
    pliant::computeNormals(mesh);
    return mesh;
}

}  // namespace solids
