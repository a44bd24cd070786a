// SPDX-License-Identifier: Zlib
#include "pliant/fem/FullModel.h"

#include <algorithm>
#include <utility>

#include "pliant/mesh/CheckVolumeMesh.h"

namespace pliant {

FullModel::FullModel(VolumeMesh mesh, MassKind massKind) : m_mesh(std::move(mesh)), m_massKind(massKind) {
    checkVolumeMesh(m_mesh, "");
    for (const ElasticMaterial& material : m_mesh.materials) m_laws.emplace_back(material);
    buildPattern();
    std::vector<double> densities;
    for (const ElasticMaterial& material : m_mesh.materials) densities.push_back(material.density);
    m_mass = massMatrixOf(densities);
    for (int e = 0; e < m_mesh.elementCount(); ++e)
        m_totalMass += densities[static_cast<std::size_t>(m_mesh.elementMaterial[static_cast<std::size_t>(e)])] *
                       elementVolume(m_mesh, e);
}

const ElasticLaw& FullModel::law(int element) const {
    return m_laws[static_cast<std::size_t>(m_mesh.elementMaterial[static_cast<std::size_t>(element)])];
}

void FullModel::buildPattern() {
    const Eigen::Index n = m_mesh.positions.cols();
    const Eigen::Index corners = m_mesh.elements.rows();
    std::vector<std::vector<int>> neighbours(static_cast<std::size_t>(n));
    for (Eigen::Index e = 0; e < m_mesh.elements.cols(); ++e)
        for (Eigen::Index a = 0; a < corners; ++a)
            for (Eigen::Index b = 0; b < corners; ++b)
                neighbours[static_cast<std::size_t>(m_mesh.elements(b, e))].push_back(m_mesh.elements(a, e));
    Eigen::VectorXi sizes(3 * n);
    for (Eigen::Index v = 0; v < n; ++v) {
        std::vector<int>& list = neighbours[static_cast<std::size_t>(v)];
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
        sizes.segment<3>(3 * v).setConstant(static_cast<int>(3 * list.size()));
    }
    m_pattern.resize(3 * n, 3 * n);
    m_pattern.reserve(sizes);
    for (Eigen::Index column = 0; column < 3 * n; ++column)
        for (const int v : neighbours[static_cast<std::size_t>(column / 3)])
            for (int i = 0; i < 3; ++i) m_pattern.insert(3 * v + i, column) = 0.0;
    m_pattern.makeCompressed();

    m_slots.reserve(static_cast<std::size_t>(m_mesh.elements.cols() * corners * corners));
    for (Eigen::Index e = 0; e < m_mesh.elements.cols(); ++e)
        for (Eigen::Index b = 0; b < corners; ++b) {
            const int column = m_mesh.elements(b, e);
            const std::vector<int>& list = neighbours[static_cast<std::size_t>(column)];
            for (Eigen::Index a = 0; a < corners; ++a) {
                const auto rank = std::lower_bound(list.begin(), list.end(), m_mesh.elements(a, e)) - list.begin();
                m_slots.push_back(m_pattern.outerIndexPtr()[3 * column] + 3 * static_cast<int>(rank));
            }
        }
}

void FullModel::scatter(int element, const ElementMatrix& block, double* values) const {
    const Eigen::Index corners = m_mesh.elements.rows();
    const int* slot = m_slots.data() + static_cast<std::ptrdiff_t>(element) * corners * corners;
    for (Eigen::Index b = 0; b < corners; ++b) {
        const int* outer = m_pattern.outerIndexPtr() + 3 * m_mesh.elements(b, element);
        const int columnLength = outer[1] - outer[0];
        for (Eigen::Index a = 0; a < corners; ++a, ++slot)
            for (int k = 0; k < 3; ++k)
                for (int i = 0; i < 3; ++i) values[*slot + k * columnLength + i] += block(3 * a + i, 3 * b + k);
    }
}

SparseMatrix FullModel::massMatrixOf(const std::vector<double>& densities) const {
    SparseMatrix consistent = m_pattern;
    ElementMatrix block;
    for (int e = 0; e < m_mesh.elementCount(); ++e) {
        const auto material = static_cast<std::size_t>(m_mesh.elementMaterial[static_cast<std::size_t>(e)]);
        const auto products =
            shapeProducts(m_mesh.kind, densities[material] * elementVolume(m_mesh, e), m_mesh.filledBox(e));
        block.setZero(3 * products.rows(), 3 * products.cols());
        for (Eigen::Index b = 0; b < products.cols(); ++b)
            for (Eigen::Index a = 0; a < products.rows(); ++a)
                block.block<3, 3>(3 * a, 3 * b).diagonal().setConstant(products(a, b));
        scatter(e, block, consistent.valuePtr());
    }
    if (m_massKind == MassKind::Consistent) return consistent;
    const VectorX rowSums = consistent * VectorX::Ones(consistent.cols());
    SparseMatrix lumped(consistent.rows(), consistent.cols());
    lumped.reserve(Eigen::VectorXi::Ones(consistent.cols()));
    for (Eigen::Index i = 0; i < rowSums.size(); ++i) lumped.insert(i, i) = rowSums[i];
    lumped.makeCompressed();
    return lumped;
}

double FullModel::energy(const VectorX& u) const {
    std::vector<ElementPoint> points;
    double energy = 0.0;
    for (int e = 0; e < m_mesh.elementCount(); ++e) {
        elementPoints(m_mesh, e, points);
        energy += elementEnergy(points, law(e), cornerVectors(m_mesh, e, u.data()), m_mesh.bending(e));
    }
    return energy;
}

VectorX FullModel::internalForce(const VectorX& u) const {
    std::vector<ElementPoint> points;
    VectorX force = VectorX::Zero(degreesOfFreedom());
    for (int e = 0; e < m_mesh.elementCount(); ++e) {
        elementPoints(m_mesh, e, points);
        const CornerVectors f = elementForce(points, law(e), cornerVectors(m_mesh, e, u.data()), m_mesh.bending(e));
        for (Eigen::Index c = 0; c < f.cols(); ++c) force.segment<3>(3 * m_mesh.elements(c, e)) += f.col(c);
    }
    return force;
}

SparseMatrix FullModel::stiffness(const VectorX& u) const {
    SparseMatrix K = m_pattern;
    stiffness(u, K);
    return K;
}

void FullModel::stiffness(const VectorX& u, SparseMatrix& K) const {
    if (K.nonZeros() != m_pattern.nonZeros() || K.cols() != m_pattern.cols() || !K.isCompressed()) K = m_pattern;
    std::fill(K.valuePtr(), K.valuePtr() + K.nonZeros(), 0.0);
    std::vector<ElementPoint> points;
    ElementMatrix block;
    for (int e = 0; e < m_mesh.elementCount(); ++e) {
        elementPoints(m_mesh, e, points);
        elementStiffness(points, law(e), cornerVectors(m_mesh, e, u.data()), block, m_mesh.bending(e));
        scatter(e, block, K.valuePtr());
    }
}

SparseMatrix FullModel::restStiffness() const {
    return stiffness(VectorX::Zero(degreesOfFreedom()));
}

VectorX FullModel::hessianProduct(const VectorX& a, const VectorX& b) const {
    std::vector<ElementPoint> points;
    VectorX product = VectorX::Zero(degreesOfFreedom());
    for (int e = 0; e < m_mesh.elementCount(); ++e) {
        elementPoints(m_mesh, e, points, GaussRule::Cubic);
        const CornerVectors f = elementHessianProduct(points, law(e), cornerVectors(m_mesh, e, a.data()),
                                                      cornerVectors(m_mesh, e, b.data()), m_mesh.bending(e));
        for (Eigen::Index c = 0; c < f.cols(); ++c) product.segment<3>(3 * m_mesh.elements(c, e)) += f.col(c);
    }
    return product;
}

VectorX linearField(const VolumeMesh& mesh, const Matrix3& B, const Vector3& c) {
    VectorX field(3 * mesh.positions.cols());
    for (Eigen::Index v = 0; v < mesh.positions.cols(); ++v) field.segment<3>(3 * v) = B * mesh.positions.col(v) + c;
    return field;
}

}  // namespace pliant
