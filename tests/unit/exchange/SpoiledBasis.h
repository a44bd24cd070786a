// SPDX-License-Identifier: Zlib
// Files of Vega whose basis lets a free body slide and turn.
#pragma once

#include "../mesh/TemporaryFolder.h"
#include "../reduce/InputMeshes.h"
#include "SampleModels.h"
#include "pliant/basis/MassPca.h"
#include "pliant/basis/RigidModes.h"
#include "pliant/exchange/ExportModel.h"
#include "pliant/exchange/ImportVega.h"
#include "pliant/exchange/VegaFiles.h"
#include "pliant/mesh/ReadVeg.h"
#include "pliant/polynomial/ReducePolynomial.h"

namespace pliant::test {

/// What is mixed into the nine elastic columns of a free L.
struct Spoiling {
    bool sliding = true;        ///< 0.3 of a unit column in each translation
    bool turning = false;       ///< likewise of rotations
    bool rigidColumns = false;  ///< three more columns, rotations alone
};

/// A .cub, .U and .veg in the folder: columns with U'MU = 1 and the true energy of u = U q.
inline VegaImport writeSpoiled(const TemporaryFolder& folder, const Spoiling& spoiling) {
    const FullModel full(lopsidedBricks());
    const MatrixX elastic = pliant::meshBasis(*sampleModel(false)), rigid = rigidModes(full);
    const Eigen::Index r = elastic.cols();
    MatrixX W = elastic;
    for (Eigen::Index j = 0; j < r; ++j)
        for (Eigen::Index c = 0; c < 6; ++c)
            if (c < 3 ? spoiling.sliding : spoiling.turning)
                W.col(j) += 0.3 * std::cos(1.0 + double(3 * j + 5 * c)) * rigid.col(c);
    if (spoiling.rigidColumns) {
        W.conservativeResize(Eigen::NoChange, r + 3);
        W.rightCols(3) = rigid.rightCols(3);
    }
    orthonormalise(full.massMatrix(), W);
    VegaImport files;
    files.cub = folder.path("it.cub");
    files.basis = folder.path("it.U");
    files.mesh = folder.path("it.veg");
    writeVeg(full.mesh(), files.mesh);
    writeVegaMatrix(W, files.basis);
    writeCub(reducePolynomial(full.mesh(), W), files.cub);
    return files;
}

}  // namespace pliant::test
