// SPDX-License-Identifier: Zlib
#include "pliant/model/DecodeModel.h"
#include "pliant/model/SectionReader.h"

namespace pliant {
namespace {

void decodeShell(const ModelContainer& container, ContactSurface& surface) {
    const SectionReader<schema::Shell> section(container, "shell");
    const Eigen::Index b = section.columns(section->normals());
    section.read(section->normals(), 3, b, "the normals", surface.shell.normals);
    section.read(section->cap_radii(), b, 1, "the cap radii", surface.shell.capRadii);
    section.read(section->cap_angles(), b, 1, "the cap angles", surface.shell.capAngles);
    section.read(section->areas(), b, 1, "the areas", surface.shell.areas);
    surface.thickness = section->thickness();
}

void decodeLattice(const ModelContainer& container, Eigen::Index r, ContactLattice& lattice) {
    const SectionReader<schema::ContactLattice> section(container, "contact_lattice");
    section.read(section->origin(), 3, 1, "the origin", lattice.origin);
    lattice.spacing = section->spacing();
    section.read(section->cells(), 3, 1, "the number of cells", lattice.cells);
    Matrix<int, Eigen::Dynamic, 1> numbers;
    section.read(section->cell_numbers(), section.rows(section->cell_numbers()), 1, "the cell numbers", numbers);
    lattice.cellNumbers.assign(numbers.data(), numbers.data() + numbers.size());
    const Eigen::Index c = section.columns(section->cell_vertices()), rows = section.rows(section->basis());
    section.read(section->cell_places(), 3, c, "the places", lattice.cellPlaces);
    section.read(section->cell_vertices(), 8, c, "the vertices", lattice.cellVertices);
    section.require(rows % 3 == 0, "the basis has no whole number of vertices");
    section.read(section->basis(), rows, r, "the basis", lattice.basis);
}

void decodeTouchShell(const ModelContainer& container, DenseShell& shell) {
    const SectionReader<schema::TouchShell> section(container, "touch_shell");
    const Eigen::Index n = section.columns(section->positions());
    section.read(section->positions(), 3, n, "the positions", shell.positions);
    section.read(section->areas(), 3, n, "the areas", shell.areas);
    shell.levels = section->levels();
}

}  // namespace

void decodeContactSurface(const ModelContainer& container, const ModelSizes& sizes, ReducedModel& model) {
    if (container.has("shell")) decodeShell(container, model.contactSurface);
    if (container.has("contact_lattice")) decodeLattice(container, sizes.dimension, model.contactSurface.lattice);
    if (container.has("touch_shell")) decodeTouchShell(container, model.contactSurface.touch);
}

}  // namespace pliant
