// SPDX-License-Identifier: Zlib
#include "SampleModels.h"

#include "../reduce/InputMeshes.h"
#include "pliant/mesh/ReadVeg.h"
#include "pliant/reduce/Reduce.h"

namespace pliant::test {

namespace {

std::shared_ptr<const ReducedModel> reduced(bool anchored) {
    const InputFolder folder;
    writeVeg(lopsidedBricks(), folder.file("lopsided.veg"));
    ReduceOptions options;
    options.modes = 4;
    options.dimension = 9;
    if (anchored) options.fixedVertices = folder.write("held.bou", "1,2,3,4");
    return reduceFile(folder.file("lopsided.veg"), options);
}

}  // namespace

std::shared_ptr<const ReducedModel> sampleModel(bool anchored) {
    static const std::shared_ptr<const ReducedModel> held = reduced(true), loose = reduced(false);
    return anchored ? held : loose;
}

}  // namespace pliant::test
