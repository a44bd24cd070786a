// SPDX-License-Identifier: Zlib
// Everything that the contact of a closed body needs beside its distance field.
#pragma once

#include "pliant/lattice/MakeContactLattice.h"
#include "pliant/shell/MakeSurfaceSkeleton.h"

namespace pliant {

/// Fills `skeleton`, contactSurface.shell, .thickness and .lattice; see makeSurfaceSkeleton and makeContactLattice.
/// @param surface what collides, in the mesh frame; closed
/// @param embedding where its vertices are in the model's mesh: surfaceEmbedding, where it is what is drawn
/// @param meshBasis 3n x r, components in the mesh frame
void makeSurfaceContact(const SurfaceMesh& surface, const std::vector<MaterialPoint>& embedding,
                        const MatrixX& meshBasis, const ShellOptions& shell, const ContactLatticeOptions& lattice,
                        ReducedModel& model);

}  // namespace pliant
