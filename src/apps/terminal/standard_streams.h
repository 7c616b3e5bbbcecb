// App: the program's own input and outputs: kept in their places at the start, and looked at in the
// end: whether all that was printed has been written.

#pragma once

namespace parley::app {

/// Without this, the first file that is opened would take the place of an output that was closed,
/// and get what is printed.
void keep_standard_streams();

/// What was printed and could not be written is a failure, since half a file is no answer: says so,
/// and gives kFailed instead of kDone. A reader who left (`parley why RUN | head`) is none.
int status_when_printed(int status);

}  // namespace parley::app
