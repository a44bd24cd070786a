// SPDX-License-Identifier: Zlib
#include "pliant/exchange/ExportModel.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "pliant/exchange/BulletFiles.h"
#include "pliant/exchange/VegaFiles.h"
#include "pliant/fem/FullModel.h"
#include "pliant/math/Error.h"
#include "pliant/math/Frequency.h"
#include "pliant/mesh/ReadObj.h"
#include "pliant/mesh/ReadVeg.h"
#include "pliant/mesh/TextFile.h"
#include "pliant/mesh/WriteVtk.h"

namespace pliant {
namespace {

namespace fs = std::filesystem;

/// "mode_01 3.42 Hz"
std::string numbered(const char* what, Eigen::Index number) {
    char text[32];
    std::snprintf(text, sizeof text, "%s_%02d", what, static_cast<int>(number + 1));
    return text;
}

std::string frequencyText(double eigenvalue) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4g Hz", hertz(eigenvalue));
    return text;
}

/// A file of this name in the folder, noted in `written`.
class OutputFolder {
public:
    OutputFolder(const std::string& folder, const std::string& name)
        : m_folder(folder.empty() ? "." : folder), m_name(name.empty() ? "model" : name) {
        std::error_code failure;
        fs::create_directories(m_folder, failure);
        if (failure || !fs::is_directory(m_folder, failure))
            throw Error(m_folder.string(), "this folder cannot be made", "choose another output");
    }
    std::string named(const std::string& name) { return m_written.emplace_back((m_folder / name).string()); }
    std::string ending(const std::string& ending) { return named(m_name + ending); }
    const std::vector<std::string>& written() const { return m_written; }

private:
    fs::path m_folder;
    std::string m_name;
    std::vector<std::string> m_written;
};

SurfaceMesh surfaceInMeshFrame(const ReducedModel& model) {
    SurfaceMesh surface = model.surface;
    const RigidTransform& frame = model.meshFromBody;
    surface.positions = (frame.rotation * surface.positions).colwise() + frame.translation;
    surface.normals = frame.rotation * surface.normals;
    return surface;
}

template <typename Basis>
MatrixX rotated(const Basis& basis, const Matrix3& rotation) {
    MatrixX result(basis.rows(), basis.cols());
    for (Eigen::Index row = 0; row < basis.rows(); row += 3)
        result.template middleRows<3>(row) = rotation * basis.template middleRows<3>(row).template cast<double>();
    return result;
}

void writeBou(const std::vector<int>& vertices, const std::string& path) {
    std::string text;
    for (std::size_t i = 0; i < vertices.size(); ++i)
        text += std::to_string(vertices[i] + 1) + ((i + 1) % 8 == 0 || i + 1 == vertices.size() ? ",\n" : ",");
    writeTextFile(path, text);
}

/// Mass that each vertex stands for, kg: row sums of the consistent mass matrix.
VectorX vertexMasses(const VolumeMesh& mesh) {
    const FullModel full(mesh);
    const VectorX sums = full.massMatrix() * VectorX::Ones(full.degreesOfFreedom());
    VectorX masses(mesh.vertexCount());
    for (Eigen::Index v = 0; v < masses.size(); ++v) masses[v] = sums[3 * v];
    return masses;
}

}  // namespace

MatrixX meshBasis(const ReducedModel& model) {
    return rotated(model.basis, model.meshFromBody.rotation);
}

std::vector<std::string> exportVega(const ReducedModel& model, const std::string& folder) {
    OutputFolder output(folder, model.name);
    writeVeg(model.mesh, output.ending(".veg"));
    writeCub(model.energy, output.ending(".cub"));
    writeVegaMatrix(meshBasis(model), output.ending(".U"));
    writeObj(surfaceInMeshFrame(model), output.ending(".obj"));
    writeVegaMatrixFloat(rotated(model.surfaceBasis, model.meshFromBody.rotation), output.ending(".URendering.float"));
    MatrixX frequencies(model.elasticEigenvalues.size(), 1);
    for (Eigen::Index k = 0; k < frequencies.rows(); ++k) frequencies(k, 0) = hertz(model.elasticEigenvalues[k]);
    if (frequencies.rows() > 0) writeVegaMatrix(frequencies, output.ending(".freq"));
    if (model.anchored) writeBou(model.fixedVertices, output.ending(".bou"));
    return output.written();
}

void exportVtu(const ReducedModel& model, const std::string& path) {
    const MatrixX U = meshBasis(model), modes = U * model.restEigenvectors;
    std::vector<VertexField> fields;
    for (Eigen::Index j = 0; j < modes.cols(); ++j)
        fields.push_back({numbered("mode", j) + " " + frequencyText(model.restEigenvalues[j]), modes.col(j)});
    for (Eigen::Index j = 0; j < U.cols(); ++j) fields.push_back({numbered("basis", j), U.col(j)});
    writeVtu(model.mesh, fields, path);
}

std::vector<std::string> exportBullet(const ReducedModel& model, const std::string& folder) {
    OutputFolder output(folder, model.name);
    const MatrixX modes = meshBasis(model) * model.restEigenvectors;
    const VectorX& eigenvalues = model.restEigenvalues;
    const VectorX ones = VectorX::Ones(eigenvalues.size()), masses = vertexMasses(model.mesh);
    const auto write = [&](const auto& values, const char* name) {
        writeBulletNumbers(values.data(), static_cast<std::size_t>(values.size()), output.named(name));
    };
    write(eigenvalues, "eigenvalues.bin");
    write(eigenvalues, "K_r_diag_mat.bin");
    write(ones, "M_r_diag_mat.bin");
    write(modes, "modes.bin");
    write(masses, "M_diag_mat.bin");
    writeVtk(tetrahedraOf(model.mesh), output.ending(".vtk"));
    return output.written();
}

}  // namespace pliant
