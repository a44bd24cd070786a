// SPDX-License-Identifier: Zlib
// What a world and a scene have in common: stepping, and the arrays that follow.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "BodyArrays.h"

class btPliantSystem;

namespace pliant::python {

class Simulation {
public:
    virtual ~Simulation() = default;
    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;

    virtual btPliantSystem& system() = 0;
    /// Before anything is touched. @throws Error where another thread steps just now
    void expectIdle() const;
    /// Has all arrays follow. Needs the interpreter's lock.
    void refresh();

protected:
    Simulation() = default;
    /// Calls `one` a number of times without the interpreter's lock; Ctrl+C ends the loop. Arrays follow at the end.
    void advance(int count, const std::function<void()>& one);

    std::vector<std::shared_ptr<BodyArrays>> m_arrays;

private:
    std::atomic<bool> m_isStepping = false;
};

void addSimulation(py::module_& module);

}  // namespace pliant::python
