import { describe, expect, it } from 'vitest';

import { spread } from './chart_labels';
import { factorText, oddsText } from './odds';
import { countEnd, evidencePlace, riskPlace, riskStep } from './scales';
import { bytes, cores, unitText } from './units';

describe('scales', () => {
  it('risk stands in log-odds on a fixed axis', () => {
    expect(riskPlace(0.5)).toBeCloseTo(0.5);
    expect([riskPlace(0), riskPlace(0.001), riskPlace(1)]).toEqual([0, 0, 1]);
    expect(riskPlace(0.02) - riskPlace(0.01)).toBeGreaterThan(riskPlace(0.51) - riskPlace(0.5));
  });

  it.each([[0, 0], [0.0099, 0], [0.01, 1], [0.05, 2], [0.2, 3], [0.5, 4], [0.8, 5], [1, 5]])('risk %s has fill %s', (risk, step) => expect(riskStep(risk)).toBe(step));

  it('value and bound keep their order on every scale', () => {
    for (const scale of ['log_odds', 'linear', 'count'] as const) {
      expect(evidencePlace(0.3, 0.2, scale)).toBeGreaterThan(0);
      expect(evidencePlace(0.3, 0.2, scale)).toBeLessThanOrEqual(1);
    }
    const end = countEnd(9, 8);
    expect(end).toBe(20);
    expect(evidencePlace(9, 8, 'count')).toBeCloseTo(0.45);
    expect(evidencePlace(1.4, 0.7, 'linear')).toBeLessThan(1);
  });

  it('labels at line ends never cover each other', () => {
    expect(spread([10, 11, 40], 12)).toEqual([10, 22, 40]);
    expect(spread([40, 10, 11], 12)).toEqual([40, 10, 22]);
  });
});

describe('words for numbers', () => {
  it('odds and factors', () => {
    expect([oddsText(1 / 49), oddsText(6.1), oddsText(null), oddsText(0)]).toEqual(['1 to 49', '6.1 to 1', '?', '?']);
    expect([factorText(14), factorText(6.1), factorText(0.8)]).toEqual(['x14', 'x6.1', 'x0.80']);
  });

  it('quantities as Kubernetes writes them', () => {
    expect([cores(250), cores(3000), cores(null), bytes(1610612736), bytes(418381824), bytes(512), bytes(null)]).toEqual(['250m', '3', '?', '1.5Gi', '399Mi', '512', '?']);
    expect([unitText(0.71, 'share'), unitText(9.1, 's'), unitText(3, 'W'), unitText(null, 'W')]).toEqual(['71%', '9.1s', '3 W', '?']);
  });
});
