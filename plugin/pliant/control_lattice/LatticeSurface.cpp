// SPDX-License-Identifier: Zlib
#include "pliant/control_lattice/LatticeSurface.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "pliant/character/BoneCores.h"
#include "pliant/math/Error.h"

namespace pliant {
namespace {

constexpr double outside = 1e-6;  // of the mean edge: points farther out are not in the lattice

void refuseOutside(const Rig& rig, const std::vector<MaterialPoint>& points, double slack, const std::string& where) {
    std::map<int, int> outsideOf;
    for (std::size_t s = 0; s < points.size(); ++s)
        if (points[s].distance > slack) ++outsideOf[rig.weights.bones(0, static_cast<Eigen::Index>(s))];
    if (outsideOf.empty()) return;
    const auto worst = std::max_element(outsideOf.begin(), outsideOf.end(),
                                        [](const auto& a, const auto& b) { return a.second < b.second; });
    int total = 0;
    for (const auto& [bone, count] : outsideOf) total += count;
    throw Error(where + ": bone \"" + rig.skeleton.bones[static_cast<std::size_t>(worst->first)].name + "\"",
                "its limb stands out of the control lattice: " + std::to_string(worst->second) +
                    " of its skin's vertices, " + std::to_string(total) + " of the whole skin's",
                "the lattice must enclose the whole surface; move its outer vertices out");
}

}  // namespace

LatticePoints latticeSurface(const Rig& rig, const VolumeMesh& mesh, const std::vector<MaterialPoint>& points,
                             const SparseMatrix& values, const std::string& where) {
    refuseOutside(rig, points, outside * meanEdge(mesh), where);
    const Eigen::SparseMatrix<double, Eigen::RowMajor> rows = values;
    LatticePoints surface;
    surface.first.push_back(0);
    for (const MaterialPoint& point : points) {
        std::map<int, double> sum;
        for (std::size_t c = 0; c < 8; ++c)
            if (point.weight[c] != 0.0)
                for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator at(rows, point.vertex[c]); at; ++at)
                    sum[static_cast<int>(at.col())] += point.weight[c] * at.value();
        for (const auto& [function, value] : sum)
            if (std::abs(value) > 1e-14) {
                surface.functions.push_back(function);
                surface.values.push_back(value);
            }
        surface.first.push_back(static_cast<int>(surface.functions.size()));
    }
    return surface;
}

}  // namespace pliant
