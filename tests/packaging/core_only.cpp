// SPDX-License-Identifier: Zlib
// A program that links Pliant::core and nothing else, as a game ships it: it must link, load a model, step a body, and
// carry no solver of the offline side in its memory.
#include <cstdio>
#include <fstream>
#include <string>

#include "pliant/collision/body/CollisionModel.h"
#include "pliant/runtime/BodyBatch.h"

int main(int argc, char** argv) {
    if (argc != 2) return std::fprintf(stderr, "usage: core_only MODEL.pliant\n"), 1;
    try {
        const std::shared_ptr<const pliant::ReducedModel> model = pliant::loadModel(argv[1]);
        pliant::BodyBatch batch(model, {});
        const int body = batch.add();
        batch.velocity(body).setConstant(0.01);
        batch.step(1.0 / 120.0, {body}, pliant::Workers(1));
        if (!batch.q(body).allFinite() || batch.q(body).norm() == 0.0) return std::fprintf(stderr, "no motion\n"), 1;
    } catch (const std::exception& problem) {
        return std::fprintf(stderr, "%s\n", problem.what()), 1;
    }
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        for (const char* offline : {"mumps", "blas", "lapack", "libBullet", "libosg"}) {
            if (line.find(offline) == std::string::npos) continue;
            return std::fprintf(stderr, "the run time carries %s\n", line.c_str()), 1;
        }
    }
    return 0;
}
