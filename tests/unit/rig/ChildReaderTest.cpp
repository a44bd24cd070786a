// SPDX-License-Identifier: Zlib
// Programs that read for us and do what they should not: each is one message, and nothing of them is left.
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>

#include "TextRigs.h"
#include "TwoBones.h"
#include "pliant/rig/import/ChildReader.h"
#include "pliant/rig/import/ImportFile.h"

namespace pliant::test {
namespace {

using import::ReaderLimits;
using import::runReader;
using testing::AllOf;
using testing::HasSubstr;

int openDescriptors() {
    int count = 0;
    for ([[maybe_unused]] const auto& one : std::filesystem::directory_iterator("/proc/self/fd")) ++count;
    return count;
}

/// What a shell script told, or the message. @throws nothing: it fails where a child or a descriptor is left
std::string run(const std::string& script, const ReaderLimits& limits = {}) {
    const int before = openDescriptors();
    std::string told;
    const std::string message = errorOf([&] { told = runReader({"/bin/sh", "-c", script}, limits, "fox.fbx"); });
    EXPECT_EQ(openDescriptors(), before);
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a child is left";
    return message.empty() ? told : message;
}

TEST(ChildReader, WhatItWritesComesWhole) {
    EXPECT_EQ(run("printf hello; echo no >&2"), "hello");
    EXPECT_EQ(run("cat"), "") << "there is no input";
    EXPECT_EQ(run("head -c 1000000 /dev/zero").size(), 1000000U);
}

TEST(ChildReader, HangingOnesAreEnded) {
    ReaderLimits limits;
    limits.seconds = 0.3;
    const auto start = std::chrono::steady_clock::now();
    EXPECT_THAT(run("exec sleep 100", limits),
                AllOf(HasSubstr("fox.fbx: takes longer to read than 0.3 s"), HasSubstr("glTF")));
    EXPECT_THAT(run("exec 1>&-; exec sleep 100", limits), HasSubstr("does not end"));
    EXPECT_THAT(run("while :; do echo x; done", limits), HasSubstr("takes longer"));
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    EXPECT_LT(took.count(), 20.0);
}

TEST(ChildReader, DeadOnesAreTold) {
    EXPECT_THAT(run("kill -9 $$"),
                AllOf(HasSubstr("fox.fbx: its reader was ended by a signal (Killed)"), HasSubstr("glTF")));
    EXPECT_THAT(run("echo half; kill -SEGV $$"), HasSubstr("ended by a signal (Segmentation fault)"));
    EXPECT_THAT(run("exit 3"), HasSubstr("takes more than 1024 MiB"));
    EXPECT_THAT(run("exit 9"), HasSubstr("with the code 9"));
    EXPECT_THAT(errorOf([] {
                    runReader({"/nowhere/reader", "x"}, {}, "fox.fbx");
                }),
                HasSubstr("fox.fbx: \"/nowhere/reader\", which reads such files, cannot be run"));
}

TEST(ChildReader, TooMuchOutputIsRefused) {
    ReaderLimits limits;
    limits.output = 1 << 20;
    EXPECT_THAT(run("exec cat /dev/zero", limits), HasSubstr("becomes larger than 1 MiB"));
}

TEST(ChildReader, MemoryIsLimited) {
#ifdef PLIANT_SANITIZED
    GTEST_SKIP() << "sanitizers need address space without limits";
#else
    ReaderLimits limits;
    limits.memory = std::uint64_t{1} << 29;
    EXPECT_EQ(run("ulimit -v", limits), "524288\n");
    const TemporaryFolder folder;
    const std::string path = folder.write("fox.bvh", twoBonedBvh());
    std::filesystem::resize_file(path, std::uintmax_t{1} << 30);  // a hole: takes no space, and is read as a whole
    EXPECT_THAT(errorOf([&] {
                    runReader({import::importProgram(path), "motion", path, path}, limits, path);
                }),
                HasSubstr("fox.bvh: takes more than 512 MiB to read"));
#endif
}

TEST(ChildReader, ItHasNoDescriptorsOfOursAndWritesNoFiles) {
    const TemporaryFolder folder;
    const std::string path = folder.write("open.txt", "secret");
    FILE* ours = std::fopen(path.c_str(), "r");  // without the flag that closes it
    ASSERT_NE(ours, nullptr);
    EXPECT_EQ(run("for f in /proc/$$/fd/*; do readlink $f; done | grep -c open.txt"),
              "fox.fbx: its reader ended with the code 1; export it as glTF 2.0 (.glb), which is read directly");
    std::fclose(ours);
    run("echo text > '" + folder.path("new.txt") + "'");
    std::error_code ignored;
    EXPECT_TRUE(!std::filesystem::exists(folder.path("new.txt")) ||
                std::filesystem::file_size(folder.path("new.txt"), ignored) == 0);
}

TEST(ChildReader, MessagesThatAreCutOrBentAreRefused) {
    const std::string whole = import::packImported({"the rig", {"a note"}}, "");
    EXPECT_EQ(import::unpackImported(whole, "f").glb, "the rig");
    EXPECT_EQ(import::unpackImported(whole, "f").notes, std::vector<std::string>{"a note"});
    for (std::size_t length = 0; length < whole.size(); ++length)
        EXPECT_THAT(errorOf([&] { import::unpackImported(whole.substr(0, length), "fox.x"); }),
                    HasSubstr("fox.x: its reader told nothing that makes sense"));
    EXPECT_THAT(errorOf([&] { import::unpackImported(whole + "x", "f"); }), HasSubstr("nothing that makes sense"));
    EXPECT_EQ(errorOf([&] { import::unpackImported(import::packImported({}, "f: is bad; mend it"), "f"); }),
              "f: is bad; mend it");
}

}  // namespace
}  // namespace pliant::test
