// SPDX-License-Identifier: Zlib
// A program of a user, linked against the shared libosgPliant, opens a model through OpenSceneGraph's plugin: both work
// on one copy of the library, so that the program knows the plugin's objects by type. Writes what it has read as a
// scene file.
#include <dlfcn.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <osgDB/ReadFile>
#include <osgDB/WriteFile>
#include <set>
#include <string>

#include "osgPliant/BodyGroup.h"

/// The files in the memory of this process whose names hold `name`.
static std::set<std::string> loadedFiles(const std::string& name) {
    std::set<std::string> files;
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        const std::size_t at = line.find('/');
        if (at != std::string::npos && line.find(name, at) != std::string::npos) files.insert(line.substr(at));
    }
    return files;
}

/// The library whose code an object of a class with virtual functions runs.
static std::string libraryOf(const void* object) {
    Dl_info info{};
    const void* table = nullptr;
    std::memcpy(&table, object, sizeof(table));
    return dladdr(table, &info) != 0 && info.dli_fname ? info.dli_fname : "";
}

static int fail(const std::string& why) {
    return std::fprintf(stderr, "%s\n", why.c_str()), 1;
}

int main(int argc, char** argv) {
    if (argc != 3) return fail("usage: one_copy MODEL.pliant SCENE.osgt");
    const osg::ref_ptr<osg::Node> read = osgDB::readRefNodeFile(argv[1]);
    if (!read) return fail("the plugin does not read the model");
    const auto* group = dynamic_cast<osgPliant::BodyGroup*>(read.get());
    if (!group || group->getBodyCount() != 1) return fail("what the plugin makes is no BodyGroup of the program's");
    if (libraryOf(group).find("libosgPliant.so") == std::string::npos)
        return fail("the plugin's objects are of a copy in " + libraryOf(group));
    if (loadedFiles("osgdb_pliant.so").size() != 1) return fail("it was not the plugin that has read the model");
    for (const char* library : {"libosgPliant.so", "libpliant.so"}) {
        const std::set<std::string> copies = loadedFiles(library);
        if (copies.size() != 1)
            return fail(std::string(library) + " is loaded " + std::to_string(copies.size()) + " times");
    }
    if (!osgDB::writeNodeFile(*read, argv[2])) return fail("the scene cannot be written");
    return 0;
}
