// SPDX-License-Identifier: Zlib
#include "pliant/exchange/ImportBullet.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "pliant/exchange/AssembleModel.h"
#include "pliant/exchange/BulletFiles.h"
#include "pliant/exchange/FitBasis.h"
#include "pliant/exchange/ShortNumber.h"
#include "pliant/math/Error.h"
#include "pliant/mesh/FileExtension.h"
#include "pliant/mesh/FilesThere.h"
#include "pliant/mesh/MeshTopology.h"
#include "pliant/mesh/ReadSurface.h"
#include "pliant/mesh/ReadVeg.h"
#include "pliant/mesh/ReadVolume.h"
#include "pliant/mesh/TextFile.h"

namespace pliant {
namespace {

namespace fs = std::filesystem;

/// The .vtk of the folder; where there are several, not the one for drawing.
std::string findMesh(const std::string& folder) {
    std::vector<std::string> found;
    for (const fs::path& entry : files::listed(folder))
        if (lowerExtension(entry.string()) == ".vtk") found.push_back(entry.string());
    const auto isVisual = [](const std::string& path) {
        return fs::path(path).filename().string().find("visual") != std::string::npos;
    };
    if (found.size() > 1) found.erase(std::remove_if(found.begin(), found.end(), isVisual), found.end());
    if (found.size() == 1) return found.front();
    throw Error(
        folder,
        found.empty() ? std::string("there is no .vtk in this folder") : "there are several .vtk in this folder",
        "name the mesh");
}

class BulletImporter {
public:
    BulletImporter(const BulletImport& files, const ProgressCallback& progress)
        : m_files(files), m_progress(progress) {}

    ImportedModel run() {
        reportProgress(m_progress, "mesh", 0.0);
        readModes();
        readMesh();
        reportProgress(m_progress, "mesh", 1.0);
        readMasses();
        fillMaterial();
        describe();
        ImportedModel result;
        result.model = assembleModel(std::move(m_parts), m_progress, m_notes);
        result.notes = std::move(m_notes);
        return result;
    }

private:
    std::string file(const char* name) const { return (fs::path(m_files.folder) / name).string(); }

    void readModes() {
        const std::string stiffnessFile = file("K_r_diag_mat.bin"), eigenvalueFile = file("eigenvalues.bin"),
                          modeFile = file("modes.bin");
        const VectorX stiffness = readBulletNumbers(stiffnessFile), eigenvalues = readBulletNumbers(eigenvalueFile);
        m_modes = readBulletNumbers(modeFile);
        if (stiffness.size() != eigenvalues.size())
            throw Error(stiffnessFile,
                        "it has r = " + std::to_string(stiffness.size()) + ", " + eigenvalueFile +
                            " has r = " + std::to_string(eigenvalues.size()),
                        "give files of one model");
        const Eigen::Index all = stiffness.size();
        if (m_modes.size() % (3 * all) != 0)
            throw Error(
                modeFile,
                std::to_string(m_modes.size()) + " numbers are no " + std::to_string(all) + " modes of whole vertices",
                "give files of one model");
        if (m_files.modes < 0 || m_files.modes > all)
            throw Error(m_files.folder,
                        "has " + std::to_string(all) + " modes, " + std::to_string(m_files.modes) + " are asked for");
        m_rows = m_modes.size() / all;
        const Eigen::Index r = m_files.modes > 0 ? m_files.modes : all;
        constexpr Eigen::Index maxModes = 200;
        if (r > maxModes)
            throw Error(m_files.folder, "has " + std::to_string(r) + " modes", "ask for the first 200 or fewer");
        // Masses scale the modes: U'MU stays 1 when modes shrink as the root of the mass grows.
        const double scale = m_files.stiffnessScale / m_files.massScale;
        if (!(std::isfinite(scale) && scale > 0.0 && m_files.massScale > 0.0))
            throw Error("", "stiffness or masses are scaled by a number that is not positive");
        m_parts.energy.linearStiffness = (scale * stiffness.head(r)).asDiagonal();
        const auto count = static_cast<std::size_t>(r);
        m_parts.energy.cubic.setZero(static_cast<Eigen::Index>(StrainEnergyPolynomial::cubicCount(count)));
        m_parts.energy.quartic.setZero(static_cast<Eigen::Index>(StrainEnergyPolynomial::quarticCount(count)));
        m_parts.eigenvalues = scale * eigenvalues.head(r);
    }

    void readMesh() {
        if (m_files.mesh.empty())
            m_meshFile = findMesh(m_files.folder);
        else
            m_meshFile = m_files.mesh;
        m_volume = readVolume(m_meshFile);
        m_notes = m_volume.notes;
        m_parts.mesh = m_volume.mesh;
        const Eigen::Index r = m_parts.energy.dimension();
        const Eigen::Map<const MatrixX> U(m_modes.data(), m_rows, r);  // mode after mode
        m_parts.basis = rowsOfMesh(U / std::sqrt(m_files.massScale), m_volume.vertexOf, m_parts.mesh.vertexCount(),
                                   file("modes.bin"));
        if (m_files.surface.empty()) {
            m_parts.surface = boundarySurface(m_parts.mesh);
        } else {
            SurfaceFile surface = readSurface(m_files.surface);
            m_notes.insert(m_notes.end(), surface.notes.begin(), surface.notes.end());
            m_parts.surface = std::move(surface.mesh);
        }
        if (m_files.fixedVertices.empty())
            m_parts.fixedVertices = heldVertices(m_parts.basis, 1e-12);
        else
            m_parts.fixedVertices =
                meshVertices(m_volume, readBou(m_files.fixedVertices, static_cast<int>(m_volume.vertexOf.size())),
                             m_files.fixedVertices);
        if (m_parts.fixedVertices.empty()) checkOneComponent(m_parts.mesh, m_meshFile);
    }

    /// A mass for each vertex of the file, on the diagonal three times.
    void readMasses() {
        const std::string massFile = file("M_diag_mat.bin");
        const VectorX masses = readBulletNumbers(massFile);
        if (masses.size() != static_cast<Eigen::Index>(m_volume.vertexOf.size()))
            throw Error(massFile,
                        "it has n = " + std::to_string(masses.size()) + " masses, " + m_meshFile +
                            " has n = " + std::to_string(m_volume.vertexOf.size()) + " vertices",
                        "give files of one model");
        if (!(masses.minCoeff() > 0.0)) throw Error(massFile, "a mass is not positive");
        VectorX diagonal = VectorX::Zero(3 * Eigen::Index(m_parts.mesh.vertexCount()));
        for (std::size_t v = 0; v < m_volume.vertexOf.size(); ++v)
            if (m_volume.vertexOf[v] >= 0)
                diagonal.segment<3>(3 * Eigen::Index(m_volume.vertexOf[v])).array() +=
                    m_files.massScale * masses[static_cast<Eigen::Index>(v)];
        m_parts.mass.resize(diagonal.size(), diagonal.size());
        m_parts.mass.reserve(Eigen::VectorXi::Constant(diagonal.size(), 1));
        for (Eigen::Index i = 0; i < diagonal.size(); ++i) m_parts.mass.insert(i, i) = diagonal[i];
        m_parts.mass.makeCompressed();
        m_totalMass = diagonal.sum() / 3.0;
    }

    /// The files name no material; the mesh gets the one that has their mass and, on average, their stiffness.
    void fillMaterial() {
        VolumeMesh& mesh = m_parts.mesh;
        ElasticMaterial& material = mesh.materials.front();
        for (ElasticMaterial& one : mesh.materials) {
            one.density = 1.0;
            one.poissonRatio = m_files.poissonRatio.value_or(0.3);
        }
        const double density = m_totalMass / FullModel(mesh).totalMass();
        const double young = fittedYoungsModulus(mesh, m_parts.basis, m_parts.energy.linearStiffness);
        for (ElasticMaterial& one : mesh.materials) {
            one.density = density;
            if (std::isfinite(young)) one.youngsModulus = young;
        }
        m_notes.push_back(m_files.folder + ": a linear body of " + shortNumber(m_totalMass) +
                          " kg; material fitted to masses and stiffness: density " + shortNumber(density) +
                          " kg/m^3, E = " + shortNumber(material.youngsModulus) +
                          " Pa for nu = " + shortNumber(material.poissonRatio));
    }

    void describe() {
        m_parts.name = fs::path(m_meshFile).stem().string();
        m_parts.options = "import=bullet;modes=" + std::to_string(m_files.modes) +
                          ";scale=" + numberText(m_files.stiffnessScale) + ";mass=" + numberText(m_files.massScale);
        m_parts.files = {file("modes.bin"), file("K_r_diag_mat.bin"), file("eigenvalues.bin"), file("M_diag_mat.bin"),
                         m_meshFile};
        for (const std::string* path : {&m_files.surface, &m_files.fixedVertices})
            if (!path->empty()) m_parts.files.push_back(*path);
    }

    const BulletImport& m_files;
    const ProgressCallback& m_progress;
    ModelParts m_parts;
    VolumeFile m_volume;
    VectorX m_modes;
    Eigen::Index m_rows = 0;
    std::string m_meshFile;
    double m_totalMass = 0.0;
    std::vector<std::string> m_notes;
};

}  // namespace

ImportedModel importBullet(const BulletImport& files, const ProgressCallback& progress) {
    return BulletImporter(files, progress).run();
}

bool isBulletFolder(const std::string& path) {
    std::error_code ignored;
    return fs::is_regular_file(fs::path(path) / "modes.bin", ignored);
}

}  // namespace pliant
