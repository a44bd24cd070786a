// SPDX-License-Identifier: Zlib
#include "pliant/mesh/ReadSurface.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "pliant/math/Error.h"
#include "pliant/mesh/FileExtension.h"
#include "pliant/mesh/ReadObj.h"
#include "pliant/mesh/TextFile.h"
#include "pliant/mesh/formats/RepairSurface.h"
#include "pliant/mesh/formats/SurfaceFormats.h"
#include "pliant/rig/import/ImportFile.h"

namespace pliant {

namespace {

/// What a process of its own reads.
const std::vector<std::string>& childExtensions() {
    static const std::vector<std::string> all{".fbx", ".dae", ".x"};
    return all;
}

SurfaceMesh readByExtension(const std::string& path, std::vector<std::string>& notes) {
    const std::string extension = lowerExtension(path);
    if (extension == ".obj") return readObj(path, &notes);
    if (extension == ".off") return triangulated(readOff(path), path);
    if (extension == ".stl") return triangulated(readStl(path), path);
    if (extension == ".ply") return triangulated(readPly(path, notes), path);
    if (extension == ".gltf" || extension == ".glb") return triangulated(readGltf(path, notes), path);
    if (hasExtension(path, childExtensions())) {
        const import::Imported imported = import::importFile(path, import::Wanted::Surface);
        notes.insert(notes.end(), imported.notes.begin(), imported.notes.end());
        return triangulated(readGlb(imported.glb, path, notes), path);
    }
    throw Error(path, "files that end in '" + extension + "' are no surfaces that can be read",
                "give one of " + listed(surfaceExtensions()));
}

/// A .obj has computed normals by now: its text tells whether it had some.
bool hasOwnNormals(const std::string& path, const SurfaceMesh& mesh) {
    if (lowerExtension(path) != ".obj") return mesh.normals.cols() > 0;
    const std::string text = readTextFile(path);
    const std::vector<std::string_view> lines = splitLines(text);
    return std::any_of(lines.begin(), lines.end(), [](std::string_view line) {
        line = trimmed(line);
        return line.substr(0, 3) == "vn " || line.substr(0, 3) == "vn\t";
    });
}

/// Exporters disagree about which way round transparency counts, and bodies that nobody sees are wanted by nobody.
/// Beside parts that are seen, what is not seen is meant so: hulls for collision, and helpers.
void showInvisible(SurfaceMesh& mesh, const std::string& path, std::vector<std::string>& notes) {
    const std::set<int> used(mesh.triangleMaterial.begin(), mesh.triangleMaterial.end());
    std::string names;
    bool isSeen = false;
    for (const int k : used) {
        const SurfaceMaterial& material = mesh.materials.at(static_cast<std::size_t>(k));
        isSeen = isSeen || material.opacity > 0.0;
        if (!(material.opacity > 0.0)) names += (names.empty() ? "\"" : ", \"") + material.name + "\"";
    }
    if (names.empty()) return;
    notes.push_back(path + ": " + names + ": wholly transparent in the file, " +
                    (isSeen ? "and not seen" : "where nothing would be seen; drawn opaque"));
    if (isSeen) return;
    for (const int k : used) mesh.materials[static_cast<std::size_t>(k)].opacity = 1.0;
}

/// Many materials of a file may lack the same texture: told once.
void tellOnce(std::vector<std::string>& notes) {
    std::set<std::string> told;
    std::vector<std::string> once;
    for (std::string& note : notes)
        if (told.insert(note).second) once.push_back(std::move(note));
    notes = std::move(once);
}

}  // namespace

SurfaceFile readSurface(const std::string& path, double metresPerUnit) {
    if (!(std::isfinite(metresPerUnit) && metresPerUnit > 0.0))
        throw Error(path, "a unit of " + std::to_string(metresPerUnit) + " m", "give a positive length");
    SurfaceFile file;
    file.mesh = readByExtension(path, file.notes);
    file.hasNormals = hasOwnNormals(path, file.mesh);
    showInvisible(file.mesh, path, file.notes);
    if (metresPerUnit != 1.0) file.mesh.positions *= metresPerUnit;  // before repairs, which tell of metres
    const std::vector<std::string> repaired = repairSurface(file.mesh, file.hasNormals, path);
    file.notes.insert(file.notes.end(), repaired.begin(), repaired.end());
    tellOnce(file.notes);
    return file;
}

bool isSurfaceFile(const std::string& path) {
    return hasExtension(path, surfaceExtensions());
}

const std::vector<std::string>& surfaceExtensions() {
    static const std::vector<std::string> all{".obj", ".ply", ".stl", ".off", ".gltf", ".glb", ".fbx", ".dae", ".x"};
    return all;
}

}  // namespace pliant
