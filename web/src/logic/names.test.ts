import { describe, expect, it } from 'vitest';

import { cellLabels, halves, longest, readable, toldApart, visible, type Part } from './names';

const joined = (parts: readonly Part[]): string => parts.map((part) => part.text).join('');

/** A name as a column of this many letters shows it, as the browser lays it out. */
function shown(parts: readonly Part[], room: number): string {
  return parts.map((part) => {
    const most = part.kept ? part.text.length : Math.max(2, room - part.others);
    return part.text.length <= most ? part.text : `${part.text.slice(0, most - 1)}…`;
  }).join('');
}

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const clouds: Record<string, string[]> = {
  'EKS, two subnets': range(24).map((i) => `ip-10-0-${1 + (i % 2)}-${20 + Math.floor(i / 2)}.eu-west-1.compute.internal`),
  'EKS, two regions': range(24).map((i) => `ip-10-0-${1 + (i % 3)}-${Math.floor(i / 3)}.${i % 2 === 0 ? 'eu' : 'us'}-west-1.compute.internal`),
  'EKS, us-east-1': range(12).map((i) => `ip-10-0-0-${100 + i}.ec2.internal`),
  'AKS, a pool': range(40).map((i) => `aks-nodepool1-12345678-vmss0000${i.toString(36).padStart(2, '0')}`),
  'AKS, two pools': range(24).map((i) => `aks-nodepool${1 + (i % 2)}-${i % 2 === 0 ? '12345678' : '87654321'}-vmss0000${Math.floor(i / 2).toString(36).padStart(2, '0')}`),
  'GKE, a pool': range(24).map((i) => `gke-prod-default-pool-1a2b3c4d-${((i * 7919 + 46656) % 1679616).toString(36).padStart(4, 'q')}`),
  'GKE, zones': range(24).map((i) => `gke-prod-default-pool-${['1a2b3c4d', '5e6f7a8b', '9c0d1e2f'][i % 3] ?? ''}-${(i * 31 + 1000).toString(36).padStart(4, 'x')}`),
  plain: range(12).map((i) => `node-${(i + 1).toString().padStart(2, '0')}`),
  'of different makes': ['gateway', 'ip-10-0-1-23', 'worker-1.rack-a.lan', 'worker-1.rack-b.lan', 'a', 'b'],
};

describe('names', () => {
  it('together, all parts are the whole name', () => {
    for (const name of ['node-07', 'shop/checkout-web-7f9c4', 'x'.repeat(300), 'a\u{1F600}'.repeat(20), 'ip-10-0-1-23.eu-west-1.compute.internal']) {
      expect(joined(halves(name))).toBe(name);
    }
    for (const names of Object.values(clouds)) for (const [name, parts] of toldApart(names)) expect(joined(parts)).toBe(name);
  });

  it('alone, the end stays; of a host its own', () => {
    expect(shown(halves('shop/checkout-web-7f9c4'), 17)).toBe('shop/check…-7f9c4');
    expect(shown(halves('prod-node-09'), 12)).toBe('prod-node-09');
    expect(shown(halves('node-07'), 5)).toBe('n…-07');
    expect(shown(halves('node.js-web-7f9c4'), 10)).toBe('nod…-7f9c4');
    expect(shown(halves('ip-10-0-1-23.eu-west-1.compute.internal'), 16)).toBe('ip-10-0-1-23.eu…');
    expect(shown(halves('ip-10-0-1-23.eu-west-1.compute.internal'), 10)).toBe('i…0-1-23.…');
    expect([halves('a'), halves('')].map(joined)).toEqual(['a', '']);
  });

  it.each(Object.entries(clouds))('%s: no two look the same, in any column', (_, names) => {
    const told = toldApart(names);
    for (const room of [15, 16, 20, 30, 60]) {
      const looks = names.map((name) => shown(told.get(name) ?? halves(name), room));
      expect(new Set(looks).size).toBe(names.length);
      if (room >= 16) for (const look of looks) expect(look.length).toBeLessThanOrEqual(Math.max(room, 16));
      if (room === 60) expect(looks).toEqual(names);
    }
  });

  it.each(Object.entries(clouds))('%s: no two cells of a zone carry the same label', (_, names) => {
    for (const letters of [2, 3]) {
      const labels = cellLabels(names, names.map(() => 'a'), letters).filter((label) => label !== '');
      expect(new Set(labels).size).toBe(labels.length);
      for (const label of labels) expect(label.length).toBeLessThanOrEqual(letters);
    }
  });

  it('cells carry what tells nodes apart', () => {
    const all = (names: string[], letters = 3): string[] => cellLabels(names, names.map(() => ''), letters);
    expect(all(['node-07', 'node-08'])).toEqual(['07', '08']);
    expect(all(['node-1', 'node-12', 'node-100'])).toEqual(['1', '12', '100']);
    expect(all(clouds['AKS, a pool'] ?? []).slice(9, 12)).toEqual(['009', '00a', '00b']);
    expect(all(clouds['AKS, two pools'] ?? []).slice(0, 3)).toEqual(['100', '200', '101']);
    expect(all(clouds['EKS, two subnets'] ?? []).slice(0, 3)).toEqual(['120', '220', '121']);
    expect(all(['gke-a-pool-1a2b3c4d-x7yz', 'gke-a-pool-1a2b3c4d-q2ab'])).toEqual(['7yz', '2ab']);
    expect(all(['gateway'])).toEqual(['way']);
    expect(all([''])).toEqual(['']);
    expect(all(['ip-10-0-1-23.eu-west-1.compute.internal', 'ip-10-0-2-23.eu-west-1.compute.internal'], 2)).toEqual(['1', '2']);
    expect(cellLabels(['a-1-x', 'b-1-x'], ['a', 'b'], 3)).toEqual(['a', 'b']);
  });

  it('where no way tells them apart a cell stays without', () => {
    const names = range(2000).map((i) => `n-${i.toString().padStart(4, '0')}`);
    expect(cellLabels(names, names.map(() => ''), 2).filter((label) => label !== '')).toEqual([]);
  });

  it('5,000 of them take little time', () => {
    const names = range(5000).map((i) => `ip-10-${i % 7}-${Math.floor(i / 250)}-${i % 250}.eu-west-1.compute.internal`);
    const began = process.cpuUsage();
    expect(toldApart(names).size).toBe(5000);
    expect(process.cpuUsage(began).user / 1000).toBeLessThan(1000);
  });

  it('the longest counts letters, not bytes', () => {
    expect([longest([]), longest(['a', '\u{1F600}\u{1F600}'])]).toEqual([0, 2]);
  });

  it('names whose letters differ in width are not cut by counting them', () => {
    for (const name of ['\u05d0'.repeat(40), '\u4e2d\u6587'.repeat(20)]) expect(halves(name)).toEqual([{ text: name, kept: false, others: 0 }]);
  });

  it('what cannot be seen is written out', () => {
    expect(visible('a\u202eb\u200bc\u0000\n')).toBe('a\\u202eb\\u200bc\\u0000\\u000a');
    expect(visible('node-07')).toBe('node-07');
    expect(readable('a\u202eb\n\tc\u2066')).toBe('a\\u202eb\n\tc\\u2066');
  });
});
