// SPDX-License-Identifier: Zlib
#include <fmt/format.h>

#include "models/SingleFileText.h"
#include "pliant/math/Error.h"
#include "pliant/mesh/ReadSurface.h"
#include "pliant/mesh/ReadVolume.h"
#include "pliant/model/ReducedModel.h"
#include "pliant/reduce/UpAxis.h"

namespace pliant::program {
namespace {

/// What the scene needs to know of a body before it is reduced.
struct Body {
    BoundingBox box;  ///< m, in the scene's axes
    bool isHeld = false;
    bool isPlain = true;  ///< one colour, no texture: copies may be told apart by colours of their own
};

bool isPlain(const SurfaceMesh& surface) {
    for (const SurfaceMaterial& material : surface.materials)
        if (!material.diffuseTexture.empty() || material.embeddedTexture) return false;
    return surface.materials.size() <= 1;
}

Body bodyOf(const ReducedModel& model) {
    const RigidTransform& place = model.meshFromBody;
    return {boundingBox((place.rotation * model.surface.positions).colwise() + place.translation), model.anchored,
            isPlain(model.surface)};
}

Body bodyOf(const SingleFile& single) {
    const std::string& file = single.file;
    if (isReducedModel(file)) {
        if (!single.up.empty() || !single.units.empty())
            throw Error(file, "--up and --units are for meshes: a reduced model knows both",
                        "give them to pliant reduce");
        return bodyOf(*loadModel(file));
    }
    const UpAxis up = single.up == "x" ? UpAxis::X : single.up == "y" ? UpAxis::Y : UpAxis::Z;
    const Matrix3 upright = zUpFrom(up);
    const double metres = single.units.empty() ? 1.0 : metresPerUnit(single.units);
    if (isVolumeFile(file)) return {boundingBox(upright * readVolume(file, metres).mesh.positions), false, true};
    const SurfaceMesh mesh = readSurface(file, metres).mesh;
    return {boundingBox(upright * mesh.positions), false, isPlain(mesh)};
}

std::string modelText(const SingleFile& single, const std::string& name) {
    std::string how;
    if (!single.up.empty()) how += ", up: " + single.up;
    if (!single.units.empty()) how += ", units: " + single.units;
    if (!how.empty()) how = fmt::format(", reduce: {{{}}}", how.substr(2));
    return fmt::format("models: {{body: {{file: \"{}\"{}}}}}\n", name, how);
}

/// Three layers of four copies, each above the gaps of the one below it, turned by chance, and so far apart that they
/// cannot touch at the start.
std::string fallingBodies(const Body& body) {
    const double diagonal = (body.box.upper - body.box.lower).norm(), spacing = 1.05 * diagonal;
    std::string text = "bodies:\n";
    for (int layer = 0; layer < 3; ++layer) {
        const double aside = layer % 2 == 0 ? 0.0 : 0.3 * spacing;
        const Vector3 place = Vector3(aside, aside, (0.7 + layer) * spacing) - 0.5 * (body.box.lower + body.box.upper);
        text += fmt::format(
            "  - {{model: body, name: layer{0}, position: [{1:.6g}, {2:.6g}, {3:.6g}], jitter: {{rotation: 40, seed: "
            "{0}}},\n"
            "     grid: {{count: [2, 2, 1], spacing: {4:.6g}}}{5}}}\n",
            layer + 1, place[0], place[1], place[2], spacing,
            body.isPlain ? ", colours: [[0.7, 0.22, 0.07], [0.75, 0.5, 0.12], [0.15, 0.32, 0.55], [0.5, 0.5, 0.46]]"
                         : "");
    }
    return text + "ground: {colour: [0.2, 0.22, 0.2]}\n";
}

}  // namespace

std::string bodyText(const SingleFile& single, const std::string& name) {
    const Body body = bodyOf(single);
    const std::string text = "time: {duration: 5, frames_per_second: 30, substeps: 8}\n" + modelText(single, name);
    if (!body.isHeld) return text + fallingBodies(body);
    return text + "bodies: [{model: body, name: body}]\n" + fallingBalls(body.box);
}

}  // namespace pliant::program
