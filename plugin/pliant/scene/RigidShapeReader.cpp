// SPDX-License-Identifier: Zlib
// The shapes of Bullet's own bodies in a scene file.
#include <algorithm>
#include <filesystem>
#include <map>

#include "pliant/mesh/ReadObj.h"
#include "pliant/mesh/SurfaceClosure.h"
#include "pliant/scene/HeightReader.h"
#include "pliant/scene/Placing.h"
#include "pliant/scene/RigidMoments.h"
#include "pliant/scene/RigidSurface.h"
#include "pliant/scene/SceneParts.h"

namespace pliant::scene {
namespace {

/// Size keys belong to some shapes each: a radius on a box is a mistake worth a message.
void checkShapeKeys(const CheckedYaml& block, RigidShape shape) {
    using R = RigidShape;
    static const std::map<std::string, std::vector<R>> fits = {
        {"size", {R::Box}},
        {"radius", {R::Sphere, R::Capsule, R::Cylinder, R::Cone}},
        {"height", {R::Capsule, R::Cylinder, R::Cone}},
        {"file", {R::Mesh, R::Hull, R::HeightField}},
        {"scale", {R::Mesh, R::Hull, R::HeightField}},
        {"spacing", {R::HeightField}},
        {"spheres", {R::MultiSphere}},
        {"parts", {R::Compound}},
        {"pieces", {R::Hull}}};
    for (const auto& [key, shapes] : fits)
        if (block.has(key) && std::find(shapes.begin(), shapes.end(), shape) == shapes.end())
            block.at(key).fail("\"" + key + "\" means nothing for this shape");
    if (shape == R::Mesh && block.has("mass"))
        block.at("mass").fail("a mesh has no mass: triangles have no inside",
                              "write shape: hull, of all or of its pieces");
    if (shape == R::HeightField && block.has("mass"))
        block.at("mass").fail("a height field has no mass: it has no inside", "leave the mass out");
    if (shape == R::Plane && block.has("mass"))
        block.at("mass").fail("a plane has no mass: it has no end", "leave the mass out, or write shape: box");
}

SurfaceMesh readSurfaceOf(const CheckedYaml& file, const std::string& path, const SurfaceReader& reader) {
    if (std::filesystem::path(path).extension() == ".obj") return readObj(path);
    if (!reader) file.fail("only .obj files are read here", "SceneOptions::surfaceReader reads others");
    return reader(path);
}

/// The surface of a mesh or a hull, and what is inside of it.
void readRigidSurface(const CheckedYaml& block, RigidGroup& group, RigidFiles& files) {
    const CheckedYaml file = block.at("file");
    group.file = existingFile(file, block.file());
    const auto key = std::make_tuple(group.file, group.scale, group.mass > 0.0);
    if (const auto known = files.surfaces.find(key); known != files.surfaces.end()) {
        group.mesh = known->second.mesh;
        group.inertiaOfKilogram = known->second.inertiaOfKilogram;
        return;
    }
    const auto surface = std::make_shared<SurfaceMesh>(readSurfaceOf(file, group.file, files.reader));
    if (surface->triangleCount() == 0) file.fail("\"" + group.file + "\" has no triangles");
    surface->positions *= group.scale;
    if (group.mass > 0.0) {
        const SurfaceClosure closure = examineClosure(*surface);
        if (closure.openEdges > 0)
            file.fail("\"" + group.file + "\" is not closed, " + openEdgesText(closure) + ": it has no inside to weigh",
                      "close the surface, or leave the mass out");
        const SolidMoments solid = solidMoments(*surface);
        const auto used = surface->positions(Eigen::all, usedVertices(*surface));
        const Vector3 extent = used.rowwise().maxCoeff() - used.rowwise().minCoeff();
        if (!(solid.volume > 1.0e-6 * extent.prod()))
            file.fail("\"" + group.file + "\" has no inside that could have a mass",
                      "close the surface, with its triangles outwards");
        surface->positions.colwise() -= solid.centre;
        group.inertiaOfKilogram = solid.inertia;
    }
    group.mesh = surface;
    files.surfaces.emplace(key, RigidFiles::Surface{group.mesh, group.inertiaOfKilogram});
}

/// The keys of a shape that has a few numbers. @param Part a RigidGroup or a RigidPart
template <class Part>
void readSizes(const CheckedYaml& block, Part& part) {
    if (const auto value = block.find("size")) part.size = value->vector();
    if (const auto value = block.find("radius")) part.radius = value->number();
    if (const auto value = block.find("height")) part.height = value->number();
}

constexpr std::size_t kMostShapes = 10000;  // of one body

void readSpheres(const CheckedYaml& list, RigidGroup& group) {
    for (const CheckedYaml& item : list.items()) {
        item.expectBlock("sphere_part");
        RigidPart part;
        readSizes(item, part);
        if (const auto value = item.find("position")) part.place.translation = value->vector();
        group.parts.push_back(part);
    }
    if (group.parts.empty()) list.fail("there are no spheres", "write spheres: [{position: [0, 0, 0], radius: 0.1}]");
    if (group.parts.size() > kMostShapes) list.fail("there are more than " + std::to_string(kMostShapes) + " spheres");
}

/// With the centre of mass at the origin where there is a mass.
void readParts(const CheckedYaml& list, RigidGroup& group) {
    static const RigidShape shapes[] = {RigidShape::Box, RigidShape::Sphere, RigidShape::Capsule, RigidShape::Cylinder,
                                        RigidShape::Cone};
    for (const CheckedYaml& item : list.items()) {
        item.expectBlock("rigid_part");
        RigidPart part;
        part.shape = shapes[item.at("shape").word()];
        checkShapeKeys(item, part.shape);
        readSizes(item, part);
        Vector3 position = Vector3::Zero(), rotation = Vector3::Zero();
        if (const auto value = item.find("position")) position = value->vector();
        if (const auto value = item.find("rotation")) rotation = value->vector();
        part.place = frameOf(position, rotation);
        group.parts.push_back(part);
    }
    if (group.parts.empty()) list.fail("there are no parts", "write parts: [{shape: box, size: [1, 1, 0.1]}]");
    if (group.parts.size() > kMostShapes) list.fail("there are more than " + std::to_string(kMostShapes) + " parts");
    if (group.mass == 0.0) return;
    const SolidMoments moments = momentsOf(group.parts);
    for (RigidPart& part : group.parts) part.place.translation -= moments.centre;
    group.inertiaOfKilogram = moments.inertia;
}

void readHeights(const CheckedYaml& block, RigidGroup& group, RigidFiles& files) {
    const std::string path = existingFile(block.at("file"), block.file());
    group.file = path;
    const double spacing = block.at("spacing").number();
    std::shared_ptr<const HeightTable>& heights = files.heights[{path, spacing, group.scale}];
    if (!heights) heights = std::make_shared<HeightTable>(readHeightTable(path, spacing, group.scale));
    group.heights = heights;
}

}  // namespace

void readRigidShape(const CheckedYaml& block, RigidGroup& group, RigidFiles& files) {
    group.shape = static_cast<RigidShape>(block.at("shape").word());
    checkShapeKeys(block, group.shape);
    readSizes(block, group);
    if (const auto value = block.find("scale")) group.scale = value->number();
    if (const auto value = block.find("mass")) group.mass = value->number();
    if (const auto value = block.find("pieces")) group.inPieces = value->boolean();
    if (group.shape == RigidShape::Mesh || group.shape == RigidShape::Hull) readRigidSurface(block, group, files);
    if (group.shape == RigidShape::MultiSphere) readSpheres(block.at("spheres"), group);
    if (group.shape == RigidShape::Compound) readParts(block.at("parts"), group);
    if (group.shape == RigidShape::HeightField) readHeights(block, group, files);
}

}  // namespace pliant::scene
