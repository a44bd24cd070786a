// SPDX-License-Identifier: Zlib
#include "pliant/shell/MakeShell.h"

#include <algorithm>
#include <vector>

#include "pliant/math/Error.h"
#include "pliant/shell/ChoosePoints.h"
#include "pliant/shell/ShellCaps.h"

namespace pliant {

namespace {

OrientedSurface closedSurface(const SurfaceMesh& drawn) {
    OrientedSurface surface = orientSurface(drawn);
    if (surface.closed()) return surface;
    const auto number = [](double x) { return std::to_string(x); };
    const Vector3& at = surface.border;
    throw Error("surface points",
                surface.borderEdges == 0
                    ? "the surface encloses no volume"
                    : "the surface has " + std::to_string(surface.borderEdges) + " border edges, one at (" +
                          number(at.x()) + ", " + number(at.y()) + ", " + number(at.z()) + ") m",
                "close the surface");
}

/// Every point stands for the samples that it covers, and for one at least: where points lie closer to each other than
/// samples do, one takes the nearest sample of another that has several.
VectorX areaShares(const ChosenPoints& chosen, double area) {
    std::vector<int> owner = chosen.nearest, count(static_cast<std::size_t>(chosen.points.count()), 0);
    for (const int point : owner) ++count[static_cast<std::size_t>(point)];
    for (int point = 0; point < chosen.points.count(); ++point) {
        if (count[static_cast<std::size_t>(point)] > 0) continue;
        const VectorX distance2 =
            (chosen.samples.positions.colwise() - chosen.points.positions.col(point)).colwise().squaredNorm();
        int nearest = -1;
        for (int i = 0; i < distance2.size(); ++i)
            if (count[static_cast<std::size_t>(owner[static_cast<std::size_t>(i)])] > 1 &&
                (nearest < 0 || distance2[i] < distance2[nearest]))
                nearest = i;
        if (nearest < 0) continue;  // fewer samples than points
        --count[static_cast<std::size_t>(owner[static_cast<std::size_t>(nearest)])];
        owner[static_cast<std::size_t>(nearest)] = point;
        count[static_cast<std::size_t>(point)] = 1;
    }
    VectorX areas(chosen.points.count());
    for (int i = 0; i < areas.size(); ++i)
        areas[i] = area / chosen.samples.count() * count[static_cast<std::size_t>(i)];
    return areas;
}

/// The median over even samples of the surface.
double thicknessOf(const OrientedSurface& surface, const SurfacePoints& samples) {
    constexpr int wanted = 500;
    const int step = std::max(1, samples.count() / wanted);
    SurfacePoints some;
    for (int i = step / 2; i < samples.count(); i += step)
        some.add(surface, samples.triangles[static_cast<std::size_t>(i)], samples.weights.col(i),
                 samples.normals.col(i));
    some.trim();
    VectorX radii = inscribedRadii(surface, samples, some);
    const auto middle = radii.data() + radii.size() / 2;
    std::nth_element(radii.data(), middle, radii.data() + radii.size());
    return *middle;
}

}  // namespace

ShellPoints makeShell(const SurfaceMesh& drawn, const ShellOptions& options) {
    if (options.maximumPoints < 1) throw Error("surface points", "at most 0 points are allowed", "allow at least 1");
    const OrientedSurface surface = closedSurface(drawn);
    const SmoothSurface smooth = smoothSurface(surface);
    ChosenPoints chosen = choosePoints(surface, smooth, options);
    const SurfacePoints& points = chosen.points;

    ShellPoints shell;
    shell.areas = areaShares(chosen, surface.areas.sum());
    const VectorX inscribed = inscribedRadii(surface, chosen.samples, points);
    const ShellCaps caps =
        findCaps(surface, smooth, chosen.samples, points, chosen.isSmooth, inscribed, chosen.spacing);
    shell.capRadii = caps.radii;
    shell.capAngles = caps.angles;
    shell.spacing = chosen.spacing;
    shell.thickness = thicknessOf(surface, chosen.samples);
    shell.corners.resize(3, points.count());
    for (int i = 0; i < points.count(); ++i)
        shell.corners.col(i) = surface.drawn.col(points.triangles[static_cast<std::size_t>(i)]);
    shell.weights = std::move(chosen.points.weights);
    shell.positions = std::move(chosen.points.positions);
    shell.normals = std::move(chosen.points.normals);
    return shell;
}

}  // namespace pliant
