// SPDX-License-Identifier: Zlib
// Models of test bodies, each reduced once for all test programs of a build: what tests of contact spend most of their
// time on is otherwise the same reductions, once in each program and precision.
#pragma once

#include <memory>
#include <string>

#include "pliant/reduce/Reduce.h"

namespace pliant::test {

/// The model that `pliant reduce` makes of a file, as it is read back from its model file. It is kept in the build
/// folder under the hash of the input's bytes, the options, the libraries that have made it and the instruction set
/// that tests force. Tests of the reduction itself call reduceFile(). Where PLIANT_TEST_MODELS_OF names another build's
/// folder of such models, those that are there already are taken: under sanitizers a reduction takes ten times as long,
/// and ./nightly tests it there by itself.
/// @throws Error as reduceFile() and loadModel() do
std::shared_ptr<const ReducedModel> reducedOnce(const std::string& input, const ReduceOptions& options);

/// Where reducedOnce() keeps the model. @param reducedBy checksum of the libraries that make it
/// @param folder of the models, this build's where it is empty
std::string keptModel(const std::string& input, const ReduceOptions& options, const std::string& reducedBy,
                      const std::string& folder = {});

/// The checksum of this build's.
std::string reducedBy();

/// The checksum of the libraries whose models a folder has; empty where it has none.
std::string reducedByOf(const std::string& folder);

}  // namespace pliant::test
