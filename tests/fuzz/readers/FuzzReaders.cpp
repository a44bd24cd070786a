// SPDX-License-Identifier: Zlib
// Files of others. The first byte says which reader takes the rest, in the order of the table. What a mesh reader
// accepts is written and read again, to the same bits.
#include <array>
#include <limits>

#include "../Door.h"
#include "pliant/exchange/BulletFiles.h"
#include "pliant/exchange/MatrixMarket.h"
#include "pliant/exchange/VegaFiles.h"
#include "pliant/math/Error.h"
#include "pliant/mesh/ReadObj.h"
#include "pliant/mesh/ReadSurface.h"
#include "pliant/mesh/ReadVeg.h"
#include "pliant/mesh/ReadVolume.h"
#include "pliant/mesh/WriteVtk.h"
#include "pliant/rig/gltf/ReadRig.h"

namespace {

using namespace pliant;

enum class Reader { Surface, Volume, Rig, Fixed, Matrix, Cubic, Numbers, Market };
struct Format {
    Reader reader;
    const char* file;
};
constexpr std::array<Format, 18> kFormats{{{Reader::Surface, "a.obj"},
                                           {Reader::Surface, "a.ply"},
                                           {Reader::Surface, "a.stl"},
                                           {Reader::Surface, "a.off"},
                                           {Reader::Surface, "a.gltf"},
                                           {Reader::Surface, "a.glb"},
                                           {Reader::Volume, "a.veg"},
                                           {Reader::Volume, "a.vegb"},
                                           {Reader::Volume, "a.msh"},
                                           {Reader::Volume, "a.vtk"},
                                           {Reader::Volume, "a.vtu"},
                                           {Reader::Rig, "a.gltf"},
                                           {Reader::Rig, "a.glb"},
                                           {Reader::Fixed, "a.bou"},
                                           {Reader::Matrix, "a.U"},
                                           {Reader::Cubic, "a.cub"},
                                           {Reader::Numbers, "a.bin"},
                                           {Reader::Market, "a.mtx"}}};

const fuzz::MemoryFolder& folder() {
    static const fuzz::MemoryFolder made;
    return made;
}

void surfaceAgain(const SurfaceMesh& mesh) {
    const std::string path = folder().path("again.obj");
    writeObj(mesh, path);
    const SurfaceMesh once = readObj(path);
    writeObj(once, path);
    const SurfaceMesh twice = readObj(path);
    fuzz::expect(once.positions == twice.positions, "positions are read as they were written");
    fuzz::expect(once.triangles == twice.triangles, "triangles are read as they were written");
    fuzz::expect(once.texcoords == twice.texcoords, "texture coordinates are read as they were written");
    // Normals are scaled to the length 1 as they are read: the square root, the division and the sum under the root
    // round.
    constexpr double most = 4 * std::numeric_limits<double>::epsilon();
    fuzz::expect(once.normals.cols() == twice.normals.cols() &&
                     (once.normals.size() == 0 || (once.normals - twice.normals).cwiseAbs().maxCoeff() <= most),
                 "normals are read as they were written");
}

void volumeAgain(const VolumeMesh& mesh) {
    const std::string vtu = folder().path("again.vtu"), veg = folder().path("again.veg");
    if (mesh.kind == ElementKind::Tetrahedron) {  // bricks are written for ParaView alone
        writeVtu(mesh, {}, vtu);
        const VolumeMesh asVtu = readVolume(vtu).mesh;
        fuzz::expect(asVtu.positions == mesh.positions && asVtu.elements == mesh.elements,
                     "a .vtu is read as it was written");
    }
    writeVeg(mesh, veg);
    const VolumeMesh asVeg = readVolume(veg).mesh;
    fuzz::expect(asVeg.positions == mesh.positions && asVeg.elements == mesh.elements,
                 "a .veg is read as it was written");
}

void marketAgain(const MatrixX& matrix) {
    const std::string path = folder().path("again.mtx");
    writeMatrixMarket(matrix, path);
    fuzz::expect(readMatrixMarket(path) == matrix, "a .mtx is read as it was written");
}

void readAs(Reader reader, const std::string& path, bool& accepted) {
    SurfaceMesh surface;
    VolumeMesh volume;
    switch (reader) {
        case Reader::Surface:
            surface = readSurface(path).mesh;
            break;
        case Reader::Volume:
            volume = readVolume(path).mesh;
            break;
        case Reader::Rig:
            readRig(path);
            break;
        case Reader::Fixed:
            readBou(path, 1000);
            break;
        case Reader::Matrix:
            readVegaMatrix(path);
            break;
        case Reader::Cubic:
            readCub(path);
            break;
        case Reader::Numbers:
            readBulletNumbers(path);
            break;
        case Reader::Market:
            marketAgain(readMatrixMarket(path));
            break;
    }
    accepted = true;
    if (surface.triangleCount() > 0) surfaceAgain(surface);
    if (volume.elementCount() > 0) volumeAgain(volume);
}

}  // namespace

// Assimp's glTF reader loses a few hundred bytes where it gives a broken file up. What we lose ourselves is still told.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
    return "leak:libassimp";
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static fuzz::Acceptance acceptance("readers");
    if (size < 1 || data[0] >= kFormats.size()) return 0;
    const Format& format = kFormats[data[0]];
    const std::string path = folder().write(format.file, data + 1, size - 1);
    const fuzz::MemoryLimit limit(size);
    bool accepted = false;
    try {
        readAs(format.reader, path, accepted);
    } catch (const Error& error) {
        if (accepted) fuzz::expect(false, error.what());
    }
    acceptance.note(accepted);
    return 0;
}
