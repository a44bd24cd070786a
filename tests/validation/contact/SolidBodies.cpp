// SPDX-License-Identifier: Zlib
#include "SolidBodies.h"

#include <unistd.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>

#include "ReducedOnce.h"

namespace pliant::test {
namespace {

struct Surface {
    std::vector<Vector3> points;
    std::vector<std::array<int, 3>> triangles;
};

std::shared_ptr<const ReducedModel> reduced(const Surface& surface, const SolidMaterial& material) {
    namespace fs = std::filesystem;
    static int number = 0;
    const fs::path file = fs::temp_directory_path() /
                          ("pliant_solid_" + std::to_string(::getpid()) + "_" + std::to_string(number++) + ".obj");
    {
        std::ofstream out(file);
        out.precision(17);
        for (const Vector3& p : surface.points) out << "v " << p.x() << ' ' << p.y() << ' ' << p.z() << '\n';
        for (const auto& t : surface.triangles) out << "f " << t[0] + 1 << ' ' << t[1] + 1 << ' ' << t[2] + 1 << '\n';
    }
    auto model = solidOfFile(file.string(), material);
    fs::remove(file);
    return model;
}

Surface icosphere(double radius, int levels) {
    const double t = (1 + std::sqrt(5.0)) / 2;
    Surface s;
    s.points = {{-1, t, 0},  {1, t, 0},  {-1, -t, 0}, {1, -t, 0}, {0, -1, t},  {0, 1, t},
                {0, -1, -t}, {0, 1, -t}, {t, 0, -1},  {t, 0, 1},  {-t, 0, -1}, {-t, 0, 1}};
    s.triangles = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                   {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                   {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
    for (int level = 0; level < levels; ++level) {
        std::map<std::pair<int, int>, int> middles;
        const auto middle = [&](int a, int b) {
            const auto key = std::minmax(a, b);
            const auto found = middles.find(key);
            if (found != middles.end()) return found->second;
            s.points.push_back(0.5 * (s.points[static_cast<std::size_t>(a)] + s.points[static_cast<std::size_t>(b)]));
            return middles[key] = static_cast<int>(s.points.size()) - 1;
        };
        std::vector<std::array<int, 3>> finer;
        for (const auto& [a, b, c] : s.triangles) {
            const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
            finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
        }
        s.triangles = finer;
        for (Vector3& p : s.points) p.normalize();
    }
    for (Vector3& p : s.points) p = radius * p.normalized();
    return s;
}

}  // namespace

std::shared_ptr<const ReducedModel> solidOfFile(const std::string& path, const SolidMaterial& material) {
    ReduceOptions options;
    options.modes = material.modes;
    options.dimension = material.dimension;
    options.youngsModulus = material.young;
    options.density = material.density;
    options.voxels = material.voxels;
    options.contact = material.contact;
    options.solid = true;
    return reducedOnce(path, options);
}

std::shared_ptr<const ReducedModel> solidBox(const Vector3& size, const SolidMaterial& material, double longest) {
    Surface s;
    for (int axis = 0; axis < 3; ++axis)
        for (int side = 0; side < 2; ++side) {
            const int u = (axis + 1) % 3, v = (axis + 2) % 3;
            const int m = longest > 0 ? std::max(1, static_cast<int>(std::ceil(size[u] / longest))) : 1;
            const int n = longest > 0 ? std::max(1, static_cast<int>(std::ceil(size[v] / longest))) : 1;
            const int first = static_cast<int>(s.points.size());
            for (int i = 0; i <= m; ++i)
                for (int j = 0; j <= n; ++j) {
                    Vector3 p;
                    p[axis] = (side - 0.5) * size[axis];
                    p[u] = (static_cast<double>(i) / m - 0.5) * size[u];
                    p[v] = (static_cast<double>(j) / n - 0.5) * size[v];
                    s.points.push_back(p);
                }
            for (int i = 0; i < m; ++i)
                for (int j = 0; j < n; ++j) {
                    const int a = first + i * (n + 1) + j, b = a + n + 1;
                    if (side == 1)
                        s.triangles.insert(s.triangles.end(), {{a, b, b + 1}, {a, b + 1, a + 1}});
                    else
                        s.triangles.insert(s.triangles.end(), {{a, b + 1, b}, {a, a + 1, b + 1}});
                }
        }
    return reduced(s, material);
}

std::shared_ptr<const ReducedModel> solidSphere(double radius, const SolidMaterial& material) {
    return reduced(icosphere(radius, 3), material);
}

std::shared_ptr<const ReducedModel> solidOfRevolution(const std::vector<std::pair<double, double>>& profile,
                                                      const SolidMaterial& material) {
    constexpr int sides = 40;
    const auto rings = static_cast<int>(profile.size()) - 2;  // the ends are on the axis
    Surface s;
    for (int ring = 1; ring <= rings; ++ring)
        for (int i = 0; i < sides; ++i) {
            const auto [radius, height] = profile[static_cast<std::size_t>(ring)];
            const double angle = 2 * 3.14159265358979323846 * i / sides;
            s.points.push_back({radius * std::cos(angle), radius * std::sin(angle), height});
        }
    const int foot = rings * sides, top = foot + 1;
    s.points.push_back({0, 0, profile.front().second});
    s.points.push_back({0, 0, profile.back().second});
    for (int i = 0; i < sides; ++i) {
        const int next = (i + 1) % sides, last = (rings - 1) * sides;
        s.triangles.insert(s.triangles.end(), {{foot, next, i}, {top, last + i, last + next}});
        for (int a = 0; a < last; a += sides)
            s.triangles.insert(s.triangles.end(),
                               {{a + i, a + next, a + sides + next}, {a + i, a + sides + next, a + sides + i}});
    }
    return reduced(s, material);
}

std::shared_ptr<const ReducedModel> solidCylinder(double radius, double length, const SolidMaterial& material,
                                                  int sides) {
    Surface s;
    for (int i = 0; i < sides; ++i)
        for (int end = 0; end < 2; ++end) {
            const double angle = 2 * 3.14159265358979323846 * i / sides;
            s.points.push_back({radius * std::cos(angle), (end - 0.5) * length, radius * std::sin(angle)});
        }
    s.points.push_back({0, -0.5 * length, 0});
    s.points.push_back({0, 0.5 * length, 0});
    for (int i = 0; i < sides; ++i) {
        const int a = 2 * i, b = 2 * ((i + 1) % sides);
        s.triangles.insert(s.triangles.end(),
                           {{a, a + 1, b + 1}, {a, b + 1, b}, {2 * sides, a, b}, {2 * sides + 1, b + 1, a + 1}});
    }
    return reduced(s, material);
}

}  // namespace pliant::test
