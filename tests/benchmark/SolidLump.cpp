// SPDX-License-Identifier: Zlib
// solid_lump OUT.obj: a closed lump without any symmetry, 20 cm, 10,242 vertices: what a reduction is measured with. An
// icosahedron, divided five times and pushed in and out along its radius by a few smooth waves.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <utility>
#include <vector>

namespace {

using Point = std::array<double, 3>;
using Corners = std::array<int, 3>;

struct Surface {
    std::vector<Point> points;  // of length 1
    std::vector<Corners> triangles;
};

Point normalised(const Point& p) {
    const double length = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    return {p[0] / length, p[1] / length, p[2] / length};
}

Surface icosahedron() {
    const double g = 0.5 * (1.0 + std::sqrt(5.0));
    Surface s;
    for (const Point& p :
         {Point{-1, g, 0}, Point{1, g, 0}, Point{-1, -g, 0}, Point{1, -g, 0}, Point{0, -1, g}, Point{0, 1, g},
          Point{0, -1, -g}, Point{0, 1, -g}, Point{g, 0, -1}, Point{g, 0, 1}, Point{-g, 0, -1}, Point{-g, 0, 1}})
        s.points.push_back(normalised(p));
    s.triangles = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                   {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                   {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
    return s;
}

Surface divided(const Surface& coarse) {
    Surface fine{coarse.points, {}};
    std::map<std::pair<int, int>, int> middles;
    const auto middle = [&](int a, int b) {
        const auto [entry, isNew] =
            middles.try_emplace(std::pair<int, int>(std::minmax(a, b)), static_cast<int>(fine.points.size()));
        if (isNew) {
            const Point &p = coarse.points[static_cast<std::size_t>(a)],
                        &q = coarse.points[static_cast<std::size_t>(b)];
            fine.points.push_back(normalised({p[0] + q[0], p[1] + q[1], p[2] + q[2]}));
        }
        return entry->second;
    };
    for (const auto& [a, b, c] : coarse.triangles) {
        const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
        for (const Corners& t : {Corners{a, ab, ca}, Corners{b, bc, ab}, Corners{c, ca, bc}, Corners{ab, bc, ca}})
            fine.triangles.push_back(t);
    }
    return fine;
}

/// Metres from the middle in the direction p.
double radius(const Point& p) {
    return 0.1 * (1.0 + 0.12 * std::sin(2.3 * p[0] + 0.7) * std::cos(3.1 * p[1]) + 0.1 * std::sin(2.9 * p[2] - 1.1) -
                  0.08 * p[0] * p[1] + 0.06 * std::cos(4.7 * p[0] + 2.0 * p[2]));
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) return std::fprintf(stderr, "usage: solid_lump OUT.obj\n"), 1;
    Surface lump = icosahedron();
    for (int i = 0; i < 5; ++i) lump = divided(lump);
    std::FILE* file = std::fopen(argv[1], "w");
    if (!file) return std::fprintf(stderr, "solid_lump: %s cannot be written\n", argv[1]), 1;
    for (const Point& p : lump.points) {
        const double r = radius(p);
        std::fprintf(file, "v %.9g %.9g %.9g\n", r * p[0], r * p[1], r * p[2]);
    }
    for (const auto& [a, b, c] : lump.triangles) std::fprintf(file, "f %d %d %d\n", a + 1, b + 1, c + 1);
    return std::fclose(file) == 0 ? 0 : 1;
}
