// Some browsers name no language: WebKitGTK under LANG=C calls it "C". uPlot asks for its figures as soon as it is
// loaded, and what is no language ends the page before anything was shown.

/** The language, or English where it is none that figures can be written in. */
export function usable(language: string): string {
  try {
    return Intl.NumberFormat.supportedLocalesOf(language)[0] ?? 'en';
  } catch {
    return 'en';
  }
}

/** Puts it right for whatever is loaded later. */
export function mendLanguage(browser: { readonly language: string }): void {
  const language = usable(browser.language);
  if (language !== browser.language) Object.defineProperty(browser, 'language', { configurable: true, get: () => language });
}

if (typeof navigator !== 'undefined') mendLanguage(navigator);
