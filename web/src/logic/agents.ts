// How agents are named, and told apart with and without colour. The server says which agents there are.
import type { Agent, Role } from '../api/types';

export interface Look {
  colour: string; // By its name in the palette.
  dash: number[]; // In charts; empty: solid.
  shape: string; // The path of its mark, in a square of 16.
}

/** By index in the server's list; page.css has as many colours. Further agents begin again with the first, and are told apart by letter. */
export const looks: readonly Look[] = [
  { dash: [], shape: 'M8 1.5l5.500 1.800v4.400c0 3.200-2.300 5.500-5.500 6.600-3.200-1.100-5.500-3.400-5.500-6.600V3.300z' }, // Shield.
  { dash: [6, 4], shape: 'M8 2a6 6 0 1 0 .001 0z' }, // Circle.
  { dash: [2, 3], shape: 'M2.500 2.500h11v11h-11z' }, // Square.
  { dash: [7, 3, 2, 3], shape: 'M8 2l6.300 11.500H1.700z' }, // Triangle.
  { dash: [12, 4], shape: 'M8 1l6.500 7L8 15 1.500 8z' }, // Diamond.
  { dash: [2, 6], shape: 'M1.700 2.500h12.600L8 14z' }, // Triangle, point down.
  { dash: [7, 3, 2, 3, 2, 3], shape: 'M4.500 2h7l3.500 6-3.500 6h-7L1 8z' }, // Hexagon.
  { dash: [12, 3, 4, 3], shape: 'M6 2h4v4h4v4h-4v4H6v-4H2V6h4z' }, // Cross.
].map((look, place) => ({ ...look, colour: `agent-${place}` }));

/** Used before the list has come, and for an agent that is not in it. */
const unlisted: Look = { colour: 'text', dash: [], shape: 'M4 4h8v8H4z' };

export function lookOf(agents: readonly Agent[], role: Role): Look {
  const place = agents.findIndex((agent) => agent.role === role);
  return looks[place % looks.length] ?? unlisted;
}

export const letterOf = (agents: readonly Agent[], role: Role): string =>
  agents.find((agent) => agent.role === role)?.letter ?? '?';

/** The agent with this letter, in either case; null: there is none. */
export const agentOf = (agents: readonly Agent[], letter: string): Agent | null =>
  agents.find((agent) => agent.letter === letter.toUpperCase()) ?? null;
