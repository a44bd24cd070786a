// SPDX-License-Identifier: Zlib
#include "pliant/polynomial/ReduceDamping.h"

#include "pliant/math/EigenvalueSolver.h"
#include "pliant/math/Error.h"
#include "pliant/polynomial/GramMatrix.h"
#include "pliant/polynomial/StrainMixes.h"

namespace pliant {
namespace {

void checkViscosity(const Matrix6& C, const std::string& material) {
    const std::string where = "viscosity of material \"" + material + "\"";
    const double scale = C.cwiseAbs().maxCoeff();
    if (!C.allFinite()) throw Error(where, "it is not finite");
    if ((C - C.transpose()).cwiseAbs().maxCoeff() > 1e-9 * scale) throw Error(where, "it is not symmetric");
    const EigenvalueSolver solver(Eigen::MatrixXd(C), Eigen::EigenvaluesOnly);
    const double smallest = solver.eigenvalues()[0];
    if (smallest < -1e-12 * scale)
        throw Error(where, "its smallest eigenvalue is " + std::to_string(smallest) + " Pa s: it would feed energy in",
                    "isotropic: psi >= 0 and 3 phi + 2 psi >= 0");
}

}  // namespace

Matrix6 isotropicViscosity(double phi, double psi) {
    Matrix6 C = Matrix6::Zero();
    C.topLeftCorner<3, 3>().setConstant(phi);
    C.diagonal().head<3>().array() += 2.0 * psi;
    C.diagonal().tail<3>().setConstant(psi);
    return C;
}

StrainRateDamping reduceDamping(const VolumeMesh& mesh, const MatrixX& basis, const std::vector<Matrix6>& viscosity,
                                const ProgressCallback& progress) {
    if (basis.rows() != 3 * Eigen::Index(mesh.vertexCount()) || basis.cols() < 1)
        throw Error("damping", "the basis has " + std::to_string(basis.rows()) + " rows for " +
                                   std::to_string(mesh.vertexCount()) + " vertices");
    if (viscosity.size() != mesh.materials.size())
        throw Error("damping", std::to_string(viscosity.size()) + " viscosities for " +
                                   std::to_string(mesh.materials.size()) + " materials");
    const StrainSamples samples(mesh, basis);
    StrainRateDamping damping;
    damping.r = static_cast<int>(basis.cols());
    damping.gram = MatrixX::Zero(samples.monomials(), samples.monomials());
    int done = 0;
    for (std::size_t m = 0; m < viscosity.size(); ++m) {
        checkViscosity(viscosity[m], mesh.materials[m].name);
        std::vector<int> elements;
        for (int e = 0; e < mesh.elementCount(); ++e)
            if (mesh.elementMaterial[static_cast<std::size_t>(e)] == static_cast<int>(m)) elements.push_back(e);
        damping.gram += gramMatrices(samples, elements, {materialMix(mesh.kind, viscosity[m])}, [&](int now) {
                            reportProgress(progress, "damping", double(done + now) / mesh.elementCount());
                        }).front();
        done += static_cast<int>(elements.size());
    }
    for (Eigen::Index column = 1; column < damping.gram.cols(); ++column)
        damping.gram.col(column).head(column) = damping.gram.row(column).head(column).transpose();
    reportProgress(progress, "damping", 1.0);
    return damping;
}

}  // namespace pliant
