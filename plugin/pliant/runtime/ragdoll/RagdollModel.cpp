// SPDX-License-Identifier: Zlib
#include "pliant/runtime/ragdoll/RagdollModel.h"

#include <algorithm>

#include "pliant/math/Error.h"

namespace pliant {
namespace {

constexpr double kNothing = 1e-6;  ///< share of the flesh that counts as none
constexpr double kRoom = 0.2, kMargin = 0.1, kFree = 0.6;

/// Which bone carries each, where some have no flesh: they ride on the nearest bone above that has some, or on the
/// first one below.
std::vector<int> carriersOf(const Skeleton& skeleton, const std::vector<BoneMass>& masses, double least) {
    const auto count = static_cast<std::size_t>(skeleton.boneCount());
    std::vector<int> carrier(count, -1);
    for (std::size_t b = 0; b < count; ++b) {
        const int parent = skeleton.bones[b].parent;
        carrier[b] = masses[b].mass > least ? static_cast<int>(b)
                     : parent >= 0          ? carrier[static_cast<std::size_t>(parent)]
                                            : -1;
    }
    for (std::size_t b = count; b-- > 0;) {  // the lowest number wins
        const int parent = skeleton.bones[b].parent;
        if (parent >= 0 && carrier[b] >= 0 && masses[static_cast<std::size_t>(parent)].mass <= least) {
            int& above = carrier[static_cast<std::size_t>(parent)];
            if (above < 0 || above > carrier[b]) above = carrier[b];
        }
    }
    for (std::size_t b = 0; b < count; ++b)
        if (carrier[b] < 0 && skeleton.bones[b].parent >= 0)
            carrier[b] = carrier[static_cast<std::size_t>(skeleton.bones[b].parent)];
    return carrier;
}

/// What hangs on the joint of every limb, and how far its centre of mass is from there.
void setOuterMasses(const Skeleton& skeleton, std::vector<Limb>& limbs) {
    std::vector<BoneMass> outer;
    for (const Limb& limb : limbs) outer.push_back(limb.mass);
    for (std::size_t i = limbs.size(); i-- > 0;) {
        if (limbs[i].parent >= 0)
            outer[static_cast<std::size_t>(limbs[i].parent)] =
                together(outer[static_cast<std::size_t>(limbs[i].parent)], outer[i]);
        limbs[i].outerMass = outer[i].mass;
        if (limbs[i].joint >= 0)
            limbs[i].lever = (outer[i].centre - skeleton.bones[static_cast<std::size_t>(limbs[i].joint)].head()).norm();
    }
}

}  // namespace

RagdollModel::RagdollModel(std::shared_ptr<const CharacterModel> of) : character(std::move(of)) {
    const Skeleton& skeleton = character->skeleton;
    const std::vector<BoneMass> masses = boneMasses(*character);
    double whole = 0.0;
    for (const BoneMass& mass : masses) whole += mass.mass;
    const std::string& where = character->flesh->name;
    if (!(whole > 0.0)) throw Error(where, "no bone carries flesh that weighs something: it cannot fall as a ragdoll");
    const std::vector<int> carrier = carriersOf(skeleton, masses, kNothing * whole);
    limbOf.assign(masses.size(), -1);
    for (std::size_t b = 0; b < masses.size(); ++b) {
        if (carrier[b] < 0)
            throw Error(where, "bone '" + skeleton.bones[b].name + "' has no mass, nor has any bone above or below it",
                        "leave it out of the file, or drive the character by its clips");
        if (carrier[b] != static_cast<int>(b)) continue;
        Limb limb;
        limb.bone = static_cast<int>(b);
        int above = static_cast<int>(b);  // up to the bone that hangs on another limb
        while (above >= 0 && carrier[static_cast<std::size_t>(above)] == limb.bone) {
            limb.joint = above;
            above = skeleton.bones[static_cast<std::size_t>(above)].parent;
        }
        if (above >= 0)
            limb.parent = limbOf[static_cast<std::size_t>(carrier[static_cast<std::size_t>(above)])];
        else
            limb.joint = -1;
        if (above < 0 && !limbs.empty())
            throw Error(where,
                        "there is no joint between the bones '" +
                            skeleton.bones[static_cast<std::size_t>(limbs.front().bone)].name + "' and '" +
                            skeleton.bones[b].name + "', and a ragdoll hangs together",
                        "give both one parent in the file, or drive the character by its clips");
        limbOf[b] = static_cast<int>(limbs.size());
        limbs.push_back(limb);
    }
    for (std::size_t b = 0; b < masses.size(); ++b) {
        limbOf[b] = limbOf[static_cast<std::size_t>(carrier[b])];
        Limb& limb = limbs[static_cast<std::size_t>(limbOf[b])];
        limb.mass = together(limb.mass, masses[b]);
    }
    setOuterMasses(skeleton, limbs);
    ranges = jointRanges(*this, kRoom, kMargin, kFree);
}

}  // namespace pliant
