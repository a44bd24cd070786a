// SPDX-License-Identifier: Zlib
// Two translation units compiled for different processors hand objects to each other.
#pragma once

#include <memory>

#include "pliant/runtime/BodyBatch.h"

namespace pliant::test {

struct Parcel {
    MatrixX matrix;
    VectorX vector;
    std::shared_ptr<ReducedModel> model;
    std::unique_ptr<BodyBatch> batch;
};

namespace plain {
Parcel make(int r);
double useAndShrink(Parcel& parcel);
void destroy(Parcel parcel);
bool usesWideVectors();
}  // namespace plain

namespace wide {
Parcel make(int r);
double useAndShrink(Parcel& parcel);
void destroy(Parcel parcel);
bool usesWideVectors();
}  // namespace wide

}  // namespace pliant::test
