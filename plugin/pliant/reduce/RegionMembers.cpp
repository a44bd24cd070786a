// SPDX-License-Identifier: Zlib
#include "pliant/reduce/RegionMembers.h"

#include <algorithm>
#include <cstdio>
#include <set>

#include "pliant/math/Error.h"
#include "pliant/mesh/CheckVolumeMesh.h"
#include "pliant/mesh/ElementShape.h"
#include "pliant/mesh/MeshSize.h"
#include "pliant/mesh/TextFile.h"
#include "pliant/mesh/voxels/TouchedBricks.h"
#include "pliant/reduce/FourDigits.h"

namespace pliant {
namespace {

using Members = std::vector<bool>;

std::size_t countOf(const Members& members) {
    return static_cast<std::size_t>(std::count(members.begin(), members.end(), true));
}

BoundingBox boxOf(const RegionSpace& space) {
    return boundingBox(space.outline ? space.outline->positions : space.mesh.positions);
}

std::string pointText(const Vector3& x) {
    return "(" + fourDigits(x[0]) + ", " + fourDigits(x[1]) + ", " + fourDigits(x[2]) + ")";
}

/// Where the body is and how fine, in the units of the regions.
std::string extent(const RegionSpace& space) {
    const BoundingBox box = boxOf(space);
    std::string text = "the body reaches from " + pointText(box.lower / space.metresPerUnit) + " to " +
                       pointText(box.upper / space.metresPerUnit);
    if (space.outline)
        text += " in bricks of " + fourDigits(fitBrick(elementCorners(space.mesh, 0)).sides[0] / space.metresPerUnit);
    return text;
}

/// Positions against a region in metres: those beyond the input's bounding box count as on it.
Members inside(const RegionSpace& space, BodyRegion region, const Points& positions) {
    const std::size_t lengths = region.kind == RegionKind::HalfSpace ? 3 : 0;  // a normal has no unit
    for (std::size_t i = lengths; i < region.numbers.size(); ++i) region.numbers[i] *= space.metresPerUnit;
    const BoundingBox box = boxOf(space);
    const double slack = 1e-9 * (box.upper - box.lower).norm();
    Members members(static_cast<std::size_t>(positions.cols()));
    for (Eigen::Index i = 0; i < positions.cols(); ++i) {
        const Vector3 x = positions.col(i);
        members[static_cast<std::size_t>(i)] = region.holds(x.cwiseMax(box.lower).cwiseMin(box.upper), slack);
    }
    return members;
}

[[noreturn]] void failForName(const RegionSpace& space, const BodyRegion& region, const std::set<std::string>& known) {
    const std::string kind = region.kind == RegionKind::Group ? "group" : "material";
    std::string list;
    for (const std::string& name : known) list += (list.empty() ? "" : ", ") + name;
    throw Error("region \"" + region.text() + "\"", space.input + " has no " + kind + " of that name",
                list.empty() ? "it has no " + kind + "s: name a box, a sphere or a half space"
                             : "its " + kind + "s are: " + list);
}

/// Triangles of the surface with the name of a material, an object or a group.
Members namedTriangles(const RegionSpace& space, const BodyRegion& region) {
    const SurfaceMesh& surface = *space.outline;
    Members wanted(static_cast<std::size_t>(surface.triangleCount()), false);
    std::set<std::string> known;
    for (std::size_t t = 0; t < wanted.size(); ++t) {
        std::vector<std::string> names;
        if (region.kind == RegionKind::Material)
            names = {surface.materials[static_cast<std::size_t>(surface.triangleMaterial[t])].name};
        else if (!surface.triangleGroup.empty())
            names = surface.groupNames[static_cast<std::size_t>(surface.triangleGroup[t])];
        wanted[t] = std::find(names.begin(), names.end(), region.name) != names.end();
        known.insert(names.begin(), names.end());
    }
    if (countOf(wanted) == 0) failForName(space, region, known);
    return wanted;
}

Members namedElements(const RegionSpace& space, const BodyRegion& region) {
    if (space.outline) return touchedBricks(space.mesh, *space.outline, namedTriangles(space, region), space.thickness);
    Members members(static_cast<std::size_t>(space.mesh.elementCount()), false);
    std::set<std::string> known;
    for (std::size_t e = 0; e < members.size() && region.kind == RegionKind::Material; ++e) {
        const std::string& name = space.mesh.materials[static_cast<std::size_t>(space.mesh.elementMaterial[e])].name;
        members[e] = name == region.name;
        known.insert(name);
    }
    if (countOf(members) == 0) failForName(space, region, known);
    return members;
}

bool isNamed(const BodyRegion& region) {
    return numberCount(region.kind) == 0;
}

Members verticesIn(const RegionSpace& space, const BodyRegion& region) {
    if (!isNamed(region)) return inside(space, region, space.mesh.positions);
    const Members elements = namedElements(space, region);
    Members members(static_cast<std::size_t>(space.mesh.vertexCount()), false);
    for (int e = 0; e < space.mesh.elementCount(); ++e)
        if (elements[static_cast<std::size_t>(e)])
            for (int c = 0; c < space.mesh.cornersPerElement(); ++c)
                members[static_cast<std::size_t>(space.mesh.elements(c, e))] = true;
    return members;
}

Members bricksIn(const RegionSpace& space, const BodyRegion& region) {
    if (isNamed(region)) return namedElements(space, region);
    Points centres(3, space.mesh.elementCount());
    for (int e = 0; e < space.mesh.elementCount(); ++e)
        centres.col(e) = 0.5 * (space.mesh.positions.col(space.mesh.elements(0, e)) +
                                space.mesh.positions.col(space.mesh.elements(6, e)));
    return inside(space, region, centres);
}

}  // namespace

std::vector<int> heldVertices(const RegionSpace& space, const std::vector<BodyRegion>& regions) {
    const auto n = static_cast<std::size_t>(space.mesh.vertexCount());
    Members all(n, false);
    std::string texts;
    for (const BodyRegion& region : regions) {
        const std::string where = "region \"" + region.text() + "\"";
        const Members members = verticesIn(space, region);
        if (countOf(members) == 0)
            throw Error(where, "it holds no vertex of the simulation mesh: " + extent(space), "move or enlarge it");
        for (std::size_t v = 0; v < n; ++v) all[v] = all[v] || members[v];
        texts += (texts.empty() ? "" : ", ") + where;
    }
    if (countOf(all) == n)
        throw Error(texts, "every one of the " + std::to_string(n) + " vertices would be held: " + extent(space),
                    "leave some of them free");
    std::vector<int> held;
    for (std::size_t v = 0; v < n; ++v)
        if (all[v]) held.push_back(static_cast<int>(v));
    return held;
}

namespace {

ElasticMaterial materialOf(const MaterialRegion& region, ElasticMaterial material) {
    material.name = region.name;
    material.youngsModulus = region.youngsModulus.value_or(material.youngsModulus);
    material.poissonRatio = region.poissonRatio.value_or(material.poissonRatio);
    material.density = region.density.value_or(material.density);
    return material;
}

bool sameConstants(const ElasticMaterial& a, const ElasticMaterial& b) {
    return a.youngsModulus == b.youngsModulus && a.poissonRatio == b.poissonRatio && a.density == b.density;
}

/// Number of the region's material in `mesh`, added where it is new.
int materialNumber(const MaterialRegion& region, VolumeMesh& mesh) {
    const ElasticMaterial material = materialOf(region, mesh.materials.front());
    for (std::size_t i = 0; i < mesh.materials.size(); ++i) {
        if (mesh.materials[i].name != material.name) continue;
        if (i > 0 && sameConstants(mesh.materials[i], material)) return static_cast<int>(i);
        throw Error("region \"" + region.text() + "\"",
                    "there is another material \"" + material.name + "\" with other constants", "rename one of them");
    }
    checkMaterial(material, "region \"" + region.text() + "\"");
    mesh.materials.push_back(material);
    return static_cast<int>(mesh.materials.size()) - 1;
}

/// Takes out materials that no element has.
void dropUnused(VolumeMesh& mesh) {
    std::vector<int> number(mesh.materials.size(), -1);
    for (const int m : mesh.elementMaterial) number[static_cast<std::size_t>(m)] = 0;
    std::vector<ElasticMaterial> used;
    for (std::size_t i = 0; i < number.size(); ++i) {
        if (number[i] < 0) continue;
        number[i] = static_cast<int>(used.size());
        used.push_back(mesh.materials[i]);
    }
    mesh.materials = std::move(used);
    for (int& m : mesh.elementMaterial) m = number[static_cast<std::size_t>(m)];
}

}  // namespace

void setRegionMaterials(const RegionSpace& space, const std::vector<MaterialRegion>& regions, VolumeMesh& mesh) {
    if (regions.empty()) return;
    std::vector<int> last(mesh.elementMaterial.size(), -1);  // region that each brick belongs to
    for (std::size_t r = 0; r < regions.size(); ++r) {
        const std::string where = "region \"" + regions[r].text() + "\"";
        const Members members = bricksIn(space, regions[r].where);
        if (countOf(members) == 0)
            throw Error(where, "it holds the centre of no brick: " + extent(space), "move or enlarge it");
        if (countOf(members) == members.size())
            throw Error(where,
                        "it holds every one of the " + std::to_string(members.size()) + " bricks: " + extent(space),
                        "give its constants to the body, or make the region smaller");
        const int material = materialNumber(regions[r], mesh);
        for (std::size_t e = 0; e < members.size(); ++e) {
            if (!members[e]) continue;
            last[e] = static_cast<int>(r);
            mesh.elementMaterial[e] = material;
        }
    }
    for (std::size_t r = 0; r < regions.size(); ++r)
        if (std::find(last.begin(), last.end(), static_cast<int>(r)) == last.end())
            throw Error("region \"" + regions[r].text() + "\"", "later regions hold every one of its bricks",
                        "name it after them, or leave it out");
    dropUnused(mesh);
}

}  // namespace pliant
