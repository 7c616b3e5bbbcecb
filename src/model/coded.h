// Model: coding and comparing large values is compiled once, in coded_*.cc, not in every file that
// uses it: each such file takes half a minute.

#pragma once

#include "base/codec.h"
#include "model/round.h"

namespace parley {

extern template void write_value<model::OpenAction>(ByteWriter&, const model::OpenAction&,
                                                    const model::OpenAction*);
extern template void read_value<model::OpenAction>(ByteReader&, model::OpenAction&, bool);
extern template bool same<model::OpenAction>(const model::OpenAction&, const model::OpenAction&);

extern template void write_value<model::Ledger>(ByteWriter&, const model::Ledger&,
                                                const model::Ledger*);
extern template void read_value<model::Ledger>(ByteReader&, model::Ledger&, bool);
extern template bool same<model::Ledger>(const model::Ledger&, const model::Ledger&);

extern template void write_value<model::Memory>(ByteWriter&, const model::Memory&,
                                                const model::Memory*);
extern template void read_value<model::Memory>(ByteReader&, model::Memory&, bool);
extern template bool same<model::Memory>(const model::Memory&, const model::Memory&);

extern template void write_value<model::Policy>(ByteWriter&, const model::Policy&,
                                                const model::Policy*);
extern template void read_value<model::Policy>(ByteReader&, model::Policy&, bool);
extern template bool same<model::Policy>(const model::Policy&, const model::Policy&);

extern template void write_value<model::Snapshot>(ByteWriter&, const model::Snapshot&,
                                                  const model::Snapshot*);
extern template void read_value<model::Snapshot>(ByteReader&, model::Snapshot&, bool);
extern template bool same<model::Snapshot>(const model::Snapshot&, const model::Snapshot&);

extern template void write_value<model::RoundInput>(ByteWriter&, const model::RoundInput&,
                                                    const model::RoundInput*);
extern template void read_value<model::RoundInput>(ByteReader&, model::RoundInput&, bool);
extern template bool same<model::RoundInput>(const model::RoundInput&, const model::RoundInput&);

extern template void write_value<model::Decision>(ByteWriter&, const model::Decision&,
                                                  const model::Decision*);
extern template void read_value<model::Decision>(ByteReader&, model::Decision&, bool);
extern template bool same<model::Decision>(const model::Decision&, const model::Decision&);

}  // namespace parley
