// SPDX-License-Identifier: Zlib
// Flesh, weights and materials that are unlike those of the samples: what is made of them, or what is said.
#include <gmock/gmock.h>

#include "BarLattice.h"
#include "SampleLattice.h"
#include "pliant/control_lattice/LatticeTies.h"
#include "pliant/control_lattice/MakeControlLattice.h"
#include "pliant/math/Error.h"

namespace pliant::test {
namespace {

using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::Not;

template <class Work>
std::string saidBy(Work work) {
    try {
        work();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

/// The mass of the flesh, and that of the parts that regions share.
std::pair<double, double> masses(const LatticeModel& model) {
    double shared = 0.0;
    for (const LatticeRegion& region : model.regions) {
        VectorX unit(static_cast<Eigen::Index>(region.shared.functions.size()));
        for (Eigen::Index k = 0; k < unit.size(); ++k)
            unit[k] = model.unit[region.shared.functions[static_cast<std::size_t>(k)]];
        shared += unit.dot(region.shared.mass * unit);
    }
    return {model.unit.dot(model.mass * model.unit), shared};
}

/// The lower bone has weight on its own line alone, so that no cell is whole in it.
TEST(LatticeFlesh, OfBonesWithoutAWholeCellIsThatOfTheOthers) {
    const VolumeMesh mesh = barMesh(0.1);
    LatticeOptions options = barLatticeOptions(mesh);
    for (Eigen::Index v = 0; v < mesh.positions.cols(); ++v) {
        const Vector3 x = mesh.positions.col(v);
        const bool onLine = x.tail<2>().norm() < 1e-9 && x.x() > 0.55;
        options.vertexWeights.row(v) << (onLine ? 0.0 : 1.0), (onLine ? 1.0 : 0.0);
    }
    const auto model = makeLatticeModel(barRig(mesh), barLattice(mesh), options, "bar");
    ASSERT_EQ(model->regions.size(), 1u);
    EXPECT_EQ(model->regions[0].bone, 0);
    const auto [whole, shared] = masses(*model);
    EXPECT_NEAR(whole, 40.0, 1e-6);
    EXPECT_NEAR(shared, whole, 1e-9 * whole);
}

TEST(LatticeFlesh, VerticesWithoutWeightsAreNamed) {
    const VolumeMesh mesh = barMesh(0.1);
    LatticeOptions options = barLatticeOptions(mesh);
    const auto make = [&] { makeLatticeModel(barRig(mesh), barLattice(mesh), options, "bar.vtu"); };
    options.vertexWeights.row(7).setZero();
    EXPECT_THAT(saidBy(make), HasSubstr("bar.vtu: vertex 7: it has no weight for any bone"));
    for (const double wrong : {-0.1, std::nan("")}) {
        options.vertexWeights.row(7) << 0.5, wrong;
        EXPECT_THAT(saidBy(make), HasSubstr("bar.vtu: vertex 7: its weights for the bones are not all numbers"));
    }
    options.vertexWeights.row(7) << 3.0, 0.0;  // shares, whatever their sum
    EXPECT_EQ(saidBy(make), "");
}

/// A bar whose end is a fin of 4 mm between planes of vertices, or as thick as the rest.
std::vector<std::string> notesOfFin(double thickness) {
    BeamShape shape;
    shape.length = 1.4;
    shape.nx = 28;
    shape.ny = shape.nz = 4;
    shape.width = shape.height = 0.2;
    VolumeMesh fine = beamMesh(shape);
    fine.positions.bottomRows<2>().array() -= halfWidth;
    Rig rig = barRig(fine);
    for (Eigen::Index v = 0; v < rig.surface.positions.cols(); ++v)
        if (thickness < 0.2 && rig.surface.positions(0, v) > 1.01)
            rig.surface.positions(2, v) = 0.025 + thickness * (rig.surface.positions(2, v) / 0.2);
    shape.nx = 14;
    shape.ny = shape.nz = 2;
    VolumeMesh coarse = beamMesh(shape);
    coarse.positions.bottomRows<2>().array() -= halfWidth;
    LatticeOptions options;
    options.core = 0.5;
    options.depth = 1;
    LatticeReport report;
    makeLatticeModel(rig, barLattice(coarse), options, "fin.vtu", &report);
    return report.notes;
}

TEST(LatticeFlesh, ThatIsTooThinForItsCellsIsTold) {
    EXPECT_THAT(notesOfFin(0.004), Contains(HasSubstr("of the skin of \"lower\" cells hold no flesh")));
    EXPECT_THAT(notesOfFin(0.2), Each(Not(HasSubstr("hold"))));
}

/// Three vertices with flesh span no space for a fourth that has none.
TEST(LatticeFlesh, NothingIsTiedToWhatDoesNotSpanSpace) {
    const ControlLattice lattice = oneCell(CellKind::Tetrahedron);
    const LatticeHierarchy hierarchy = makeHierarchy(lattice, {}, 0, 1);
    SparseMatrix mass(4, 4);
    for (int a = 1; a < 4; ++a) mass.insert(a, a) = 1.0;
    EXPECT_THAT(saidBy([&] { tieLightFunctions(lattice, hierarchy, mass, VectorX::Ones(4), {}, "cell.vtu"); }),
                HasSubstr("cell.vtu: vertex 0: it has nearly no flesh around it"));
}

/// All cells are of the second material: nothing is of the first, however heavy and stiff it is.
TEST(LatticeFlesh, IsOfTheMaterialsOfItsCells) {
    const VolumeMesh mesh = barMesh(0.1);
    const ControlLattice lattice = barLattice(mesh);
    LatticeOptions options = barLatticeOptions(mesh);
    const auto known = makeLatticeModel(barRig(mesh), lattice, options, "bar");
    ElasticMaterial other = options.material;
    other.density *= 1e7;
    other.youngsModulus *= 100.0;
    options.materials = {other, options.material};
    options.cellMaterial.assign(lattice.cells.size(), 1);
    LatticeReport report;
    const auto made = makeLatticeModel(barRig(mesh), lattice, options, "bar", &report);
    EXPECT_EQ(report.tied, 0);
    ASSERT_EQ(made->regions.size(), known->regions.size());
    for (std::size_t i = 0; i < made->regions.size(); ++i)
        EXPECT_NEAR(made->regions[i].coreStiffness, known->regions[i].coreStiffness,
                    1e-9 * known->regions[i].coreStiffness);
}

/// Every stage asks whether to go on.
TEST(LatticeFlesh, TellsItsStagesAndStops) {
    const VolumeMesh mesh = barMesh(0.1);
    const Rig rig = barRig(mesh);
    ControlLatticeOptions making;
    making.spacing = 0.2;  // coarse, for it is made six times
    std::vector<std::string> stages;
    const auto make = [&](const ProgressCallback& progress) {
        const ControlLattice lattice = makeControlLattice(rig, making, "bar", progress);
        makeLatticeModel(rig, lattice, LatticeOptions(), "bar", nullptr, progress);
    };
    make([&](const std::string& stage, double fraction) {
        EXPECT_GE(fraction, 0.0);
        EXPECT_LE(fraction, 1.0);
        if (stages.empty() || stages.back() != stage) stages.push_back(stage);
        return true;
    });
    EXPECT_THAT(stages, testing::ElementsAre("lattice", "lattice cut", "lattice weights", "lattice regions",
                                             "lattice surface"));
    for (const std::string& last : stages)
        EXPECT_THROW(make([&](const std::string& stage, double) { return stage != last; }), Cancelled) << last;
}

}  // namespace
}  // namespace pliant::test
