// Some browsers report no valid language: WebKitGTK under LANG=C reports "C". uPlot formats numbers as soon as it is
// loaded, and an invalid language would end the page before anything is shown.

/** The language, or English if numbers cannot be formatted in it. */
export function usable(language: string): string {
  try {
    return Intl.NumberFormat.supportedLocalesOf(language)[0] ?? 'en';
  } catch {
    return 'en';
  }
}

/** Corrects it for everything that is loaded later. */
export function mendLanguage(browser: { readonly language: string }): void {
  const language = usable(browser.language);
  if (language !== browser.language) Object.defineProperty(browser, 'language', { configurable: true, get: () => language });
}

if (typeof navigator !== 'undefined') mendLanguage(navigator);
