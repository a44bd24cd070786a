// SPDX-License-Identifier: Zlib
#include "pliant/model/EncodeLattice.h"

#include "LatticeSection_generated.h"
#include "pliant/model/SectionWriter.h"

namespace pliant {
namespace {

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

Offset<schema::Doubles> putNumbers(FlatBufferBuilder& b, const std::vector<double>& values) {
    return put(b, &schema::CreateDoubles, values.data(), static_cast<Eigen::Index>(values.size()), 1);
}

Offset<schema::SparseMatrix> putSparse(FlatBufferBuilder& b, SparseMatrixX matrix) {
    matrix.makeCompressed();
    const auto outer = put(b, &schema::CreateIntegers, matrix.outerIndexPtr(), matrix.cols() + 1, 1);
    const auto inner = put(b, &schema::CreateIntegers, matrix.innerIndexPtr(), matrix.nonZeros(), 1);
    const auto values = put(b, &schema::CreateDoubles, matrix.valuePtr(), matrix.nonZeros(), 1);
    return schema::CreateSparseMatrix(b, static_cast<std::uint32_t>(matrix.cols()), outer, inner, values);
}

Offset<schema::LatticeForm> putForm(FlatBufferBuilder& b, const LatticeOperator& form) {
    const auto functions = put(b, form.functions);
    const auto mass = putSparse(b, form.mass), stiffness = putSparse(b, form.stiffness), core = putSparse(b, form.core);
    return schema::CreateLatticeForm(b, functions, mass, stiffness, core);
}

}  // namespace

SectionBytes encodeLattice(const LatticeModel& m) {
    FlatBufferBuilder b;
    std::vector<Offset<schema::LatticeRegion>> regions;
    for (const LatticeRegion& region : m.regions) {
        const auto cells = putForm(b, region.cells);
        const auto blend = put(b, region.blend);
        const auto shared = putForm(b, region.shared);
        regions.push_back(schema::CreateLatticeRegion(b, region.bone, region.coreStiffness, cells, blend, shared));
    }
    std::vector<int> first{0}, functions;
    std::vector<double> gradients;
    for (const LatticeStrain& strain : m.strains) {
        functions.insert(functions.end(), strain.functions.begin(), strain.functions.end());
        gradients.insert(gradients.end(), strain.gradients.data(), strain.gradients.data() + strain.gradients.size());
        first.push_back(static_cast<int>(functions.size()));
    }
    const auto rest = put(b, m.rest), unit = put(b, m.unit);
    const auto level = put(b, m.level), boneOf = put(b, m.boneOf);
    const auto mass = putSparse(b, m.mass);
    const auto weight = put(b, m.weight);
    const auto list = b.CreateVector(regions);
    const auto strainFirst = put(b, first), strainFunctions = put(b, functions);
    const auto strainGradients = putNumbers(b, gradients);
    const auto pointFirst = put(b, m.surfacePoints.first), pointFunctions = put(b, m.surfacePoints.functions);
    const auto pointValues = putNumbers(b, m.surfacePoints.values);
    const auto surface = schema::CreateLatticePoints(b, pointFirst, pointFunctions, pointValues);
    return finish(b, "lattice",
                  schema::CreateLattice(b, rest, unit, level, boneOf, mass, weight, list, strainFirst, strainFunctions,
                                        strainGradients, surface));
}

}  // namespace pliant
