#include "model/coded.h"

namespace parley {

template void write_value<model::Snapshot>(ByteWriter&, const model::Snapshot&,
                                           const model::Snapshot*);
template void read_value<model::Snapshot>(ByteReader&, model::Snapshot&, bool);
template bool same<model::Snapshot>(const model::Snapshot&, const model::Snapshot&);

template void write_value<model::RoundInput>(ByteWriter&, const model::RoundInput&,
                                             const model::RoundInput*);
template void read_value<model::RoundInput>(ByteReader&, model::RoundInput&, bool);
template bool same<model::RoundInput>(const model::RoundInput&, const model::RoundInput&);

}  // namespace parley
