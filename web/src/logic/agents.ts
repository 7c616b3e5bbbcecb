// The four agents: letter, title, and how each is told apart without colour.
import type { Role } from '../api/types';

export const roles: readonly Role[] = ['safety', 'efficiency', 'admission', 'scaling'];

const letters: Record<Role, string> = { safety: 'A', efficiency: 'B', admission: 'C', scaling: 'D' };

export const letter = (role: Role): string => letters[role];

export const roleOf = (text: string): Role | null =>
  roles.find((role) => letters[role] === text.toUpperCase()) ?? null;

/** Lines of charts: solid, dashed, dotted, dash-dot. */
export const dashes: Record<Role, number[]> = {
  safety: [], efficiency: [6, 4], admission: [2, 3], scaling: [7, 3, 2, 3],
};
