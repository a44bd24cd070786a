// SPDX-License-Identifier: Zlib
#include "pliant/control_lattice/LatticeForCharacter.h"

namespace pliant {
namespace {

void intoBody(const RigidTransform& meshFromBody, Points& points) {
    for (Eigen::Index k = 0; k < points.cols(); ++k) points.col(k) = meshFromBody.inversePoint(points.col(k));
}

}  // namespace

std::shared_ptr<const LatticeModel> latticeForCharacter(const CharacterModel& character, const Rig& rig,
                                                        ControlLattice lattice, const LatticeOptions& options,
                                                        const std::string& where, LatticeReport* report,
                                                        const ProgressCallback& progress) {
    const RigidTransform& frame = character.flesh->meshFromBody;
    Rig moved = rig;
    moved.skeleton = character.skeleton;
    moved.clips = character.clips;
    intoBody(frame, moved.surface.positions);
    moved.surface.normals = frame.rotation.transpose() * moved.surface.normals;
    intoBody(frame, lattice.positions);
    return makeLatticeModel(moved, std::move(lattice), options, where, report, progress);
}

std::shared_ptr<const LatticeModel> latticeForCharacter(const CharacterModel& character, const Rig& rig,
                                                        ControlLattice lattice, const LatticeOptions& options,
                                                        const std::string& where, LatticeReport* report) {
    return latticeForCharacter(character, rig, std::move(lattice), options, where, report, ProgressCallback());
}

}  // namespace pliant
