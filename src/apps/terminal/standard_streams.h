// App: the program's standard streams: kept open from the start, and checked at the end for output
// that could not be written.

#pragma once

namespace parley::app {

/// Without this, the first file that is opened would take the number of a closed output and receive
/// what is printed.
void keep_standard_streams();

/// If printed output could not be written, says so and returns kFailed instead of kDone, since half
/// a file is no answer. A reader that left (`parley why RUN | head`) does not count.
int status_when_printed(int status);

}  // namespace parley::app
