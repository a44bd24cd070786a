// SPDX-License-Identifier: Zlib
// Bases of free bodies from files of others: rigid motion is taken out, what is elastic stays what it was.
#include "SpoiledBasis.h"

namespace {

using namespace pliant;
using pliant::test::errorOf;
using pliant::test::lopsidedBricks;
using pliant::test::sampleModel;
using pliant::test::Spoiling;
using pliant::test::TemporaryFolder;
using pliant::test::writeSpoiled;
using testing::HasSubstr;

class FreeBasis : public ::testing::Test {
protected:
    ImportedModel imported(const Spoiling& spoiling) const { return importVega(writeSpoiled(m_folder, spoiling)); }

    /// Mean-axis conditions, U'MU = 1 and the nine elastic columns' span.
    void expectElastic(const ReducedModel& model) const {
        const MatrixX U = pliant::meshBasis(model), E = pliant::meshBasis(*sampleModel(false));
        const SparseMatrix& M = m_full.massMatrix();
        ASSERT_EQ(U.cols(), E.cols());
        EXPECT_LT((rigidModes(m_full).transpose() * (M * U)).cwiseAbs().maxCoeff(), 1e-10);
        EXPECT_LT((U.transpose() * (M * U) - MatrixX::Identity(9, 9)).cwiseAbs().maxCoeff(), 1e-10);
        EXPECT_LT((U - E * (E.transpose() * (M * U))).norm(), 1e-9 * U.norm());
        EXPECT_LT(model.inertia.translation.norm(), 1e-9 * std::sqrt(model.totalMass()));
    }

    /// Largest error of the energy against the full model's, relative, for deformations of this size.
    double energyError(const ReducedModel& model, double size) const {
        const MatrixX U = pliant::meshBasis(model);
        double worst = 0.0;
        for (int seed = 0; seed < 4; ++seed) {
            VectorX q = VectorX::LinSpaced(U.cols(), -1.0, 0.3 * seed - 0.2).array().cos();
            q *= size / (U * q).cwiseAbs().maxCoeff();
            const double exact = m_full.energy(U * q);
            worst = std::max(worst, std::abs(model.energy.energy(q) / exact - 1.0));
        }
        return worst;
    }

    TemporaryFolder m_folder;
    FullModel m_full{lopsidedBricks()};
};

TEST_F(FreeBasis, SlidingIsTakenOutExactly) {
    const ImportedModel it = imported({true, false, false});
    expectElastic(*it.model);
    EXPECT_LT(energyError(*it.model, 0.1), 1e-9);
    EXPECT_THAT(it.notes, testing::Contains(HasSubstr("held rigid motion")));
    EXPECT_THAT(it.notes, testing::Contains(HasSubstr("its energy stays exact")));
}

TEST_F(FreeBasis, TurningIsTakenOutExactlyWhereTheBasisHoldsItByItself) {
    const ImportedModel it = imported({true, true, true});
    expectElastic(*it.model);
    EXPECT_LT(energyError(*it.model, 0.1), 1e-9);
    EXPECT_THAT(it.notes, testing::Contains(HasSubstr("3 columns with it; its energy stays exact")));
}

TEST_F(FreeBasis, OtherTurningIsTakenOutToFirstOrder) {
    const ImportedModel it = imported({true, true, false});
    expectElastic(*it.model);
    EXPECT_THAT(it.notes, testing::Contains(HasSubstr("exact for small deformations")));
    const double small = energyError(*it.model, 1e-4), half = energyError(*it.model, 5e-5);
    EXPECT_LT(small, 0.02);
    EXPECT_NEAR(std::log2(small / half), 1.0, 0.3);  // the error is of third order in a quadratic energy
    EXPECT_GT(energyError(*it.model, 0.1), 10.0 * small) << "nothing was turned";
}

TEST_F(FreeBasis, MeanAxisBasesAreLeftAlone) {
    const ImportedModel it = imported({false, false, false});
    expectElastic(*it.model);
    EXPECT_THAT(it.notes, testing::Not(testing::Contains(HasSubstr("rigid motion"))));
}

TEST_F(FreeBasis, RigidMotionAloneIsRefused) {
    const VegaImport files = writeSpoiled(m_folder, {});
    writeVegaMatrix(rigidModes(m_full), files.basis);
    StrainEnergyPolynomial none;
    none.linearStiffness = MatrixX::Zero(6, 6);
    none.cubic = VectorX::Zero(static_cast<Eigen::Index>(StrainEnergyPolynomial::cubicCount(6)));
    none.quartic = VectorX::Zero(static_cast<Eigen::Index>(StrainEnergyPolynomial::quarticCount(6)));
    writeCub(none, files.cub);
    EXPECT_THAT(errorOf([&] { importVega(files); }), HasSubstr("rigid motion alone"));
}

}  // namespace
