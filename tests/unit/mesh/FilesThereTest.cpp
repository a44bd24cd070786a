// SPDX-License-Identifier: Zlib
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "TemporaryFolder.h"
#include "pliant/mesh/FilesThere.h"
#include "pliant/mesh/TextFile.h"

namespace pliant::test {
namespace {

using testing::HasSubstr;

// The system's own answers to such names are exceptions: ENAMETOOLONG, ELOOP and ENOTDIR.
TEST(FilesThere, NamesThatNoFileSystemTakesAreNotThere) {
    const TemporaryFolder folder;
    const std::string file = folder.write("a.txt", "four");
    std::filesystem::create_symlink("loop", folder.path("loop"));
    for (const std::string& name : {folder.path(std::string(5000, 'n')), folder.path("loop"), file + "/below"}) {
        EXPECT_FALSE(files::isFile(name)) << name;
        EXPECT_FALSE(files::isFolder(name)) << name;
        EXPECT_FALSE(files::isThere(name)) << name;
        EXPECT_EQ(files::size(name), 0u) << name;
        EXPECT_FALSE(files::sameName(name).empty()) << name;
    }
    EXPECT_TRUE(files::isFile(file));
    EXPECT_TRUE(files::isThere(file));
    EXPECT_EQ(files::size(file), 4u);
    EXPECT_TRUE(files::isFolder(folder.path("")));
}

TEST(FilesThere, TextDoesNotReplaceWhatIsNoFile) {
    const TemporaryFolder folder;
    const std::string pipe = folder.path("pipe");
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_THAT(errorOf([&] { writeTextFile(pipe, "text"); }), HasSubstr("pipe: is there and no regular file"));
    EXPECT_TRUE(std::filesystem::is_fifo(pipe));
}

// A rename takes the place of a link: --stats /dev/stdout had replaced that link for everybody.
TEST(FilesThere, TextGoesWhereLinksLead) {
    namespace fs = std::filesystem;
    const TemporaryFolder folder;
    const std::string file = folder.write("a.txt", "four"), link = folder.path("link");
    fs::create_symlink("a.txt", link);
    writeTextFile(link, "five");
    EXPECT_TRUE(fs::is_symlink(link));
    EXPECT_EQ(readTextFile(file), "five");

    ASSERT_EQ(mkfifo(folder.path("pipe").c_str(), 0600), 0);
    fs::create_symlink("pipe", folder.path("to_pipe"));
    fs::create_symlink("none", folder.path("to_none"));
    EXPECT_THAT(errorOf([&] { writeTextFile(folder.path("to_pipe"), "text"); }), HasSubstr("no regular file"));
    EXPECT_THAT(errorOf([&] { writeTextFile(folder.path("to_none"), "text"); }), HasSubstr("leads to no file"));
    EXPECT_TRUE(fs::is_symlink(folder.path("to_none")));
    std::ifstream open(file);
    std::string problem;
    for (const fs::path& one : files::listed("/proc/self/fd"))
        if (std::error_code gone; fs::equivalent(one, file, gone)) files::placeOfWholeFile(one, problem);
    EXPECT_EQ(problem, "is there and no regular file") << "it is of the process that asks";
}

TEST(FilesThere, FoldersAreListedByName) {
    const TemporaryFolder folder;
    for (const char* name : {"c", "a", "b"}) folder.write(name, "");
    std::string names;
    for (const std::filesystem::path& path : files::listed(folder.path(""))) names += path.filename().string();
    EXPECT_EQ(names, "abc");
    EXPECT_THAT(errorOf([&] { files::listed(folder.path("none")); }),
                HasSubstr("none: cannot be listed: No such file"));
    EXPECT_THAT(errorOf([&] { files::makeFolder(folder.path("a/below")); }), HasSubstr("a/below: cannot be made"));
}

}  // namespace
}  // namespace pliant::test
