// SPDX-License-Identifier: Zlib
#include "pliant/model/EncodeContactSurface.h"

#include "pliant/model/SectionWriter.h"

namespace pliant {
namespace {

SectionBytes encodeShell(const ContactSurface& surface) {
    flatbuffers::FlatBufferBuilder b;
    const auto normals = put(b, surface.shell.normals), radii = put(b, surface.shell.capRadii);
    const auto angles = put(b, surface.shell.capAngles), areas = put(b, surface.shell.areas);
    return finish(b, "shell", schema::CreateShell(b, normals, radii, angles, areas, surface.thickness));
}

SectionBytes encodeLattice(const ContactLattice& lattice) {
    flatbuffers::FlatBufferBuilder b;
    const auto origin = put(b, lattice.origin);
    const auto cells = put(b, lattice.cells), numbers = put(b, lattice.cellNumbers);
    const auto places = put(b, lattice.cellPlaces), vertices = put(b, lattice.cellVertices);
    const auto basis = put(b, lattice.basis);
    return finish(b, "contact_lattice",
                  schema::CreateContactLattice(b, origin, lattice.spacing, cells, numbers, places, vertices, basis));
}

SectionBytes encodeTouchShell(const DenseShell& shell) {
    flatbuffers::FlatBufferBuilder b;
    const auto positions = put(b, shell.positions), areas = put(b, shell.areas);
    return finish(b, "touch_shell", schema::CreateTouchShell(b, positions, areas, shell.levels));
}

}  // namespace

void encodeContactSurface(const ContactSurface& surface, std::vector<SectionBytes>& sections) {
    if (surface.exists() || surface.shell.count() > 0) sections.push_back(encodeShell(surface));
    if (surface.lattice.cellCount() > 0) sections.push_back(encodeLattice(surface.lattice));
    if (surface.touch.count() > 0) sections.push_back(encodeTouchShell(surface.touch));
}

}  // namespace pliant
