// SPDX-License-Identifier: Zlib
// A program that links Pliant::reduce from the installed package: the library is complete, and its errors arrive by
// type.
#include <pliant/control_lattice/MakeControlLattice.h>
#include <pliant/math/Error.h>
#include <pliant/reduce/Reduce.h>

#include <cstdio>
#include <cstring>

int main() {
    using Make =
        pliant::ControlLattice (*)(const pliant::Rig&, const pliant::ControlLatticeOptions&, const std::string&);
    const volatile Make make = &pliant::makeControlLattice;  // links Qhull where libraries are static
    if (!make) return 1;
    try {
        pliant::reduceFile("no such file.obj", pliant::ReduceOptions());
    } catch (const pliant::Error& problem) {
        if (std::strstr(problem.what(), "no such file.obj")) return 0;
        return std::fprintf(stderr, "another error was expected: %s\n", problem.what()), 1;
    } catch (...) {
        return std::fprintf(stderr, "the error is none of Pliant's\n"), 1;
    }
    return std::fprintf(stderr, "an error was expected\n"), 1;
}
