// SPDX-License-Identifier: Zlib
#include "pliant/model/DecodeModel.h"

#include "pliant/model/FieldSection.h"
#include "pliant/model/SectionReader.h"

namespace pliant {
namespace {

constexpr Eigen::Index maxDimension = 4096;        // r: keeps r^4 inside 64 bits
constexpr Eigen::Index maxVertices = 500'000'000;  // 3n stays an int

ModelSizes decodeAbout(const ModelContainer& container, ReducedModel& m) {
    const SectionReader<schema::About> about(container, "about");
    m.name = about.text(about->name());
    m.provenance.generator = about.text(about->generator());
    m.provenance.inputName = about.text(about->input_name());
    m.provenance.inputHash = about.text(about->input_hash());
    m.provenance.options = about.text(about->options());
    m.anchored = about->anchored();
    about.read(about->frame_rotation(), 3, 3, "the frame's rotation", m.meshFromBody.rotation);
    about.read(about->frame_translation(), 3, 1, "the frame's translation", m.meshFromBody.translation);
    ModelSizes sizes;
    sizes.dimension = about->dimension();
    sizes.simulationVertices = about->simulation_vertices();
    sizes.surfaceVertices = about->surface_vertices();
    about.require(sizes.dimension >= 1 && sizes.dimension <= maxDimension, "the dimension is out of range");
    about.require(sizes.simulationVertices >= 1 && sizes.simulationVertices <= maxVertices &&
                      sizes.surfaceVertices <= maxVertices,
                  "the number of vertices is out of range");
    return sizes;
}

ElasticMaterial decodeMaterial(const SectionReader<schema::Mesh>& mesh, const schema::ElasticMaterial& stored) {
    ElasticMaterial material;
    material.name = mesh.text(stored.name());
    material.density = stored.density();
    material.youngsModulus = stored.youngs_modulus();
    material.poissonRatio = stored.poisson_ratio();
    switch (stored.law()) {
        case schema::MaterialLaw::Isotropic:
            break;
        case schema::MaterialLaw::Orthotropic: {
            material.law = MaterialLaw::Orthotropic;
            VectorX constants;
            mesh.read(stored.orthotropic(), 18, 1, "the orthotropic constants", constants);
            OrthotropicConstants& c = material.orthotropic;
            c.youngsModuli = constants.head<3>();
            c.poissonRatios = constants.segment<3>(3);
            c.shearModuli = constants.segment<3>(6);
            c.axes = Eigen::Map<const Matrix3>(constants.data() + 9);
            break;
        }
        case schema::MaterialLaw::General:
            material.law = MaterialLaw::General;
            mesh.read(stored.stiffness(), 6, 6, "a stiffness", material.stiffness);
            break;
        default:
            mesh.fail("a material's law is unknown");
    }
    return material;
}

void decodeMesh(const ModelContainer& container, const ModelSizes& sizes, ReducedModel& m) {
    const SectionReader<schema::Mesh> mesh(container, "mesh");
    mesh.require(mesh->kind() == schema::ElementKind::Brick || mesh->kind() == schema::ElementKind::Tetrahedron,
                 "the kind of element is unknown");
    m.mesh.kind = mesh->kind() == schema::ElementKind::Brick ? ElementKind::Brick : ElementKind::Tetrahedron;
    mesh.read(mesh->positions(), 3, sizes.simulationVertices, "the positions", m.mesh.positions);
    mesh.read(mesh->elements(), m.mesh.cornersPerElement(), mesh.columns(mesh->elements()), "the elements",
              m.mesh.elements);
    mesh.readList(mesh->element_material(), "the element materials", m.mesh.elementMaterial);
    mesh.readList(mesh->fixed_vertices(), "the fixed vertices", m.fixedVertices);
    m.mesh.elementShare.resize(0);
    m.mesh.elementBending.resize(0);
    const Eigen::Index elements = m.mesh.elements.cols();
    if (mesh->element_share())
        mesh.read(mesh->element_share(), elements, 1, "the shares of the elements", m.mesh.elementShare);
    if (mesh->element_bending())
        mesh.read(mesh->element_bending(), elements, 1, "the elements' weights in bending", m.mesh.elementBending);
    m.mesh.bendingFill.setOnes();
    if (mesh->bending_fill())
        mesh.read(mesh->bending_fill(), 3, 1, "the shares of the bricks' sides", m.mesh.bendingFill);
    m.mesh.filledBoxes.resize(6, 0);
    if (mesh->filled_boxes())
        mesh.read(mesh->filled_boxes(), 6, elements, "the filled boxes of the bricks", m.mesh.filledBoxes);
    mesh.require(mesh->materials() != nullptr, "the materials are missing");
    m.mesh.materials.clear();
    for (const schema::ElasticMaterial* stored : *mesh->materials())
        m.mesh.materials.push_back(decodeMaterial(mesh, *stored));
}

void decodeBasis(const ModelContainer& container, const ModelSizes& sizes, ReducedModel& m) {
    const SectionReader<schema::Basis> basis(container, "basis");
    const Eigen::Index r = sizes.dimension;
    basis.read(basis->basis(), 3 * sizes.simulationVertices, r, "the basis", m.basis);
    basis.read(basis->elastic_eigenvalues(), basis.rows(basis->elastic_eigenvalues()), 1, "the elastic eigenvalues",
               m.elasticEigenvalues);
    basis.read(basis->rest_eigenvectors(), r, r, "the rest eigenvectors", m.restEigenvectors);
    basis.read(basis->rest_eigenvalues(), r, 1, "the rest eigenvalues", m.restEigenvalues);
}

void decodeEnergy(const ModelContainer& container, const ModelSizes& sizes, ReducedModel& m) {
    const SectionReader<schema::Energy> energy(container, "energy");
    const Eigen::Index r = sizes.dimension;
    const auto count = static_cast<std::size_t>(r);
    energy.read(energy->linear_stiffness(), r, r, "the linear stiffness", m.energy.linearStiffness);
    energy.read(energy->cubic(), static_cast<Eigen::Index>(StrainEnergyPolynomial::cubicCount(count)), 1,
                "the cubic part", m.energy.cubic);
    energy.read(energy->quartic(), static_cast<Eigen::Index>(StrainEnergyPolynomial::quarticCount(count)), 1,
                "the quartic part", m.energy.quartic);
}

void decodeInertia(const ModelContainer& container, const ModelSizes& sizes, ReducedModel& m) {
    const SectionReader<schema::Inertia> inertia(container, "inertia");
    const Eigen::Index r = sizes.dimension;
    m.inertia.mass = inertia->mass();
    inertia.read(inertia->principal_inertia(), 3, 1, "the principal inertia", m.inertia.principalInertia);
    inertia.read(inertia->translation(), 3, r, "D", m.inertia.translation);
    inertia.read(inertia->rotation(), 3, r, "H0", m.inertia.rotation);
    inertia.readColumns(inertia->first(), r, "S_j", m.inertia.first);
    inertia.readColumns(inertia->second(), r * r, "S_ij", m.inertia.second);
    inertia.readColumns(inertia->coriolis(), r * r, "C_ij", m.inertia.coriolis);
}

}  // namespace

void decodeModel(const ModelContainer& container, ReducedModel& model) {
    const ModelSizes sizes = decodeAbout(container, model);
    decodeMesh(container, sizes, model);
    decodeBasis(container, sizes, model);
    decodeEnergy(container, sizes, model);
    decodeInertia(container, sizes, model);
    decodeGroups(container, sizes, model);
    decodeSurface(container, sizes, model);
    decodeContactSurface(container, sizes, model);
    decodeField(container, model.contactSurface.field);
}

}  // namespace pliant
