import { describe, expect, it } from 'vitest';

import { applied, byZone, cellsFirst, cellsOf, flag, layout, moved, nodeAt, phoneMapHeight, placeOf, poolOf, poolSize, rowsThatFit, zoneLabels, zonesOf } from './map_layout';

const zones = (...nodes: number[]) => zonesOf(nodes.flatMap((count, i) => new Array<string>(count).fill(`zone-${i}`)));

describe('the map of nodes', () => {
  it.each([
    [1, 28, 1], [11, 28, 1], [12, 26, 1], [13, 24, 1], [14, 28, 2], [77, 28, 7], [78, 20, 6], [150, 20, 10], [300, 14, 14],
    [600, 10, 20], [1200, 7, 28], [2500, 5, 41],
  ])('%s nodes stand %s px apart in %s rows', (nodes, pitch, rows) => {
    const grid = layout(zones(nodes));
    expect([grid.pitch, grid.rows, grid.double]).toEqual([pitch, rows, false]);
    expect(grid.height).toBeLessThanOrEqual(208);
  });

  it('leaves room below it on a phone', () => {
    expect(layout(zones(4, 4, 4), 358, 358, phoneMapHeight)).toMatchObject({ pitch: 28, rows: 1 });
    expect(layout(zones(100, 100, 100), 358, 358, phoneMapHeight).height).toBeLessThanOrEqual(104);
  });

  it('above 2,500 there is one map, above 5,200 a cell is a pool', () => {
    expect(layout(zones(2501))).toMatchObject({ double: true, width: 640, perCell: 1 });
    expect(layout(zones(5000))).toMatchObject({ pitch: 5, perCell: 1 });
    expect(layout(zones(5201)).perCell).toBe(2);
    expect(layout(zones(15_000))).toMatchObject({ perCell: 3, pitch: 5 });
    expect(layout(zones(15_000)).height).toBeLessThanOrEqual(208);
  });

  it('finds every node at its own place, and none outside', () => {
    for (const each of [zones(1), zones(12), zones(150), zones(5000), zones(6000), zones(4, 4, 4), zones(1, 80, 3), zones(1667, 1667, 1666), zones(3000, 3000, 1)]) {
      const grid = layout(each);
      const places = new Set<string>();
      for (const first of cellsFirst(grid)) {
        const { x, y } = placeOf(first, grid);
        places.add(`${x} ${y}`);
        expect(nodeAt(x + 1, y + 1, grid)).toBe(first);
        expect(x + grid.pitch).toBeLessThanOrEqual(grid.width);
      }
      expect(places.size).toBe(cellsFirst(grid).length);
      expect(grid.height).toBeLessThanOrEqual(208);
      expect([nodeAt(-1, 0, grid), nodeAt(0, grid.height + 1, grid)]).toEqual([null, null]);
    }
  });

  it('leaves a gap between zones, and none where there is one', () => {
    const grid = layout(zones(4, 4, 4));
    expect([grid.rows, grid.pitch, grid.blocks.map((block) => block.left)]).toEqual([1, 24, [0, 104, 208]]);
    expect(nodeAt(98, 5, grid)).toBeNull();
    expect(layout(zones(12)).blocks).toHaveLength(1);
    expect(layout(zones(1667, 1667, 1666))).toMatchObject({ pitch: 5, perCell: 1, double: true });
    expect(zones(...new Array<number>(40).fill(2))).toHaveLength(1);
  });

  it('a pool holds nodes of one zone', () => {
    const grid = layout(zones(3001, 3000));
    expect([grid.perCell, poolSize(0, grid), poolSize(3000, grid), poolSize(3001, grid)]).toEqual([2, 2, 1, 2]);
  });

  it('names zones by what tells them apart', () => {
    expect(zoneLabels(['eu-central-1a', 'eu-central-1b'])).toEqual(['1a', '1b']);
    expect(zoneLabels(['zone-a', 'zone-b', 'zone-c'])).toEqual(['a', 'b', 'c']);
    expect(zoneLabels(['a', ''])).toEqual(['a', 'no zone']);
    expect(zoneLabels(['x-1', 'x-1-a'])).toEqual(['1', '1-a']);
  });

  it('arrows walk it and stop at its edges', () => {
    const grid = layout(zones(78));
    const columns = grid.blocks[0]?.columns ?? 0;
    expect(moved(0, 'ArrowLeft', grid)).toBe(0);
    expect(moved(0, 'ArrowRight', grid)).toBe(1);
    expect(moved(0, 'ArrowDown', grid)).toBe(columns);
    expect(moved(columns, 'ArrowUp', grid)).toBe(0);
    expect(moved(77, 'ArrowDown', grid)).toBe(77);
    expect([moved(5, 'Home', grid), moved(5, 'End', grid)]).toEqual([0, 77]);
    expect([moved(3, 'ArrowRight', layout(zones(4, 4))), moved(3, 'ArrowDown', layout(zones(4, 4)))]).toEqual([4, 3]);
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
    expect([rowsThatFit(900, zones(12), false), rowsThatFit(900, zones(12), true), rowsThatFit(900, zones(5000), false)]).toEqual([11, 10, 5]);
    expect([rowsThatFit(600, zones(12), false), rowsThatFit(1600, zones(12), false), rowsThatFit(900, [], false)]).toEqual([4, 12, 11]);
  });
});
