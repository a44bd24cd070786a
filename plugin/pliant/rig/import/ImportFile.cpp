// SPDX-License-Identifier: Zlib
#include "pliant/rig/import/ImportFile.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "pliant/mesh/BinaryFile.h"
#include "pliant/mesh/FileExtension.h"
#include "pliant/mesh/FilesThere.h"
#include "pliant/rig/import/ChildReader.h"

namespace pliant::import {

namespace {

const std::string head = "pliant-import 1\n", tail = "\nwhole";

ReaderLimits limitsFor(std::uint64_t bytes) {
    ReaderLimits limits;
    limits.seconds = 30.0 + static_cast<double>(bytes) / double{1 << 20};
    limits.memory = (std::uint64_t{1} << 30U) + 64 * bytes;
    limits.output = (std::uint64_t{16} << 20U) + 64 * bytes;
    return limits;
}

}  // namespace

const std::vector<std::string>& importedExtensions() {
    static const std::vector<std::string> all{".fbx", ".dae", ".x", ".bvh"};
    return all;
}

bool isImported(const std::string& path) {
    return hasExtension(path, importedExtensions());
}

std::string packImported(const Imported& imported, const std::string& error) {
    nlohmann::json told = {{"notes", imported.notes}};
    if (!error.empty()) told["error"] = error;
    const std::string text = told.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    ByteWriter bytes;
    bytes.putText(head);
    bytes.put(static_cast<std::uint64_t>(text.size()));
    bytes.put(static_cast<std::uint64_t>(imported.glb.size()));
    bytes.putText(text);
    bytes.putText(imported.glb);
    bytes.putText(tail);
    return bytes.bytes();
}

Imported unpackImported(const std::string& message, const std::string& path) {
    const std::string advice = "the file may be damaged; export it as glTF 2.0 (.glb), which is read directly";
    Imported imported;
    std::string error;
    try {
        ByteReader bytes(message, path);
        if (bytes.takeText(head.size(), "its head") != head) throw Error(path, "another head");
        const auto textSize = bytes.take<std::uint64_t>("its sizes");
        const auto glbSize = bytes.take<std::uint64_t>("its sizes");
        const auto told = nlohmann::json::parse(bytes.takeText(textSize, "its notes"));
        imported.glb = bytes.takeText(glbSize, "its rig");
        if (bytes.takeText(tail.size(), "its end") != tail) throw Error(path, "another end");
        bytes.expectEnd();
        imported.notes = told.at("notes").get<std::vector<std::string>>();
        if (told.contains("error")) error = told.at("error").get<std::string>();
    } catch (const std::exception&) {
        throw Error(path, "its reader told nothing that makes sense", advice);
    }
    if (!error.empty()) throw Error("", error);
    return imported;
}

Imported importFile(const std::string& path, Wanted wanted) {
    if (!files::isFile(path)) throw Error(path, "cannot be read: no such file", "check the name and the path");
    const ReaderLimits limits = limitsFor(files::size(path));
    const std::string absolute = files::absolute(path).string();
    const char* const kind = wanted == Wanted::Rig ? "rig" : wanted == Wanted::Motion ? "motion" : "surface";
    const std::string told = runReader({importProgram(path), kind, absolute, path}, limits, path);
    return unpackImported(told, path);
}

}  // namespace pliant::import
