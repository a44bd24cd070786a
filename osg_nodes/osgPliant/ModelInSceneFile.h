// SPDX-License-Identifier: Zlib
// Models in files of OpenSceneGraph.
#pragma once

#include <memory>
#include <osgDB/InputStream>
#include <osgDB/OutputStream>
#include <string>

#include "pliant/math/Api.h"
#include "pliant/model/ReducedModel.h"

namespace osgPliant {

/// Loads a model; the same file gives the same model as long as somebody holds it and the file is not written anew.
/// @throws pliant::Error where it cannot be read
PLIANT_INTERNAL_API std::shared_ptr<const pliant::ReducedModel> loadOnce(const std::string& path);

/// Writes the name of a model's file, or, where it has none, the model.
void writeModel(osgDB::OutputStream& out, const std::string& file, const pliant::ReducedModel& model);
/// Reads what writeModel() wrote; files are looked for in OpenSceneGraph's data path, and loaded once (loadOnce()).
/// @param file receives its name
/// @return null, and a warning, where there is no model
std::shared_ptr<const pliant::ReducedModel> readModel(osgDB::InputStream& in, std::string& file);

}  // namespace osgPliant
