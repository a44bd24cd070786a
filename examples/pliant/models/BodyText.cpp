// SPDX-License-Identifier: Zlib
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <array>

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

const char* const coloursOfCopies[] = {"[0.7, 0.22, 0.07]", "[0.75, 0.5, 0.12]", "[0.15, 0.32, 0.55]",
                                       "[0.5, 0.5, 0.46]"};

/// `rotation` of scenes: about x, then y, then z, degrees.
Matrix3 turnBy(const std::array<double, 3>& degrees) {
    Matrix3 turn = Matrix3::Identity();
    for (int axis = 0; axis < 3; ++axis)
        turn = Eigen::AngleAxisd(degrees[static_cast<std::size_t>(axis)] * 3.14159265358979323846 / 180.0,
                                 Vector3::Unit(axis)) *
               turn;
    return turn;
}

/// Scenes take places up to 100 km from their origin: bodies that are larger have their numbers in another unit.
void refuseBeyondScenes(const Body& body, const std::string& file) {
    constexpr double farthest = 1e5;
    const double needed =
        0.5 * (body.box.lower + body.box.upper).norm() + 3.0 * (body.box.upper - body.box.lower).norm();
    if (!(needed > farthest)) return;
    const Vector3 size = body.box.upper - body.box.lower;
    throw Error(file,
                fmt::format("it measures {:.4g} x {:.4g} x {:.4g} m and lies {:.4g} m from its origin; scenes reach "
                            "100 km",
                            size[0], size[1], size[2], 0.5 * (body.box.lower + body.box.upper).norm()),
                isReducedModel(file)
                    ? "make the model again: pliant reduce --units mm (or cm, in, ...), of a mesh at its origin"
                    : "say what its numbers are: --units mm (or cm, in, ...), or move it to its origin");
}

/// The copies of fallingBodies() one by one, each turned about its middle: chance turns about the file's origin, which
/// carries bodies whose middle is elsewhere towards each other.
std::string fallingOneByOne(const Body& body) {
    const double spacing = 1.05 * (body.box.upper - body.box.lower).norm();
    const Vector3 middle = 0.5 * (body.box.lower + body.box.upper);
    std::string text =
        "# The mesh's middle is not its origin, about which `rotation` turns: each copy has its own place.\nbodies:\n";
    for (int copy = 0; copy < 12; ++copy) {
        const int layer = copy / 4;
        const double aside = layer % 2 == 0 ? 0.0 : 0.3;
        const std::array<double, 3> turn{double(copy * 29 % 61 - 30), double(copy * 17 % 61 - 30),
                                         double(copy * 41 % 61 - 30)};
        const Vector3 place =
            spacing * Vector3(aside + copy % 2 - 0.5, aside + copy / 2 % 2 - 0.5, 0.7 + layer) - turnBy(turn) * middle;
        text += fmt::format(
            "  - {{model: body, name: copy{}, position: [{:.12g}, {:.12g}, {:.12g}], rotation: [{}, {}, {}]{}}}\n",
            copy + 1, place[0], place[1], place[2], turn[0], turn[1], turn[2],
            body.isPlain ? fmt::format(", colours: [{}]", coloursOfCopies[copy % 4]) : "");
    }
    return text;
}

/// Three layers of four copies, each above the gaps of the one below it, turned by chance, and so far apart that they
/// cannot touch at the start.
std::string fallingBodies(const Body& body) {
    const double diagonal = (body.box.upper - body.box.lower).norm(), spacing = 1.05 * diagonal;
    const std::string ground = "ground: {colour: [0.2, 0.22, 0.2]}\n";
    // A turn of 40 degrees moves a middle by 0.68 of how far it is from the origin, and that of the next body, too;
    // their spheres are 0.05 of the diagonal apart.
    if ((body.box.lower + body.box.upper).norm() > 0.07 * diagonal) return fallingOneByOne(body) + ground;
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
    return text + ground;
}

}  // namespace

std::string bodyText(const SingleFile& single, const std::string& name) {
    const Body body = bodyOf(single);
    refuseBeyondScenes(body, single.file);
    const std::string text = "time: {duration: 5, frames_per_second: 30, substeps: 8}\n" + modelText(single, name);
    if (!body.isHeld) return text + fallingBodies(body);
    return text + "bodies: [{model: body, name: body}]\n" + fallingBalls(body.box);
}

}  // namespace pliant::program
