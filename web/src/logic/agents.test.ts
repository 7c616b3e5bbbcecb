import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { agents } from '../testing/round';
import { agentOf, letterOf, looks, lookOf } from './agents';

const css = readFileSync('src/styles/page.css', 'utf-8');
const five = [...agents, { role: 'disk', letter: 'E', title: 'E disk', here: true }];

describe('agents', () => {
  it('are known by role and by letter, whoever the server lists', () => {
    expect(agentOf(five, 'e')?.role).toBe('disk');
    expect(letterOf(five, 'disk')).toBe('E');
    expect(agentOf(five, '.')).toBeNull();
    expect(agentOf(five, '')).toBeNull();
  });

  it('look different from each other, with and without colour', () => {
    const shown = five.map(({ role }) => lookOf(five, role));
    for (const part of ['colour', 'dash', 'shape'] as const) {
      expect(new Set(shown.map((look) => JSON.stringify(look[part]))).size).toBe(five.length);
    }
  });

  it('look plain while the list is not there, and begin again after the last look', () => {
    expect(lookOf([], 'safety').colour).toBe('text');
    expect(letterOf([], 'safety')).toBe('?');
    const many = Array.from({ length: looks.length + 1 }, (_, i) => ({ role: `r${i}`, letter: String.fromCharCode(65 + i), title: '', here: true }));
    expect(lookOf(many, `r${looks.length}`)).toEqual(lookOf(many, 'r0'));
  });

  it('have a colour in every theme for every look', () => {
    const themes = [...css.matchAll(/--bg: /g)].length;
    expect(themes).toBe(4);
    for (const { colour } of looks) expect(css.split(`--${colour}: `).length - 1).toBe(themes);
  });

  it('A to D look as they always did', () => {
    const colours = (theme: string): string[] => agents.map(({ role }) => new RegExp(`--${lookOf(agents, role).colour}: (.*);`).exec(theme)?.[1] ?? '');
    expect(colours(css)).toEqual(['#71a8ff', '#3be8d5', '#b57aae', '#f6d068']);
    expect(colours(css.slice(css.indexOf("data-theme='light'] {")))).toEqual(['#0a4a7a', '#1a7567', '#8d47bd', '#573900']);
    expect(colours(css.slice(css.indexOf('forced-colors')))).toEqual(['CanvasText', 'CanvasText', 'CanvasText', 'CanvasText']);
    expect(agents.map(({ role }) => lookOf(agents, role).dash)).toEqual([[], [6, 4], [2, 3], [7, 3, 2, 3]]);
  });

  it('are named nowhere in the page: the server lists them', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf-8' })
      .filter((path) => /\.(ts|svelte|css)$/.test(path) && !path.endsWith('.test.ts') && !path.startsWith('testing') && path !== join('api', 'schema.d.ts'));
    expect(files.length).toBeGreaterThan(60);
    const names = new RegExp(`(['".-])(${agents.map((agent) => agent.role).join('|')})\\b`);
    expect(files.filter((path) => names.test(readFileSync(join('src', path), 'utf-8')))).toEqual([]);
  });
});
