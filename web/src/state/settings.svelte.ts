// The preferences of the person at this browser; stored here, never sent.

type Theme = 'dark' | 'light';

function kept(key: string): string | null {
  try {
    return localStorage.getItem(`parley.${key}`);
  } catch {
    return null; // Storage may be forbidden: then nothing is remembered.
  }
}

function keep(key: string, value: string): void {
  try {
    localStorage.setItem(`parley.${key}`, value);
  } catch {
    // Storage may be forbidden.
  }
}

class Settings {
  theme = $state<Theme>('dark');
  /** Counts changes of the system's colours, after which canvases must be redrawn. */
  system = $state(0);
  lettersOff = $state(kept('letters') === 'off');

  start(): void {
    const chosen = kept('theme');
    for (const query of ['(forced-colors: active)', '(prefers-color-scheme: light)']) {
      window.matchMedia(query).addEventListener('change', () => (this.system += 1));
    }
    const light = window.matchMedia('(prefers-color-scheme: light)').matches;
    this.put(chosen === 'dark' || chosen === 'light' ? chosen : light ? 'light' : 'dark');
  }

  swapTheme(): void {
    this.put(this.theme === 'dark' ? 'light' : 'dark');
    keep('theme', this.theme);
  }

  setLettersOff(off: boolean): void {
    this.lettersOff = off;
    keep('letters', off ? 'off' : 'on');
  }

  private put(theme: Theme): void {
    this.theme = theme;
    document.documentElement.dataset['theme'] = theme;
  }
}

export const settings = new Settings();
