// SPDX-License-Identifier: Zlib
#include "pliant/shell/MakeSurfaceSkeleton.h"

#include "pliant/math/Error.h"

namespace pliant {

namespace {

/// Displacement of the shell points per unit q in the body frame, 3b x r: as the corners of their triangles move.
MatrixXf shellBasis(const ShellPoints& shell, const std::vector<MaterialPoint>& embedding, const ReducedModel& model) {
    const Eigen::Index b = shell.count();
    std::vector<MaterialPoint> corners;
    for (Eigen::Index i = 0; i < b; ++i)
        for (int k = 0; k < 3; ++k) corners.push_back(embedding[static_cast<std::size_t>(shell.corners(k, i))]);
    const MatrixX rows = interpolateBasis(corners, model.basis);
    MatrixXf basis(3 * b, model.basis.cols());
    for (Eigen::Index i = 0; i < b; ++i)
        basis.middleRows<3>(3 * i) =
            (shell.weights(0, i) * rows.middleRows<3>(9 * i) + shell.weights(1, i) * rows.middleRows<3>(9 * i + 3) +
             shell.weights(2, i) * rows.middleRows<3>(9 * i + 6))
                .cast<float>();
    return basis;
}

}  // namespace

void makeSurfaceSkeleton(const SurfaceMesh& surface, const std::vector<MaterialPoint>& embedding,
                         const ShellOptions& options, ReducedModel& model) {
    if (embedding.size() != static_cast<std::size_t>(surface.vertexCount()))
        throw Error("surface points", "the surface does not follow the simulation mesh yet");
    const ShellPoints shell = makeShell(surface, options);
    const Matrix3 toBody = model.meshFromBody.rotation.transpose();
    const int b = shell.count();
    ContactSkeleton& skeleton = model.skeleton;
    skeleton.restCentres = (toBody * (shell.positions.colwise() - model.meshFromBody.translation)).cast<float>();
    skeleton.radii = VectorXf::Zero(b);
    skeleton.basis = shellBasis(shell, embedding, model);
    skeleton.segments.resize(2, b);
    for (int i = 0; i < b; ++i) skeleton.segments.col(i).setConstant(i);
    PointShell& stored = model.contactSurface.shell;
    stored.normals = (toBody * shell.normals).cast<float>();
    stored.capRadii = shell.capRadii.cast<float>();
    stored.capAngles = shell.capAngles.cast<float>();
    stored.areas = shell.areas.cast<float>();
    model.contactSurface.thickness = shell.thickness;
}

}  // namespace pliant
