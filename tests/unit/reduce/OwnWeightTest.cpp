// SPDX-License-Identifier: Zlib
// Bodies that collapse under their own weight are told when they are reduced.
#include <gmock/gmock.h>

#include "InputMeshes.h"
#include "pliant/mesh/ReadVeg.h"
#include "pliant/reduce/OwnWeight.h"
#include "pliant/reduce/Reduce.h"

namespace {

using namespace pliant;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// A box of 1 m x 2 m x 3 m that stands askew in its file.
ReducedModel askewBox(double young) {
    ReducedModel model;
    model.mesh.positions = Points(3, 8);
    for (int corner = 0; corner < 8; ++corner)
        model.mesh.positions.col(corner) =
            Vector3(corner & 1 ? 0.5 : -0.5, corner & 2 ? 1.0 : -1.0, corner & 4 ? 1.5 : -1.5);
    model.meshFromBody.rotation = Eigen::AngleAxisd(0.6, Vector3(1, 1, 0.3).normalized()).toRotationMatrix();
    model.mesh.positions = (model.meshFromBody.rotation * model.mesh.positions).eval();
    ElasticMaterial material;
    material.youngsModulus = young;
    model.mesh.materials = {material};
    return model;
}

// 1 m of 1,000 kg/m^3 press with 9,810 Pa, and E / (3 sqrt(3)) = 9,810 Pa is E = 50,974 Pa.
TEST(OwnWeight, IsToldWhereTheMaterialGivesWay) {
    EXPECT_THAT(ownWeightNote(askewBox(50975.0)), IsEmpty());
    EXPECT_EQ(ownWeightNote(askewBox(1000.0)),
              "the body may be too soft to bear its own weight: a block as high as it is on its broadest side presses "
              "on its lowest layer with 9810 Pa, and its material, of 1000 Pa (young), gives way at 192.5 Pa; what "
              "collapses on the ground may go through it; a young of 5.103e+04 Pa bears it");
    EXPECT_THAT(ownWeightNote(askewBox(5.103e4)), IsEmpty()) << "the cure is one";
    EXPECT_THAT(ownWeightNote(askewBox(50970.0)), Not(IsEmpty()));
    ReducedModel held = askewBox(1000.0);
    held.fixedVertices = {0};
    EXPECT_THAT(ownWeightNote(held), IsEmpty()) << "it hangs";
    ReducedModel cored = askewBox(1000.0);
    cored.mesh.materials.push_back(askewBox(1e5).mesh.materials[0]);
    EXPECT_THAT(ownWeightNote(cored), IsEmpty()) << "a part of it may bear the rest";
}

TEST(OwnWeight, IsANoteOfTheReduction) {
    const test::InputFolder folder;
    ReduceOptions options;
    options.modes = 6;
    options.dimension = 6;
    VolumeMesh mesh = test::lopsidedBricks();
    const auto isTold = Contains(HasSubstr("may be too soft to bear its own weight"));
    for (const double young : {1e2, 1e6}) {
        for (ElasticMaterial& material : mesh.materials) material.youngsModulus = young;
        writeVeg(mesh, folder.file("bar.veg"));
        ReductionReport report;
        reduceFile(folder.file("bar.veg"), options, {}, &report);
        if (young < 1e3)
            EXPECT_THAT(report.notes, isTold);
        else
            EXPECT_THAT(report.notes, Not(isTold));
    }
}

}  // namespace
