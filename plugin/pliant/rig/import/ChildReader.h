// SPDX-License-Identifier: Zlib
// A program that reads a file for us, in a process of its own with limits: what a damaged file makes of a library of
// others happens there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pliant::import {

/// What the program may take.
struct ReaderLimits {
    double seconds = 30.0;                             ///< From its start to its end.
    std::uint64_t memory = std::uint64_t{1} << 30;     ///< Bytes of address space.
    std::uint64_t output = std::uint64_t{256} << 20U;  ///< Bytes that it may tell.
};

/// How a program tells that memory was not enough.
constexpr int exitOfMemory = 3;
/// How it ends where it cannot be run at all.
constexpr int exitOfNoProgram = 127;

/// Runs a program to its end and takes what it writes to its standard output. It gets no input, no descriptors of ours,
/// cannot write files, and ends when we do. Nothing of it is left when this returns or throws.
/// @param command the path of the program, and its arguments  @param file that it reads, for errors
/// @throws Error naming the file, for a program that dies, hangs, tells too much or needs too much memory
std::string runReader(const std::vector<std::string>& command, const ReaderLimits& limits, const std::string& file);

/// The path of pliant-import: what PLIANT_IMPORTER says, or libexec/pliant/ beside the folder of this library or
/// program, or of one above it. @param file that is to be read, for errors  @throws Error where there is none
std::string importProgram(const std::string& file);

}  // namespace pliant::import
