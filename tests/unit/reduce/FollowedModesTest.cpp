// SPDX-License-Identifier: Zlib
// How far a reduced body moves as its mesh does: known spectra, and a bar that is given too few columns.
#include <gmock/gmock.h>

#include "InputMeshes.h"
#include "pliant/mesh/ReadVeg.h"
#include "pliant/reduce/FollowedModes.h"
#include "pliant/reduce/Reduce.h"

namespace {

using namespace pliant;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

ReducedModel withFrequencies(const std::vector<double>& mesh, const std::vector<double>& own) {
    const auto eigenvalues = [](const std::vector<double>& hertz) {
        return VectorX((2.0 * M_PI * Eigen::Map<const VectorX>(hertz.data(), static_cast<Eigen::Index>(hertz.size())))
                           .array()
                           .square());
    };
    ReducedModel model;
    model.elasticEigenvalues = eigenvalues(mesh);
    model.restEigenvalues = eigenvalues(own);
    return model;
}

TEST(FollowedModes, AreThoseBelowTheFirstThatIsATenthTooFast) {
    const FollowedModes followed = followedModes(withFrequencies({1, 2, 3, 4}, {1.05, 2.19, 3.4, 4.1, 9}));
    EXPECT_EQ(followed.count, 2);
    EXPECT_EQ(followed.known, 4);
    EXPECT_NEAR(followed.mesh, 3.0, 1e-12);
    EXPECT_NEAR(followed.model, 3.4, 1e-12);
    EXPECT_EQ(stiffnessText(followed),
              "follows the mesh's first 2 of 4 modes within 10 %; the next one is at 3 Hz, the body's at 3.4 Hz: more "
              "columns (--dim) make it less stiff there");
}

TEST(FollowedModes, AllOfThemNeedNoWord) {
    EXPECT_THAT(stiffnessText(followedModes(withFrequencies({1, 2}, {1, 2.1, 5}))), IsEmpty());
    EXPECT_THAT(stiffnessText(followedModes(withFrequencies({}, {1}))), IsEmpty()) << "imported: nothing is known";
}

TEST(FollowedModes, TooFewColumnsAreTold) {
    EXPECT_THAT(stiffnessText(followedModes(withFrequencies({1, 2}, {1}))),
                HasSubstr("the next one is at 2 Hz, for which there are too few columns (--dim)"));
    const test::InputFolder folder;
    ReduceOptions options;
    options.modes = 6;
    options.dimension = 2;
    ReductionReport report;
    writeVeg(test::lopsidedBricks(), folder.file("bar.veg"));
    const auto model = reduceFile(folder.file("bar.veg"), options, {}, &report);
    ASSERT_EQ(model->elasticEigenvalues.size(), 6);
    for (Eigen::Index j = 0; j < 2; ++j)  // Poincare's separation theorem
        EXPECT_GE(model->restEigenvalues[j], (1.0 - 1e-9) * model->elasticEigenvalues[j]);
    EXPECT_THAT(report.notes, Contains(HasSubstr("the body follows the mesh's first 0 of 6 modes within 10 %")));
    EXPECT_THAT(report.stiffness, IsEmpty()) << "the note has told it";
    options.dimension = 12;
    report = {};
    reduceFile(folder.file("bar.veg"), options, {}, &report);
    EXPECT_THAT(report.stiffness, HasSubstr("of 6 modes within 10 %"));
    EXPECT_THAT(report.notes, Not(Contains(HasSubstr("of 6 modes within 10 %")))) << "told once";
}

}  // namespace
