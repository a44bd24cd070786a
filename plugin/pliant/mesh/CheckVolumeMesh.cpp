// SPDX-License-Identifier: Zlib
#include "pliant/mesh/CheckVolumeMesh.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "pliant/math/EigenvalueSolver.h"
#include "pliant/math/Error.h"
#include "pliant/mesh/ElementShape.h"
#include "pliant/mesh/TextFile.h"

namespace pliant {

namespace {

using Found = std::optional<MeshDefect>;

MeshDefect ofWhole(const std::string& problem, const std::string& cure = {}) {
    return {-1, -1, -1, problem, cure};
}

MeshDefect ofElement(int element, const std::string& problem, const std::string& cure = {}) {
    return {element, -1, -1, problem, cure};
}

MeshDefect ofMaterial(const std::string& problem, const std::string& cure) {
    return {-1, -1, -1, problem, cure};
}

Found isotropicDefect(const ElasticMaterial& m) {
    if (!std::isfinite(m.youngsModulus) || m.youngsModulus <= 0.0)
        return ofMaterial("Young's modulus " + numberText(m.youngsModulus) + " Pa is not positive",
                          "rubber 1e7, wood 1e10");
    if (m.poissonRatio == 0.5)
        return ofMaterial("Poisson ratio 0.5 means incompressible, where this material's stiffness is infinite",
                          "use 0.45 to 0.49");
    if (!(m.poissonRatio > -1.0 && m.poissonRatio < 0.5))
        return ofMaterial("Poisson ratio " + numberText(m.poissonRatio) + " is outside (-1, 0.5)",
                          "rubber 0.45, wood 0.3");
    return std::nullopt;
}

Found orthotropicDefect(const OrthotropicConstants& c) {
    for (int i = 0; i < 3; ++i) {
        const std::string one = std::to_string(i + 1), two = std::to_string((i + 1) % 3 + 1);
        if (!std::isfinite(c.youngsModuli[i]) || c.youngsModuli[i] <= 0.0)
            return ofMaterial("Young's modulus E" + one + " = " + numberText(c.youngsModuli[i]) + " Pa is not positive",
                              "wood along the grain 1e10, across it 1e9");
        if (!std::isfinite(c.shearModuli[i]) || c.shearModuli[i] <= 0.0)
            return ofMaterial(
                "shear modulus G" + one + two + " = " + numberText(c.shearModuli[i]) + " Pa is not positive",
                "wood 7e8");
        if (!std::isfinite(c.poissonRatios[i]))
            return ofMaterial("Poisson ratio nu" + one + two + " is not a number", "wood 0.3");
    }
    if (!c.axes.allFinite() || (c.axes.transpose() * c.axes - Matrix3::Identity()).norm() > 1e-6 ||
        c.axes.determinant() < 0.0)
        return ofMaterial("the axes of the orthotropic law are no rotation",
                          "give three perpendicular unit vectors, right-handed, as the columns of the matrix");
    return std::nullopt;
}

/// Of the 6 x 6 matrix of any law. An orthotropic one blows up, instead of turning singular, where its Poisson ratios
/// are too large.
Found definiteDefect(const ElasticMaterial& m) {
    const std::string cure =
        m.law == MaterialLaw::Orthotropic
            ? "lower the Poisson ratios: nu_ij^2 < E_i / E_j for each, and less where all three act"
            : "all six eigenvalues must be positive: check signs, and the order xx, yy, zz, yz, xz, "
              "xy with engineering shear";
    const Matrix6 C = stiffnessMatrix(m);
    if (!C.allFinite()) return ofMaterial("the stiffness is not finite", cure);
    const double scale = C.cwiseAbs().maxCoeff();
    for (int j = 0; j < 6; ++j)
        for (int i = 0; i < j; ++i)
            if (!(std::abs(C(i, j) - C(j, i)) <= 1e-9 * scale))
                return ofMaterial("the stiffness is not symmetric: entries (" + std::to_string(i + 1) + ", " +
                                      std::to_string(j + 1) + ") = " + numberText(C(i, j)) + " and " +
                                      numberText(C(j, i)) + " Pa",
                                  "give the same number twice");
    const EigenvalueSolver solver(Eigen::MatrixXd(C), Eigen::EigenvaluesOnly);
    const double smallest = solver.eigenvalues()[0];
    if (!(smallest > 1e-12 * scale))
        return ofMaterial(
            "the stiffness is not positive definite: its smallest eigenvalue is " + numberText(smallest) + " Pa", cure);
    return std::nullopt;
}

/// Problem of a material, or nothing.
Found defectOf(const ElasticMaterial& m) {
    if (!std::isfinite(m.density) || m.density <= 0.0)
        return ofMaterial("density " + numberText(m.density) + " kg/m^3 is not positive", "wood 700, rubber 1100");
    if (m.law == MaterialLaw::Isotropic) return isotropicDefect(m);
    if (m.law == MaterialLaw::Orthotropic)
        if (Found defect = orthotropicDefect(m.orthotropic)) return defect;
    return definiteDefect(m);
}

Found sizeDefect(const VolumeMesh& mesh) {
    if (mesh.vertexCount() == 0 || mesh.elementCount() == 0)
        return ofWhole("the mesh is empty: " + std::to_string(mesh.vertexCount()) + " vertices, " +
                       std::to_string(mesh.elementCount()) + " elements");
    if (mesh.elements.rows() != mesh.cornersPerElement())
        return ofWhole("elements have " + std::to_string(mesh.elements.rows()) + " corners, expected " +
                       std::to_string(mesh.cornersPerElement()));
    if (mesh.elementMaterial.size() != static_cast<std::size_t>(mesh.elementCount()))
        return ofWhole(std::to_string(mesh.elementMaterial.size()) + " element materials for " +
                       std::to_string(mesh.elementCount()) + " elements");
    return std::nullopt;
}

/// Shares and weights of the elements: none at all, or one in (0, 1] of each.
Found shareDefect(const VolumeMesh& mesh) {
    for (const VectorX* list : {&mesh.elementShare, &mesh.elementBending}) {
        const std::string name = list == &mesh.elementShare ? "filled share" : "weight in bending";
        if (list->size() != 0 && list->size() != mesh.elementCount())
            return ofWhole(std::to_string(list->size()) + " numbers for " + std::to_string(mesh.elementCount()) +
                           " elements: " + name);
        for (Eigen::Index e = 0; e < list->size(); ++e)
            if (!((*list)[e] > 0.0 && (*list)[e] <= 1.0))
                return ofElement(static_cast<int>(e), name + " " + numberText((*list)[e]) + " is outside 0..1",
                                 "0 is excluded: remove empty elements");
    }
    if (!((mesh.bendingFill.array() > 0.0).all() && (mesh.bendingFill.array() <= 1.0).all()))
        return ofWhole("a filled share of the bricks' sides is outside 0..1");
    if (mesh.filledBoxes.cols() != 0 && mesh.filledBoxes.cols() != mesh.elementCount())
        return ofWhole(std::to_string(mesh.filledBoxes.cols()) + " filled boxes for " +
                       std::to_string(mesh.elementCount()) + " elements");
    if (mesh.kind != ElementKind::Brick && mesh.filledBoxes.cols() != 0) return ofWhole("tetrahedra have filled boxes");
    if (!possibleBoxes(mesh.filledBoxes)) return ofWhole("a filled box has no size, or lies far from its brick");
    return std::nullopt;
}

Found vertexDefect(const VolumeMesh& mesh) {
    for (int v = 0; v < mesh.vertexCount(); ++v)
        if (!mesh.positions.col(v).allFinite())
            return MeshDefect{-1, v, -1, "a coordinate is NaN or infinite", "repair the mesh"};
    return std::nullopt;
}

Found indexDefect(const VolumeMesh& mesh) {
    for (int e = 0; e < mesh.elementCount(); ++e) {
        const int material = mesh.elementMaterial[static_cast<std::size_t>(e)];
        if (material < 0 || material >= static_cast<int>(mesh.materials.size()))
            return ofElement(e, "material " + std::to_string(material) + " is outside 0.." +
                                    std::to_string(static_cast<int>(mesh.materials.size()) - 1));
        for (int c = 0; c < mesh.cornersPerElement(); ++c) {
            const int v = mesh.elements(c, e);
            if (v < 0 || v >= mesh.vertexCount())
                return ofElement(e, "vertex number " + std::to_string(v) + " is outside 0.." +
                                        std::to_string(mesh.vertexCount() - 1));
            for (int d = 0; d < c; ++d)
                if (mesh.elements(d, e) == v)
                    return ofElement(e, "one vertex stands at two corners",
                                     "remove the element or give it its corners");
        }
    }
    return std::nullopt;
}

/// A tetrahedron is degenerate when its volume is below rounding of its longest edge cubed.
Found tetrahedronDefect(const VolumeMesh& mesh, int e) {
    const Corners x = elementCorners(mesh, e);
    const double volume = tetrahedronVolume(x);
    double edge = 0.0;
    for (int a = 0; a < 4; ++a)
        for (int b = 0; b < a; ++b) edge = std::max(edge, (x.col(a) - x.col(b)).norm());
    const std::string text = "volume " + numberText(volume) + " m^3";
    if (!(std::abs(volume) > 1e-12 * edge * edge * edge))
        return ofElement(e, "degenerate tetrahedron, " + text, "remove it or mesh again");
    if (volume < 0.0) return ofElement(e, "inverted tetrahedron, " + text, "swap two of its vertices");
    return std::nullopt;
}

Found brickDefect(const VolumeMesh& mesh, int e) {
    const BrickShape shape = fitBrick(elementCorners(mesh, e));
    const Vector3& size = shape.sides;
    const double edge = size.cwiseAbs().maxCoeff();
    const std::string text = "edges " + numberText(size[0]) + " x " + numberText(size[1]) + " x " +
                             numberText(size[2]) + " m, volume " + numberText(size.prod()) + " m^3";
    // A skewed brick averages to small or negative edges as well: look for it first.
    if (shape.deviation > brickTolerance(size))
        return ofElement(e, "brick is no cuboid: a corner is off by " + numberText(shape.deviation) + " m",
                         "corners go (000)(100)(110)(010)(001)(101)(111)(011); use tetrahedra for other shapes");
    if (!(size.cwiseAbs().minCoeff() > 1e-9 * edge))
        return ofElement(e, "degenerate brick, " + text, "remove it or mesh again");
    if (size.minCoeff() < 0.0)
        return ofElement(e, "inverted brick, " + text, "corners go (000)(100)(110)(010)(001)(101)(111)(011)");
    if (shape.turned &&
        !mesh.materials[static_cast<std::size_t>(mesh.elementMaterial[static_cast<std::size_t>(e)])].isotropic())
        return ofElement(e, "brick is turned against the axes, and its material is not isotropic",
                         "turn the mesh with its material's axes, or use tetrahedra");
    return std::nullopt;
}

Found isolatedDefect(const VolumeMesh& mesh) {
    std::vector<bool> used(static_cast<std::size_t>(mesh.vertexCount()), false);
    for (int e = 0; e < mesh.elementCount(); ++e)
        for (int c = 0; c < mesh.cornersPerElement(); ++c) used[static_cast<std::size_t>(mesh.elements(c, e))] = true;
    const auto count = std::count(used.begin(), used.end(), false);
    if (count == 0) return std::nullopt;
    const auto first = std::find(used.begin(), used.end(), false) - used.begin();
    return MeshDefect{-1, static_cast<int>(first), -1,
                      "isolated vertex: no element uses it (" + std::to_string(count) + " of these in the mesh)",
                      "remove vertices without element"};
}

}  // namespace

std::optional<MeshDefect> findDefect(const VolumeMesh& mesh) {
    for (const auto& find : {sizeDefect, shareDefect, vertexDefect, indexDefect})
        if (Found defect = find(mesh)) return defect;
    for (std::size_t m = 0; m < mesh.materials.size(); ++m)
        if (Found defect = defectOf(mesh.materials[m])) {
            defect->material = static_cast<int>(m);
            return defect;
        }
    if (Found defect = findElementDefect(mesh)) return defect;
    return isolatedDefect(mesh);
}

std::optional<MeshDefect> findElementDefect(const VolumeMesh& mesh) {
    for (int e = 0; e < mesh.elementCount(); ++e)
        if (Found defect = mesh.kind == ElementKind::Brick ? brickDefect(mesh, e) : tetrahedronDefect(mesh, e))
            return defect;
    return std::nullopt;
}

void checkVolumeMesh(const VolumeMesh& mesh, const std::string& where) {
    const Found defect = findDefect(mesh);
    if (!defect) return;
    std::string name;
    if (defect->element >= 0)
        name = (mesh.kind == ElementKind::Brick ? "brick " : "tetrahedron ") + std::to_string(defect->element);
    if (defect->vertex >= 0) name = "vertex " + std::to_string(defect->vertex);
    if (defect->material >= 0)
        name = "material \"" + mesh.materials[static_cast<std::size_t>(defect->material)].name + "\"";
    const std::string separator = where.empty() || name.empty() ? "" : ": ";
    throw Error(where + separator + name, defect->problem, defect->cure);
}

bool possibleMaterial(const ElasticMaterial& material) {
    return !defectOf(material);
}

void checkMaterial(const ElasticMaterial& material, const std::string& where) {
    if (const Found defect = defectOf(material)) throw Error(where, defect->problem, defect->cure);
}

}  // namespace pliant
