// SPDX-License-Identifier: Zlib
// A program that reads from us. No shell is involved, so no character of an argument has a meaning.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <vector>

namespace osgPliant {

class ChildProcess {
public:
    ChildProcess() = default;
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    /// @param words program (looked up in PATH) and arguments
    /// @return empty, or why it could not be started
    std::string start(const std::vector<std::string>& words);
    bool isRunning() const { return _pid > 0; }

    /// To its standard input. False once it stopped reading; this process gets no SIGPIPE.
    bool write(const unsigned char* data, std::size_t bytes);
    /// Ends its input and waits. True if it ended with status 0.
    bool finish();
    void kill();

    int exitStatus() const { return _status; }
    /// The last line it wrote to standard error, up to finish().
    std::string lastErrorLine() const;

private:
    void wait();

    pid_t _pid = -1;
    int _input = -1;
    int _errorFile = -1;  ///< unlinked temporary file: a pipe that nobody reads would block the child
    int _status = 0;
    std::string _errors;
};

/// Runs a program to its end and collects its standard output. @return empty, or why it failed
std::string runAndRead(const std::vector<std::string>& words, std::string& output);

}  // namespace osgPliant
