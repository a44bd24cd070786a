// SPDX-License-Identifier: Zlib
// A program that knows nothing of Pliant reads a scene file that holds a body: OpenSceneGraph looks for the library
// that is called as the namespace, libosgPliant.so, and finds the wrappers of our classes in it.
#include <cstdio>
#include <cstring>
#include <osg/Node>
#include <osgDB/ReadFile>

int main(int argc, char** argv) {
    if (argc != 2) return std::fprintf(stderr, "usage: found_wrappers SCENE.osgt\n"), 1;
    const osg::ref_ptr<osg::Node> read = osgDB::readRefNodeFile(argv[1]);
    if (!read) return std::fprintf(stderr, "the scene cannot be read\n"), 1;
    if (std::strcmp(read->libraryName(), "osgPliant") != 0 || std::strcmp(read->className(), "BodyGroup") != 0)
        return std::fprintf(stderr, "read %s::%s\n", read->libraryName(), read->className()), 1;
    if (!read->getBound().valid()) return std::fprintf(stderr, "the body has no extent\n"), 1;
    return 0;
}
