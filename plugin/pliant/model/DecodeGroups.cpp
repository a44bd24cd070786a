// SPDX-License-Identifier: Zlib
#include "pliant/model/DecodeModel.h"
#include "pliant/model/SectionReader.h"

namespace pliant {
namespace {

using GroupReader = SectionReader<schema::MaterialGroup>;

StrainEnergyPolynomial decodePart(const GroupReader& group, const schema::Energy& stored, Eigen::Index r) {
    const auto count = static_cast<std::size_t>(r);
    StrainEnergyPolynomial part;
    group.read(stored.linear_stiffness(), r, r, "a linear stiffness", part.linearStiffness);
    group.read(stored.cubic(), static_cast<Eigen::Index>(StrainEnergyPolynomial::cubicCount(count)), 1, "a cubic part",
               part.cubic);
    group.read(stored.quartic(), static_cast<Eigen::Index>(StrainEnergyPolynomial::quarticCount(count)), 1,
               "a quartic part", part.quartic);
    return part;
}

MaterialGroup decodeGroup(const ModelContainer& container, std::size_t number, Eigen::Index r) {
    const std::string name = groupSection(number);
    const GroupReader group(container, name.c_str());
    MaterialGroup result;
    group.require(group->energy() != nullptr, "the energy is missing");
    for (const schema::Energy* stored : *group->energy()) result.energy.push_back(decodePart(group, *stored, r));
    result.mass.volume = group->volume();
    group.read(group->first_moment(), 3, 1, "the first moment", result.mass.firstMoment);
    group.read(group->second_moment(), 3, 3, "the second moment", result.mass.secondMoment);
    group.read(group->translation(), 3, r, "int psi_j", result.mass.translation);
    group.readColumns(group->first(), r, "int X psi_j'", result.mass.first);
    group.readColumns(group->second(), r * r, "int psi_i psi_j'", result.mass.second);
    return result;
}

}  // namespace

void decodeGroups(const ModelContainer& container, const ModelSizes& sizes, ReducedModel& m) {
    const Eigen::Index r = sizes.dimension, N = r + r * (r + 1) / 2;
    if (container.has(groupSection(0)))
        for (std::size_t g = 0; g < m.mesh.materials.size(); ++g)
            m.materialGroups.push_back(decodeGroup(container, g, r));
    if (!container.has("damping")) return;
    const SectionReader<schema::Damping> damping(container, "damping");
    damping.read(damping->gram(), N, N, "the damping", m.damping.gram);
    m.damping.r = static_cast<int>(r);
}

}  // namespace pliant
