#include "model/coded.h"

namespace parley {

template void write_value<model::OpenAction>(ByteWriter&, const model::OpenAction&,
                                             const model::OpenAction*);
template void read_value<model::OpenAction>(ByteReader&, model::OpenAction&, bool);
template bool same<model::OpenAction>(const model::OpenAction&, const model::OpenAction&);

template void write_value<model::Decision>(ByteWriter&, const model::Decision&,
                                           const model::Decision*);
template void read_value<model::Decision>(ByteReader&, model::Decision&, bool);
template bool same<model::Decision>(const model::Decision&, const model::Decision&);

}  // namespace parley
