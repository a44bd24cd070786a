// SPDX-License-Identifier: Zlib
#include "pliant/rig/import/ChildReader.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>

#include "pliant/math/Error.h"

namespace pliant::import {

namespace {

constexpr const char* cure = "export it as glTF 2.0 (.glb), which is read directly";

void limit(int what, rlim_t most) {
    const rlimit both{most, most};
    ::setrlimit(static_cast<__rlimit_resource>(what), &both);
}

/// In the child, between fork and exec: only calls that are safe there, since other threads of ours may hold any lock.
[[noreturn]] void become(char* const* arguments, int output, const ReaderLimits& limits) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    // Of a caller without standard descriptors these may be 0 to 2 themselves.
    output = ::fcntl(output, F_DUPFD_CLOEXEC, 3);
    const int nothing = ::fcntl(::open("/dev/null", O_RDWR), F_DUPFD_CLOEXEC, 3);
    if (output < 0 || nothing < 0 || ::dup2(nothing, 0) < 0 || ::dup2(output, 1) < 0 || ::dup2(nothing, 2) < 0)
        ::_exit(exitOfNoProgram);
    ::close_range(3, ~0U, 0);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, 0);
    limit(RLIMIT_CPU, static_cast<rlim_t>(std::ceil(limits.seconds)) + 1);
#ifndef PLIANT_SANITIZED  // the shadow memory of sanitizers is larger than any limit
    limit(RLIMIT_AS, limits.memory);
#endif
    ::execv(arguments[0], arguments);
    ::_exit(exitOfNoProgram);
}

/// A child that is killed and waited for, whatever happens.
class Child {
public:
    Child(const std::vector<std::string>& command, const ReaderLimits& limits, const std::string& file) {
        std::vector<char*> arguments;
        for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
        arguments.push_back(nullptr);
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0) throw Error(file, "there is no pipe to its reader");
        m_pid = ::fork();
        if (m_pid == 0) become(arguments.data(), ends[1], limits);
        ::close(ends[1]);
        m_output = ends[0];
        if (m_pid < 0) {
            ::close(m_output);
            throw Error(file, "there is no process for its reader");
        }
    }
    ~Child() {
        end();
        ::close(m_output);
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    int output() const { return m_output; }
    pid_t pid() const { return m_pid; }

    /// Kills it and waits.
    void end() {
        if (m_pid <= 0) return;
        ::kill(m_pid, SIGKILL);
        wait();
    }
    /// @return its status; that of a success where somebody else has waited for it
    int wait() {
        int status = 0;
        pid_t waited = 0;
        do waited = ::waitpid(m_pid, &status, 0);
        while (waited < 0 && errno == EINTR);
        m_pid = -1;
        return waited < 0 ? 0 : status;
    }

private:
    pid_t m_pid = -1;
    int m_output = -1;
};

using Clock = std::chrono::steady_clock;

std::string shortNumber(double seconds) {
    const std::string text = std::to_string(seconds);
    return text.substr(0, text.find('.') + 2);
}

/// Waits until there is something to read, or time is up.
void waitFor(const Child& child, Clock::time_point deadline, const ReaderLimits& limits, const std::string& file) {
    while (true) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
        if (left <= 0) throw Error(file, "takes longer to read than " + shortNumber(limits.seconds) + " s", cure);
        pollfd ready{child.output(), POLLIN, 0};
        const int count = ::poll(&ready, 1, static_cast<int>(std::min<long long>(left, 1000)));
        if (count > 0) return;
    }
}

std::string takeAll(const Child& child, const ReaderLimits& limits, const std::string& file) {
    const auto deadline =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limits.seconds));
    std::string all;
    std::vector<char> some(1 << 16);
    while (true) {
        waitFor(child, deadline, limits, file);
        const ssize_t count = ::read(child.output(), some.data(), some.size());
        if (count == 0) return all;
        if (count < 0) {
            if (errno == EINTR || errno == EAGAIN) continue;
            throw Error(file, "what its reader tells cannot be read");
        }
        if (all.size() + static_cast<std::size_t>(count) > limits.output)
            throw Error(file, "becomes larger than " + std::to_string(limits.output >> 20U) + " MiB", cure);
        all.append(some.data(), static_cast<std::size_t>(count));
    }
}

void checkStatus(int status, const ReaderLimits& limits, const std::string& command, const std::string& file) {
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
        throw Error(file, "takes longer to read than " + shortNumber(limits.seconds) + " s", cure);
    if (WIFSIGNALED(status))
        throw Error(file, std::string("its reader was ended by a signal (") + ::strsignal(WTERMSIG(status)) + ")",
                    std::string("the file may be damaged; ") + cure);
    if (WEXITSTATUS(status) == exitOfMemory)
        throw Error(file, "takes more than " + std::to_string(limits.memory >> 20U) + " MiB to read", cure);
    if (WEXITSTATUS(status) == exitOfNoProgram)
        throw Error(file, "\"" + command + "\", which reads such files, cannot be run", "install Pliant again");
    if (WEXITSTATUS(status) != 0)
        throw Error(file, "its reader ended with the code " + std::to_string(WEXITSTATUS(status)), cure);
}

}  // namespace

std::string runReader(const std::vector<std::string>& command, const ReaderLimits& limits, const std::string& file) {
    Child child(command, limits, file);
    const std::string all = takeAll(child, limits, file);
    // It has closed its output and has nothing more to do; one that goes on all the same ends here.
    const auto deadline = Clock::now() + std::chrono::seconds(2);
    siginfo_t ended{};
    while (true) {
        ended.si_pid = 0;
        if (::waitid(P_PID, static_cast<id_t>(child.pid()), &ended, WEXITED | WNOHANG | WNOWAIT) != 0) break;
        if (ended.si_pid != 0) break;
        if (Clock::now() > deadline) throw Error(file, "its reader does not end", cure);
        ::usleep(500);
    }
    checkStatus(child.wait(), limits, command.front(), file);
    return all;
}

}  // namespace pliant::import
