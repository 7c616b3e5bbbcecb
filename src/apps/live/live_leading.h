// App: who leads, from the Lease as a live run knows it to what people are told. Pure.

#pragma once

#include "base/time.h"
#include "kube/write/leader.h"
#include "layers/explanation/wording/leading.h"

namespace parley::app {

/// `now` is when that was known.
explanation::Leading leading_of(const kube::Leadership& known, TimePoint now);

}  // namespace parley::app
