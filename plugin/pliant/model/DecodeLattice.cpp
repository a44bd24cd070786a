// SPDX-License-Identifier: Zlib
#include "LatticeSection_generated.h"
#include "pliant/model/EncodeLattice.h"
#include "pliant/model/SectionReader.h"

namespace pliant {
namespace {

using Reader = SectionReader<schema::Lattice>;

void readNumbers(const Reader& reader, const schema::Doubles* stored, std::size_t count, const char* what,
                 std::vector<double>& list) {
    VectorX all;
    reader.read(stored, static_cast<Eigen::Index>(count), 1, what, all);
    list.assign(all.data(), all.data() + all.size());
}

/// Columns that ascend from 0 to the end, in each rows that ascend and exist.
void checkPattern(const Reader& reader, const std::vector<int>& outer, const std::vector<int>& inner, int size) {
    reader.require(outer.front() == 0 && outer.back() == static_cast<int>(inner.size()),
                   "columns of a matrix do not hold all of its numbers");
    for (std::size_t c = 0; c + 1 < outer.size(); ++c) {
        reader.require(outer[c] <= outer[c + 1] && outer[c + 1] <= static_cast<int>(inner.size()),
                       "a column of a matrix ends before it begins");
        for (int e = outer[c]; e < outer[c + 1]; ++e) {
            const int row = inner[static_cast<std::size_t>(e)];
            reader.require(row >= 0 && row < size, "a row of a matrix is out of range");
            reader.require(e == outer[c] || inner[static_cast<std::size_t>(e) - 1] < row,
                           "rows of a matrix do not ascend");
        }
    }
}

SparseMatrixX readSparse(const Reader& reader, const schema::SparseMatrix* stored, std::size_t size) {
    reader.require(stored != nullptr, "a matrix is missing");
    reader.require(stored->size() == size, "a matrix has a wrong size");
    std::vector<int> outer, inner;
    std::vector<double> values;
    reader.readList(stored->outer(), "the columns of a matrix", outer);
    reader.readList(stored->inner(), "the rows of a matrix", inner);
    reader.require(outer.size() == size + 1, "a matrix has a wrong number of columns");
    checkPattern(reader, outer, inner, static_cast<int>(size));
    readNumbers(reader, stored->values(), inner.size(), "the numbers of a matrix", values);
    const auto n = static_cast<Eigen::Index>(size);
    return Eigen::Map<const SparseMatrixX>(n, n, static_cast<Eigen::Index>(inner.size()), outer.data(), inner.data(),
                                           values.data());
}

LatticeOperator readForm(const Reader& reader, const schema::LatticeForm* stored) {
    reader.require(stored != nullptr, "matrices of a region are missing");
    LatticeOperator form;
    reader.readList(stored->functions(), "the functions of a region", form.functions);
    form.mass = readSparse(reader, stored->mass(), form.functions.size());
    form.stiffness = readSparse(reader, stored->stiffness(), 3 * form.functions.size());
    form.core = readSparse(reader, stored->core(), form.functions.size());
    return form;
}

/// Lists one after another. @return how many
std::size_t checkLists(const Reader& reader, const std::vector<int>& first, std::size_t entries) {
    reader.require(!first.empty() && first.front() == 0 && first.back() == static_cast<int>(entries),
                   "lists of functions do not cover all that there are");
    for (std::size_t k = 0; k + 1 < first.size(); ++k)
        reader.require(first[k] <= first[k + 1], "a list of functions ends before it begins");
    return first.size() - 1;
}

void readStrains(const Reader& reader, LatticeModel& m) {
    std::vector<int> first, functions;
    std::vector<double> gradients;
    reader.readList(reader->strain_first(), "the starts of cells", first);
    reader.readList(reader->strain_functions(), "the functions of cells", functions);
    readNumbers(reader, reader->strain_gradients(), 3 * functions.size(), "the gradients of cells", gradients);
    const std::size_t count = checkLists(reader, first, functions.size());
    for (std::size_t k = 0; k < count; ++k) {
        LatticeStrain& strain = m.strains.emplace_back();
        strain.functions.assign(functions.begin() + first[k], functions.begin() + first[k + 1]);
        strain.gradients = Eigen::Map<const Points>(gradients.data() + 3 * static_cast<std::ptrdiff_t>(first[k]), 3,
                                                    first[k + 1] - first[k]);
    }
}

}  // namespace

void decodeLattice(const ModelContainer& container, Eigen::Index surfaceVertices, LatticeModel& m) {
    const Reader reader(container, "lattice");
    const Eigen::Index N = reader.columns(reader->rest());
    const auto n = static_cast<std::size_t>(N);
    reader.read(reader->rest(), 3, N, "the functions' places", m.rest);
    reader.read(reader->unit(), N, 1, "the functions' units", m.unit);
    reader.read(reader->weight(), N, 1, "the functions' weights", m.weight);
    reader.readList(reader->level(), "the levels", m.level);
    reader.readList(reader->bone_of(), "the bones of functions", m.boneOf);
    m.mass = readSparse(reader, reader->mass(), n);
    reader.require(reader->regions() != nullptr, "the regions are missing");
    for (const schema::LatticeRegion* stored : *reader->regions()) {
        LatticeRegion region;
        region.bone = stored->bone();
        region.coreStiffness = stored->core_stiffness();
        region.cells = readForm(reader, stored->cells());
        reader.read(stored->blend(), static_cast<Eigen::Index>(region.cells.functions.size()), 1, "a blend",
                    region.blend);
        region.shared = readForm(reader, stored->shared());
        m.regions.push_back(std::move(region));
    }
    readStrains(reader, m);
    reader.require(reader->surface() != nullptr, "the points of the surface are missing");
    reader.readList(reader->surface()->first(), "the starts of points", m.surfacePoints.first);
    reader.readList(reader->surface()->functions(), "the functions of points", m.surfacePoints.functions);
    readNumbers(reader, reader->surface()->values(), m.surfacePoints.functions.size(), "the values of points",
                m.surfacePoints.values);
    reader.require(checkLists(reader, m.surfacePoints.first, m.surfacePoints.functions.size()) ==
                       static_cast<std::size_t>(surfaceVertices),
                   "not one point per vertex of the surface");
}

}  // namespace pliant
