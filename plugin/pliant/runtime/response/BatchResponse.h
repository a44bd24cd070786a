// SPDX-License-Identifier: Zlib
// What impulses do to a body after its free step, by the factored system that the step has left (BodyBatch.h has the
// equations). Private to runtime/.
#pragma once

#include "pliant/runtime/BatchStorage.h"

namespace pliant {

/// Computes y = Y_c x for `count` columns of r numbers: Y with the share of the identity that gamma > 1/2 asks for.
/// Reads the factor. In place is fine.
void respond(BatchStorage& batch, int body, int count, const double* x, double* y, BlockScratch& block);

/// The same of frame and deformation as one system, BodyBatch::responses(). Writes angularResponse and schurInverse
/// where they are not those of the last step yet.
void respondWithFrame(BatchStorage& batch, int body, int count, const double* angular, const double* modal,
                      double* deltaAngular, double* deltaVelocity, BlockScratch& block);

/// BodyBatch::whitens(). Reads the record and the settings.
bool whitens(const BatchStorage& batch, int body);
/// BodyBatch::whiten(). Reads the factor.
void whiten(BatchStorage& batch, int body, int count, const double* x, double* y, BlockScratch& block);

/// BodyBatch::addVelocity(). Reads the factor; writes q, q', q'', the step's work force and BodyRecord::struck.
void addVelocity(BatchStorage& batch, int body, const double* deltaVelocity, const Vector3& deltaAngular,
                 BlockScratch& block);
/// BodyBatch::addWhitenedVelocity(). Reads the factor; writes as addVelocity() does.
void addWhitened(BatchStorage& batch, int body, const double* sum, BlockScratch& block);

/// BodyBatch::predict() for steps whose factor is that of S = 1 + h/2 D + h^2/4 K (IntegrationScheme::predict). Reads
/// q, q', q'' and the factor.
void predictByFactor(BatchStorage& batch, int body, double h, double* predicted, BlockScratch& block);
/// BodyBatch::predictedChangeBound(). Reads q', q'' and the record.
double predictedChangeBound(const BatchStorage& batch, int body, double h);

}  // namespace pliant
