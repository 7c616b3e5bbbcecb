import { describe, expect, it } from 'vitest';

import { applied, byZone, cellsOf, flag, layout, moved, nodeAt, placeOf, poolOf, rowsThatFit } from './map_layout';

describe('the map of nodes', () => {
  it.each([
    [1, 28, 1], [11, 28, 1], [12, 26, 1], [13, 24, 1], [14, 28, 2], [77, 28, 7], [78, 20, 6], [150, 20, 10], [300, 14, 14],
    [600, 10, 20], [1200, 7, 28], [2500, 5, 41],
  ])('%s nodes stand %s px apart in %s rows', (nodes, pitch, rows) => {
    const grid = layout(nodes);
    expect([grid.pitch, grid.rows, grid.double]).toEqual([pitch, rows, false]);
    expect(grid.height).toBeLessThanOrEqual(208);
  });

  it('above 2,500 there is one map, above 5,200 a cell is a pool', () => {
    expect(layout(2501)).toMatchObject({ double: true, width: 640, perCell: 1 });
    expect(layout(5000)).toMatchObject({ pitch: 5, perCell: 1 });
    expect(layout(5201).perCell).toBe(2);
    expect(layout(15_000)).toMatchObject({ perCell: 3, pitch: 5 });
    expect(layout(15_000).height).toBeLessThanOrEqual(208);
  });

  it('finds every node at its own place, and none outside', () => {
    for (const nodes of [1, 12, 150, 5000, 6000]) {
      const grid = layout(nodes);
      for (let i = 0; i < nodes; i += grid.perCell) {
        const { x, y } = placeOf(i, grid);
        expect(nodeAt(x + 1, y + 1, nodes, grid)).toBe(i);
      }
      expect(nodeAt(-1, 0, nodes, grid)).toBeNull();
      expect(nodeAt(0, grid.height + 1, nodes, grid)).toBeNull();
    }
  });

  it('arrows walk it and stop at its edges', () => {
    const grid = layout(78);
    expect(moved(0, 'ArrowLeft', 78, grid)).toBe(0);
    expect(moved(0, 'ArrowRight', 78, grid)).toBe(1);
    expect(moved(0, 'ArrowDown', 78, grid)).toBe(grid.columns);
    expect(moved(77, 'ArrowDown', 78, grid)).toBe(77);
    expect([moved(5, 'Home', 78, grid), moved(5, 'End', 78, grid)]).toEqual([0, 77]);
  });

  const map = {
    round: 4, names: ['a', 'b', 'c'], zones: ['x', 'x', ''], risk: [0.1, null, 0.9],
    over: [2], missing: [1], not_ready: [1], aside: [], differs: [2], sorted: 'zone, name',
  };

  it('takes the changed cells of a round', () => {
    const cells = cellsOf(map);
    expect(cells.flags).toEqual([0, flag.missing | flag.notReady, flag.over | flag.differs]);
    const next = applied(cells, 5, [[1, 0.5, 0], [7, 1, 1]]);
    expect([next.round, next.risk, next.flags[1]]).toEqual([5, [0.1, 0.5, 0.9], 0]);
  });

  it('a pool shows its worst node, and unknown is not zero', () => {
    const cells = cellsOf(map);
    expect(poolOf(cells, 0, 3)).toEqual({ risk: 0.9, flags: flag.missing | flag.notReady | flag.over | flag.differs });
    expect(poolOf(cells, 1, 1).risk).toBeNull();
  });

  it('counts by zone where there is no room for a map', () => {
    expect(byZone(cellsOf(map))).toEqual([
      { zone: 'x', nodes: 2, over: 0, notReady: 1, missing: 1 },
      { zone: 'no zone', nodes: 1, over: 1, notReady: 0, missing: 0 },
    ]);
  });

  it('leaves out rows rather than pushing the events below the fold', () => {
    expect([rowsThatFit(900, 12, false), rowsThatFit(900, 12, true), rowsThatFit(900, 5000, false)]).toEqual([11, 10, 5]);
    expect([rowsThatFit(600, 12, false), rowsThatFit(1600, 12, false)]).toEqual([4, 12]);
  });
});
