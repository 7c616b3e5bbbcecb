#include "apps/terminal/standard_streams.h"

#include "apps/terminal/cli.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <iostream>
#include <poll.h>
#include <unistd.h>

namespace parley::app {
namespace {

bool nobody_listens() {
    pollfd out{.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
    return ::poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0;
}

}  // namespace

void keep_standard_streams() {
    for (int place = STDIN_FILENO; place <= STDERR_FILENO; ++place) {
        if (::fcntl(place, F_GETFD) == -1) (void)::open("/dev/null", O_RDONLY);
    }
}

int status_when_printed(int status) {
    std::cout.flush();
    const bool flushed = std::fflush(stdout) == 0;
    const int why = errno;
    if ((flushed && std::ferror(stdout) == 0 && std::cout.good()) || nobody_listens()) {
        return status;
    }
    std::fprintf(stderr, "error: what was printed could not be written%s%s\n", flushed ? "" : ": ",
                 flushed ? "" : std::strerror(why));
    return status == kDone ? kFailed : status;
}

}  // namespace parley::app
