// Web: what Kubernetes and the sources show of the cluster in a round. Pure.

#pragma once

#include "layers/explanation/telling/narrator.h"
#include "web/views/views_round.h"

namespace parley::web {

/// A reading at `now`: late if it is older than `limit`. Values are divided by `divisor`.
ReadingView reading_view(const model::Reading<std::int64_t>& reading, TimePoint now, Duration limit,
                         double divisor = 1);
/// A view without a value, with the reason.
ReadingView missing_view(std::string why);
/// A value that is computed here and so as fresh as the round.
ReadingView known_view(double value, std::string source);

ClusterView cluster_view(const explanation::Told& told);
std::vector<SourceView> source_views(const model::RoundInput& input);
/// Nothing: no exerciser is running.
std::optional<StimulusView> stimulus_view(const explanation::Told& told);

}  // namespace parley::web
