// SPDX-License-Identifier: Zlib
#include "osgPliant/ChildProcess.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

extern char** environ;

namespace osgPliant {

namespace {

std::vector<char*> toArgv(const std::vector<std::string>& words) {
    std::vector<char*> argv;
    for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    return argv;
}

/// Starts `words` with the given descriptors as its standard ones; -1 stands for /dev/null.
std::string spawn(const std::vector<std::string>& words, int input, int output, int errors, pid_t& pid) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    const int wanted[3] = {input, output, errors};
    for (int descriptor = 0; descriptor < 3; ++descriptor) {
        if (wanted[descriptor] >= 0) {
            posix_spawn_file_actions_adddup2(&actions, wanted[descriptor], descriptor);
        } else {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0);
        }
    }
    // In a process group of its own: Ctrl-C in a terminal goes to the whole group of the program, which is to end the
    // film itself. When it dies, the child's input ends.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    const int failure = posix_spawnp(&pid, words[0].c_str(), &actions, &attributes, toArgv(words).data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (failure == 0) return {};
    pid = -1;
    return "cannot start the program '" + words[0] + "': " + std::strerror(failure);
}

std::string readAll(int descriptor) {
    std::string text;
    char buffer[4096];
    for (;;) {
        const ssize_t got = ::read(descriptor, buffer, sizeof buffer);
        if (got > 0) text.append(buffer, static_cast<std::size_t>(got));
        if (got == 0 || (got < 0 && errno != EINTR)) return text;
    }
}

int waitFor(pid_t pid) {
    int status = 0;
    while (waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR) return 127;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// SIGPIPE held back from this thread while it writes; one that came meanwhile is swallowed.
class WithoutSigpipe {
public:
    WithoutSigpipe() {
        sigemptyset(&_pipe);
        sigaddset(&_pipe, SIGPIPE);
        sigset_t pending;
        sigpending(&pending);
        _pendingBefore = sigismember(&pending, SIGPIPE) == 1;
        pthread_sigmask(SIG_BLOCK, &_pipe, &_before);
    }
    ~WithoutSigpipe() {
        const timespec now = {0, 0};
        if (!_pendingBefore) {
            while (sigtimedwait(&_pipe, nullptr, &now) < 0 && errno == EINTR) {
            }
        }
        pthread_sigmask(SIG_SETMASK, &_before, nullptr);
    }
    WithoutSigpipe(const WithoutSigpipe&) = delete;
    WithoutSigpipe& operator=(const WithoutSigpipe&) = delete;

private:
    sigset_t _pipe, _before;
    bool _pendingBefore;
};

}  // namespace

ChildProcess::~ChildProcess() {
    if (isRunning()) kill();
    if (_errorFile >= 0) ::close(_errorFile);
}

std::string ChildProcess::start(const std::vector<std::string>& words) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return std::string("no pipe: ") + std::strerror(errno);
    if (_errorFile >= 0) ::close(_errorFile);
    _errorFile = memfd_create("errors", MFD_CLOEXEC);
    _errors.clear();
    const std::string problem = spawn(words, ends[0], -1, _errorFile, _pid);
    ::close(ends[0]);
    _input = ends[1];
    if (!problem.empty()) {
        ::close(_input);
        _input = -1;
    }
    return problem;
}

bool ChildProcess::write(const unsigned char* data, std::size_t bytes) {
    const WithoutSigpipe guard;
    while (bytes > 0) {
        const ssize_t done = ::write(_input, data, bytes);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        data += done;
        bytes -= static_cast<std::size_t>(done);
    }
    return true;
}

void ChildProcess::wait() {
    if (_input >= 0) ::close(_input);
    _input = -1;
    _status = waitFor(_pid);
    _pid = -1;
    if (_errorFile < 0) return;
    lseek(_errorFile, 0, SEEK_SET);
    _errors = readAll(_errorFile);
}

bool ChildProcess::finish() {
    if (!isRunning()) return false;
    wait();
    return _status == 0;
}

void ChildProcess::kill() {
    if (!isRunning()) return;
    ::kill(_pid, SIGKILL);
    wait();
}

std::string ChildProcess::lastErrorLine() const {
    const std::size_t last = _errors.find_last_not_of("\r\n");
    if (last == std::string::npos) return {};
    const std::size_t start = _errors.find_last_of("\r\n", last);
    return _errors.substr(start == std::string::npos ? 0 : start + 1,
                          last - (start == std::string::npos ? 0 : start + 1) + 1);
}

std::string runAndRead(const std::vector<std::string>& words, std::string& output) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return std::string("no pipe: ") + std::strerror(errno);
    pid_t pid = -1;
    const std::string problem = spawn(words, -1, ends[1], -1, pid);
    ::close(ends[1]);
    if (problem.empty()) output = readAll(ends[0]);
    ::close(ends[0]);
    if (!problem.empty()) return problem;
    const int status = waitFor(pid);
    return status == 0 ? std::string() : "'" + words[0] + "' ended with status " + std::to_string(status);
}

}  // namespace osgPliant
