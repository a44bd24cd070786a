// SPDX-License-Identifier: Zlib
// Progress of long work, told to a Python callable; Ctrl+C ends the work.
#pragma once

#include <pybind11/pybind11.h>

#include <exception>

#include "pliant/math/Progress.h"

namespace pliant::python {

namespace py = pybind11;

/// Asks Python whether Ctrl+C was pressed. Needs the interpreter's lock. @throws py::error_already_set where it was
inline void expectNoSignal() {
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

/// Calls a Python callable from work that runs without the interpreter's lock. What it raises ends the work, and is
/// raised again by rethrow().
class PythonProgress {
public:
    /// @param callable gets the stage's name and the share of it that is done; False cancels. None: nobody is told
    explicit PythonProgress(py::object callable) : m_callable(std::move(callable)) {}

    /// For the library; this has to outlive it.
    ProgressCallback callback() {
        return [this](const std::string& stage, double share) { return tell(stage, share); };
    }
    /// Raises what the callable raised. Needs the interpreter's lock.
    void rethrow() const {
        if (m_raised) std::rethrow_exception(m_raised);
    }

private:
    bool tell(const std::string& stage, double share) {
        const py::gil_scoped_acquire lock;
        try {
            expectNoSignal();
            return m_callable.is_none() || !m_callable(stage, share).is(py::bool_(false));
        } catch (...) {
            m_raised = std::current_exception();
            return false;
        }
    }

    py::object m_callable;
    std::exception_ptr m_raised;
};

/// Does work without the interpreter's lock. @throws what the callable raised, else what the work throws
template <typename Work>
auto withProgress(const py::object& callable, const Work& work) {
    PythonProgress progress(callable);
    try {
        const py::gil_scoped_release unlocked;
        return work(progress.callback());
    } catch (const Cancelled&) {
        progress.rethrow();
        throw;
    }
}

}  // namespace pliant::python
