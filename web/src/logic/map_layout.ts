// Where each node is on the map: by zone, then name, never by value, so that it can be found again.

export const pitches = [28, 20, 14, 10, 7, 5] as const;

/** Up to this many nodes there are two maps side by side; above, one map of double width. */
export const twoMapsMost = 2500;
/** With more nodes, a cell stands for several. */
export const cellsMost = 5200;

/** The nodes of one zone, which are adjacent. */
export interface Block {
  zone: string;
  first: number; // Index of its first node.
  nodes: number;
  left: number;
  columns: number;
}

export interface Layout {
  pitch: number;
  rows: number;
  perCell: number; // 1, or the number of nodes per cell.
  double: boolean; // One map of double width.
  blocks: Block[];
  width: number;
  height: number;
}

export const halfWidth = 312;
export const fullWidth = 640;
export const mapHeight = 208;
/** On a phone, which has a small screen. */
export const phoneMapHeight = 104;
/** Height of the line above the maps that names the zones, if there are several. */
export const zoneLine = 14;

const blocksMost = 24; // With more zones, the gaps would take more room than the order is worth.
const gapOf = (pitch: number): number => (pitch >= 14 ? 8 : 5);

type Zone = Pick<Block, 'zone' | 'first' | 'nodes'>;

/** The zones in the order of the nodes, which are sorted by them; a single one if there are too many. */
export function zonesOf(zones: readonly string[]): Zone[] {
  const found: Zone[] = [];
  zones.forEach((zone, first) => {
    const last = found[found.length - 1];
    if (last !== undefined && last.zone === zone) last.nodes += 1;
    else found.push({ zone, first, nodes: 1 });
  });
  return found.length > blocksMost ? [{ zone: '', first: 0, nodes: zones.length }] : found;
}

const columnsOf = (zone: Zone, rows: number, perCell: number): number => Math.ceil(Math.ceil(zone.nodes / perCell) / rows);

/** The smallest number of rows with which all zones fit side by side; null: not at this pitch. */
function rowsAt(zones: readonly Zone[], pitch: number, perCell: number, width: number, most: number): number | null {
  const room = Math.floor((width - gapOf(pitch) * (zones.length - 1)) / pitch);
  for (let rows = 1; rows * pitch <= most; rows += 1) {
    if (zones.reduce((sum, zone) => sum + columnsOf(zone, rows, perCell), 0) <= room) return rows;
  }
  return null;
}

/** The largest pitch that fits; few nodes go into one row if that costs only a few pixels of each. */
function pitchFor(zones: readonly Zone[], perCell: number, width: number, most: number): { pitch: number; rows: number } | null {
  const cells = zones.reduce((sum, zone) => sum + columnsOf(zone, 1, perCell), 0);
  const oneRow = Math.floor((width - gapOf(28) * (zones.length - 1)) / cells);
  if (oneRow >= 24) return { pitch: Math.min(oneRow, pitches[0]), rows: 1 };
  for (const pitch of pitches) {
    const rows = rowsAt(zones, pitch, perCell, width, most);
    if (rows !== null) return { pitch, rows };
  }
  return null;
}

/** Zones side by side, each a block of equally many rows; a single block for one zone. */
export function layout(zones: readonly Zone[], half = halfWidth, full = fullWidth, most = mapHeight): Layout {
  const nodes = zones.reduce((sum, zone) => sum + zone.nodes, 0);
  const double = nodes > twoMapsMost;
  const width = double ? full : half;
  let perCell = nodes > cellsMost ? Math.ceil(nodes / cellsMost) : 1;
  let fits = pitchFor(zones, perCell, width, most);
  while (fits === null && perCell < nodes) {
    perCell += 1;
    fits = pitchFor(zones, perCell, width, most);
  }
  const { pitch, rows } = fits ?? { pitch: pitches[0], rows: 1 };
  let left = 0;
  const blocks = zones.map((zone) => {
    const block = { ...zone, left, columns: columnsOf(zone, rows, perCell) };
    left += block.columns * pitch + gapOf(pitch);
    return block;
  });
  return { pitch, rows, perCell, double, blocks, width, height: rows * pitch };
}

const blockOf = (index: number, grid: Layout): Block | undefined => grid.blocks.findLast((block) => block.first <= index);

/** Place of a node's cell. */
export function placeOf(index: number, grid: Layout): { x: number; y: number } {
  const block = blockOf(index, grid);
  if (block === undefined) return { x: 0, y: 0 };
  const cell = Math.floor((index - block.first) / grid.perCell);
  return { x: block.left + (cell % block.columns) * grid.pitch, y: Math.floor(cell / block.columns) * grid.pitch };
}

/** How many nodes a cell stands for, by its first one: a cell never mixes two zones. */
export function poolSize(first: number, grid: Layout): number {
  const block = blockOf(first, grid);
  return block === undefined ? 1 : Math.min(grid.perCell, block.first + block.nodes - first);
}

/** The first node of every cell. */
export function cellsFirst(grid: Layout): number[] {
  return grid.blocks.flatMap((block) => Array.from({ length: Math.ceil(block.nodes / grid.perCell) }, (_, i) => block.first + i * grid.perCell));
}

/** The first node of the cell under a point; null: outside of all. */
export function nodeAt(x: number, y: number, grid: Layout): number | null {
  const block = grid.blocks.find((one) => x >= one.left && x < one.left + one.columns * grid.pitch);
  if (block === undefined || y < 0) return null;
  const cell = Math.floor(y / grid.pitch) * block.columns + Math.floor((x - block.left) / grid.pitch);
  return cell * grid.perCell < block.nodes ? block.first + cell * grid.perCell : null;
}

/** The next node for an arrow key: sideways through all zones, up and down within one. */
export function moved(index: number, key: string, grid: Layout): number {
  const firsts = cellsFirst(grid);
  const at = firsts.findLastIndex((first) => first <= index);
  const block = blockOf(index, grid);
  if (block === undefined) return index;
  const down = block.columns * (key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0);
  if (down !== 0) {
    const next = firsts[at + down];
    return next !== undefined && blockOf(next, grid) === block ? next : index;
  }
  const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
  return (key === 'Home' ? firsts[0] : key === 'End' ? firsts[firsts.length - 1] : firsts[at + step]) ?? index;
}

/** Names of zones without their common beginning: "eu-1a", "eu-1b" become "1a" and "1b". */
export function zoneLabels(zones: readonly string[]): string[] {
  const parts = zones.map((zone) => zone.split(/(?<=[-_./:])/));
  let same = 0;
  while (parts.every((words) => words.length > same + 1 && words[same] === parts[0]?.[same])) same += 1;
  return parts.map((words) => words.slice(same).join('') || 'no zone');
}

/** Flags of a cell, as the stream sends them. */
export const flag = { over: 1, missing: 2, notReady: 4, aside: 8, differs: 16 } as const;

export interface Cells {
  round: number;
  names: string[];
  zones: string[];
  risk: (number | null)[];
  flags: number[];
}

export function cellsOf(map: {
  round: number; names: string[]; zones: string[]; risk: (number | null)[];
  over: number[]; missing: number[]; not_ready: number[]; aside: number[]; differs: number[];
}): Cells {
  const flags = new Array<number>(map.names.length).fill(0);
  const put = (indexes: number[], bit: number): void => {
    for (const index of indexes) flags[index] = (flags[index] ?? 0) | bit;
  };
  put(map.over, flag.over);
  put(map.missing, flag.missing);
  put(map.not_ready, flag.notReady);
  put(map.aside, flag.aside);
  put(map.differs, flag.differs);
  return { round: map.round, names: map.names, zones: map.zones, risk: [...map.risk], flags };
}

/** Applies the changes of a round to the cells, in place: 5,000 are not copied every second. */
export function applied(cells: Cells, round: number, changes: [number, number | null, number][]): Cells {
  for (const [index, risk, flags] of changes) {
    if (index < 0 || index >= cells.names.length) continue;
    cells.risk[index] = risk;
    cells.flags[index] = flags;
  }
  return { ...cells, round };
}

/** For a cell of several nodes: the highest risk, all flags. */
export function poolOf(cells: Cells, first: number, perCell: number): { risk: number | null; flags: number } {
  let risk: number | null = null;
  let flags = 0;
  for (let i = first; i < Math.min(first + perCell, cells.names.length); i += 1) {
    const own = cells.risk[i] ?? null;
    if (own !== null && (risk === null || own > risk)) risk = own;
    flags |= cells.flags[i] ?? 0;
  }
  return { risk, flags };
}

export interface ZoneCount {
  zone: string;
  nodes: number;
  over: number;
  notReady: number;
  missing: number;
}

/** Counts by zone, if there is no room for a map. */
export function byZone(cells: Cells): ZoneCount[] {
  const zones = new Map<string, ZoneCount>();
  cells.names.forEach((_, i) => {
    const zone = cells.zones[i] || 'no zone';
    const counts = zones.get(zone) ?? { zone, nodes: 0, over: 0, notReady: 0, missing: 0 };
    const flags = cells.flags[i] ?? 0;
    counts.nodes += 1;
    if ((flags & flag.over) !== 0) counts.over += 1;
    if ((flags & flag.notReady) !== 0) counts.notReady += 1;
    if ((flags & flag.missing) !== 0) counts.missing += 1;
    zones.set(zone, counts);
  });
  return [...zones.values()];
}

/** How many rows below the map fit above the fold: what is above and below the columns has a fixed height. */
export function rowsThatFit(windowHeight: number, zones: readonly Zone[], band: boolean): number {
  const around = 424 + (band ? 31 : 0);
  const aboveRows = 116 + layout(zones).height + (zones.length > 1 ? zoneLine : 0);
  return Math.max(4, Math.min(12, Math.floor((windowHeight - around - aboveRows) / 28)));
}
