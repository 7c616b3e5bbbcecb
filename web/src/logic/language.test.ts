import { describe, expect, it } from 'vitest';

import { mendLanguage, usable } from './language';

describe('the language of the browser', () => {
  it('is kept where it is one', () => {
    for (const language of ['en', 'de-DE', 'ar', 'zh-Hans-CN']) expect(usable(language)).toBe(language);
  });

  it('is English where it is none', () => {
    for (const language of ['C', 'c', 'POSIX', '', 'en_US.UTF-8', 'xx']) expect(usable(language)).toBe('en');
  });

  it('can be asked for figures once it is mended, as a library does when it is loaded', () => {
    const browser = { language: 'C' };
    expect(() => new Intl.NumberFormat(browser.language)).toThrow();
    mendLanguage(browser);
    expect(new Intl.NumberFormat(browser.language).format(1234.5)).toBe('1,234.5');
  });
});
