// SPDX-License-Identifier: Zlib
#include "pliant/shell/MakeSurfaceContact.h"

namespace pliant {

void makeSurfaceContact(const SurfaceMesh& surface, const std::vector<MaterialPoint>& embedding,
                        const MatrixX& meshBasis, const ShellOptions& shell, const ContactLatticeOptions& lattice,
                        ReducedModel& model) {
    makeSurfaceSkeleton(surface, embedding, shell, model);
    model.contactSurface.lattice = makeContactLattice(surface, model.mesh, meshBasis, lattice);
}

}  // namespace pliant
