// Where each node stands on the map: by zone, then name, never by value, so that it is found again.

export const pitches = [28, 20, 14, 10, 7, 5] as const;

/** Up to here two maps stand side by side; above, one map of double width. */
export const twoMapsMost = 2500;
/** Above, a cell is a pool of nodes. */
export const cellsMost = 5200;

export interface Layout {
  pitch: number;
  columns: number;
  rows: number;
  perCell: number; // 1, or how many nodes a cell stands for.
  double: boolean; // One map of double width.
  width: number;
  height: number;
}

export const halfWidth = 312;
export const fullWidth = 640;
export const mapHeight = 208;

export function layout(nodes: number, half = halfWidth, full = fullWidth, most = mapHeight): Layout {
  const double = nodes > twoMapsMost;
  const width = double ? full : half;
  const perCell = nodes > cellsMost ? Math.ceil(nodes / cellsMost) : 1;
  const cells = Math.max(1, Math.ceil(nodes / perCell));
  const smallest = pitches[pitches.length - 1] ?? 5;
  const fits = pitches.find((size) => Math.floor(width / size) * Math.floor(most / size) >= cells) ?? smallest;
  // Few nodes stand in one row, if that costs no more than a few pixels of each.
  const oneRow = Math.floor(width / cells);
  const pitch = oneRow >= 24 ? Math.min(oneRow, fits) : fits;
  const columns = Math.max(1, Math.floor(width / pitch));
  const rows = Math.ceil(cells / columns);
  return { pitch, columns, rows, perCell, double, width, height: rows * pitch };
}

/** Column and row of a node. */
export function placeOf(index: number, grid: Layout): { x: number; y: number } {
  const cell = Math.floor(index / grid.perCell);
  return { x: (cell % grid.columns) * grid.pitch, y: Math.floor(cell / grid.columns) * grid.pitch };
}

/** The first node of the cell under a point, or null outside of all. */
export function nodeAt(x: number, y: number, nodes: number, grid: Layout): number | null {
  const column = Math.floor(x / grid.pitch);
  const row = Math.floor(y / grid.pitch);
  if (column < 0 || column >= grid.columns || row < 0) return null;
  const index = (row * grid.columns + column) * grid.perCell;
  return index < nodes ? index : null;
}

/** The next node for an arrow key. */
export function moved(index: number, key: string, nodes: number, grid: Layout): number {
  const steps: Record<string, number> = {
    ArrowRight: grid.perCell,
    ArrowLeft: -grid.perCell,
    ArrowDown: grid.columns * grid.perCell,
    ArrowUp: -grid.columns * grid.perCell,
  };
  const next = key === 'Home' ? 0 : key === 'End' ? nodes - 1 : index + (steps[key] ?? 0);
  return next < 0 || next >= nodes ? index : next;
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

/** The cells with the changes of a round; the same object, as 5,000 are not copied every second. */
export function applied(cells: Cells, round: number, changes: [number, number | null, number][]): Cells {
  for (const [index, risk, flags] of changes) {
    if (index < 0 || index >= cells.names.length) continue;
    cells.risk[index] = risk;
    cells.flags[index] = flags;
  }
  return { ...cells, round };
}

/** Of a pool the worst: highest risk, all flags. */
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

/** Counts by zone, where there is no room for a map. */
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

/** Rows below the map that fit above the fold: what stands above and below the columns is fixed. */
export function rowsThatFit(windowHeight: number, nodes: number, band: boolean): number {
  const around = 424 + (band ? 31 : 0);
  const aboveRows = 116 + layout(nodes).height;
  return Math.max(4, Math.min(12, Math.floor((windowHeight - around - aboveRows) / 28)));
}
