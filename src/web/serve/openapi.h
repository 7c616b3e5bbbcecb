// Web: the OpenAPI 3.1 document of the API, made from the descriptions of its views.

#pragma once

#include <string>

namespace parley::web {

/// The same bytes in every build; web/openapi.json is a copy.
std::string openapi_document();

}  // namespace parley::web
