#include "model/coded.h"

namespace parley {

template void write_value<model::Ledger>(ByteWriter&, const model::Ledger&, const model::Ledger*);
template void read_value<model::Ledger>(ByteReader&, model::Ledger&, bool);
template bool same<model::Ledger>(const model::Ledger&, const model::Ledger&);

template void write_value<model::Memory>(ByteWriter&, const model::Memory&, const model::Memory*);
template void read_value<model::Memory>(ByteReader&, model::Memory&, bool);
template bool same<model::Memory>(const model::Memory&, const model::Memory&);

template void write_value<model::Policy>(ByteWriter&, const model::Policy&, const model::Policy*);
template void read_value<model::Policy>(ByteReader&, model::Policy&, bool);
template bool same<model::Policy>(const model::Policy&, const model::Policy&);

}  // namespace parley
