// SPDX-License-Identifier: Zlib
// Strands and hub as a drawn surface.
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

#include "Basket.h"

namespace basket {
namespace {

using pliant::Vector3;

constexpr double texturePeriod = 0.08;  // metres of strand per repetition of the texture

/// Collects vertices and triangles before they are copied into matrices.
struct Builder {
    struct Vertex {
        Vector3 position, normal, colour;
        double u, v;
    };
    std::vector<Vertex> vertices;
    std::vector<std::array<int, 4>> triangles;  // three corners and a material

    int add(const Vertex& vertex) {
        vertices.push_back(vertex);
        return static_cast<int>(vertices.size()) - 1;
    }
    void triangle(int a, int b, int c, int material) { triangles.push_back({a, b, c, material}); }
};

int materialOf(Part part) {
    switch (part) {
        case Part::Stake:
            return 1;
        case Part::Rim:
        case Part::Handle:
            return 2;
        default:
            return 0;
    }
}

/// A tint per strand, so that neighbours differ as grown withies do (a fixed sequence, no random numbers).
Vector3 tintOf(const Strand& strand) {
    const double wave = std::sin(12.9898 * (strand.number + 1) + 4.1 * static_cast<double>(strand.part));
    const double shade = 0.90 + 0.10 * wave;
    return Vector3(shade, shade * (0.985 + 0.015 * std::cos(7.0 * strand.number)), shade * 0.97);
}

Vector3 tangentAt(const Strand& s, std::size_t i) {
    const std::size_t n = s.centreline.size();
    if (s.closed) return (s.centreline[(i + 1) % n] - s.centreline[(i + n - 1) % n]).normalized();
    const std::size_t before = i == 0 ? 0 : i - 1, after = std::min(i + 1, n - 1);
    return (s.centreline[after] - s.centreline[before]).normalized();
}

/// One closed polygon of the tube; sides + 1 vertices, the last repeats the first with v = 1.
int addRing(Builder& out, const Strand& s, std::size_t i, int sides, double u, const Vector3& tint) {
    const Vector3 t = tangentAt(s, i);
    const Vector3 b = t.cross(s.reference).normalized();
    const Vector3 n = b.cross(t);
    int first = -1;
    for (int k = 0; k <= sides; ++k) {
        const double phi = 2.0 * pi * k / sides;
        const Vector3 normal = std::cos(phi) * n + std::sin(phi) * b;
        const int index =
            out.add({s.centreline[i] + s.radius * normal, normal, tint, u, static_cast<double>(k) / sides});
        if (k == 0) first = index;
    }
    return first;
}

void addCap(Builder& out, const Strand& s, bool atEnd, int ring, int sides, const Vector3& tint, int material) {
    const std::size_t i = atEnd ? s.centreline.size() - 1 : 0;
    const Vector3 outwards = (atEnd ? 1.0 : -1.0) * tangentAt(s, i);
    const int centre = out.add({s.centreline[i], outwards, tint, 0.5, 0.5});
    // Flat end: its corners repeat the ring's with the end's normal.
    const int first = static_cast<int>(out.vertices.size());
    for (int k = 0; k < sides; ++k) {
        Builder::Vertex corner = out.vertices[static_cast<std::size_t>(ring + k)];
        corner.normal = outwards;
        out.add(corner);
    }
    for (int k = 0; k < sides; ++k) {
        const int a = first + k, b = first + (k + 1) % sides;
        if (atEnd)
            out.triangle(centre, a, b, material);
        else
            out.triangle(centre, b, a, material);
    }
}

void addTube(Builder& out, const Strand& s, int sides) {
    const Vector3 tint = tintOf(s);
    const int material = materialOf(s.part);
    const std::size_t n = s.centreline.size(), rings = s.closed ? n + 1 : n;
    double length = 0.0, total = 0.0;
    for (std::size_t i = 0; i < (s.closed ? n : n - 1); ++i)
        total += (s.centreline[(i + 1) % n] - s.centreline[i]).norm();
    // A ring's texture must meet itself: a whole number of repetitions.
    const double scale = s.closed ? std::round(total / texturePeriod) / total : 1.0 / texturePeriod;
    int previous = -1, firstRing = -1;
    for (std::size_t i = 0; i < rings; ++i) {
        if (i > 0) length += (s.centreline[i % n] - s.centreline[i - 1]).norm();
        const int ring = addRing(out, s, i % n, sides, length * scale, tint);
        if (i == 0) firstRing = ring;
        for (int k = 0; previous >= 0 && k < sides; ++k) {
            out.triangle(previous + k, ring + k + 1, ring + k, material);
            out.triangle(previous + k, previous + k + 1, ring + k + 1, material);
        }
        previous = ring;
    }
    if (s.closed) return;
    addCap(out, s, false, firstRing, sides, tint, material);
    addCap(out, s, true, previous, sides, tint, material);
}

/// A turned wooden disc: profile points (radius, height above the floor's plane, normal's lean) swept around the z
/// axis.
void addHub(Builder& out, const Options& o, double z) {
    const double half = 1.3 * o.stakeRadius, bevel = 0.35 * half, rim = o.hubRadius;
    const double profile[6][2] = {{0.0, -half},        {rim - bevel, -half}, {rim, -half + bevel},
                                  {rim, half - bevel}, {rim - bevel, half},  {0.0, half}};
    const int around = o.stakes;
    const Vector3 tint(0.92, 0.90, 0.86);
    for (int edge = 0; edge < 5; ++edge) {
        const double* low = profile[edge];
        const double* high = profile[edge + 1];
        const double nr = high[1] - low[1], nz = low[0] - high[0], norm = std::hypot(nr, nz);
        const int first = static_cast<int>(out.vertices.size());
        for (int k = 0; k <= around; ++k) {
            const double angle = 2.0 * pi * k / around, c = std::cos(angle), s = std::sin(angle);
            for (const double* p : {low, high})
                out.add({Vector3(p[0] * c, p[0] * s, z + p[1]), Vector3(nr * c, nr * s, nz) / norm, tint,
                         p[0] * c / texturePeriod, p[0] * s / texturePeriod});
        }
        for (int k = 0; k < around; ++k) {
            const int a = first + 2 * k, b = a + 2;
            if (low[0] > 0.0) out.triangle(a, b, a + 1, 2);
            if (high[0] > 0.0) out.triangle(b, b + 1, a + 1, 2);
        }
    }
}

pliant::SurfaceMaterial makeMaterial(const char* name, const Vector3& diffuse) {
    pliant::SurfaceMaterial material;
    material.name = name;
    material.diffuse = diffuse;
    material.specular = Vector3(0.10, 0.09, 0.07);
    material.shininess = 24.0;
    material.diffuseTexture = "wicker.png";
    return material;
}

}  // namespace

pliant::SurfaceMesh makeSurface(const Basket& basket) {
    Builder out;
    for (const Strand& strand : basket.strands) addTube(out, strand, basket.options.sides);
    addHub(out, basket.options, basket.wall.floorHeight);

    pliant::SurfaceMesh mesh;
    const auto n = static_cast<Eigen::Index>(out.vertices.size());
    mesh.positions.resize(3, n);
    mesh.normals.resize(3, n);
    mesh.texcoords.resize(2, n);
    mesh.colours.resize(4, n);
    for (Eigen::Index i = 0; i < n; ++i) {
        const Builder::Vertex& vertex = out.vertices[static_cast<std::size_t>(i)];
        mesh.positions.col(i) = vertex.position;
        mesh.normals.col(i) = vertex.normal;
        mesh.texcoords.col(i) << vertex.u, vertex.v;
        mesh.colours.col(i) << vertex.colour.cast<float>(), 1.0f;
    }
    mesh.triangles.resize(3, static_cast<Eigen::Index>(out.triangles.size()));
    for (std::size_t t = 0; t < out.triangles.size(); ++t) {
        const auto& corners = out.triangles[t];
        mesh.triangles.col(static_cast<Eigen::Index>(t)) << corners[0], corners[1], corners[2];
        mesh.triangleMaterial.push_back(corners[3]);
    }
    mesh.materials = {makeMaterial("weaver", Vector3(0.80, 0.58, 0.33)),
                      makeMaterial("stake", Vector3(0.62, 0.41, 0.21)), makeMaterial("rim", Vector3(0.52, 0.31, 0.15))};
    return mesh;
}

}  // namespace basket
