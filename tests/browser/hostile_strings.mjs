// 500 strings that have broken pages: script, HTML, style, addresses, unicode, direction marks, very long.

const payloads = [
  '<script>document.title="owned"</script>', '<img src=x onerror="document.title=\'owned\'">', '"><svg onload=alert(1)>',
  "'-alert(1)-'", '</title><script>alert(1)</script>', '<iframe srcdoc="<script>alert(1)</script>">', '{{constructor.constructor("alert(1)")()}}',
  '${alert(1)}', 'javascript:alert(1)', 'data:text/html,<script>alert(1)</script>', '<a href="javascript:alert(1)">x</a>', '<style>*{display:none}</style>',
  '<base href="//evil.example/">', '<meta http-equiv="refresh" content="0;url=//evil.example">', '<form action="//evil.example"><input name=q>',
  '<!--', ']]>', '&lt;script&gt;', '&#x3C;script&#x3E;alert(1)', '%3Cscript%3Ealert(1)%3C/script%3E', '\\u003cscript\\u003e', '<math><mtext></mtext><script>alert(1)</script>',
  '<details open ontoggle=alert(1)>', '<video><source onerror=alert(1)>', '<object data="data:text/html,x">', '<template><script>alert(1)</script></template>', '{@html x}', '{#if 1}x{/if}',
  '__proto__', 'constructor', 'toString', 'null', 'undefined', 'NaN', 'true', '0', '-1', '1e999', '../../etc/passwd', '..%2f..%2f', '/live', 'live', 'a/b/c', '?x=1#y', '#token=abc', 'a b', ' ', '\t', 'a\nb', 'a\r\nb: c',
  '\u202egnp.exe', '\u2066\u202ereverse\u2069', 'a\u200bb', '\ufeffnode', 'node\u00ad07', '\u0000x'.slice(1), 'e\u0301'.repeat(30), 'Z\u0351\u036b\u0343'.repeat(20),
  '\u05e9\u05dc\u05d5\u05dd', '\u0645\u0631\u062d\u0628\u0627', '\u4e2d\u6587\u8282\u70b9', '\u{1F4A9}\u{1F468}\u200D\u{1F469}\u200D\u{1F467}', '\u{1D54F}'.repeat(10), '\u0085\u2028\u2029', 'x'.repeat(253), 'node-'.repeat(200), 'W'.repeat(2000),
];

/** As bytes: some are no UTF-8. */
export function corpus() {
  const all = payloads.map((text) => Buffer.from(text));
  for (const bytes of [[0xff, 0xfe], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0x61, 0x80, 0x62]]) all.push(Buffer.from(bytes));
  const wrap = [(p) => `shop-${p}`, (p) => `${p}-7f9c4`, (p) => `"${p}"`, (p) => `${p}${p}`, (p) => `\u202e${p}`, (p) => p.toUpperCase(), (p) => `<b>${p}</b>`];
  for (const make of wrap) {
    for (const payload of payloads) {
      if (all.length >= 500) break;
      all.push(Buffer.from(make(payload)));
    }
  }
  const seen = new Set();
  const out = all.filter((bytes) => !bytes.includes(0) && !seen.has(bytes.toString('hex')) && seen.add(bytes.toString('hex')));
  for (let i = 0; out.length < 500; i += 1) out.push(Buffer.from(`<img src=x onerror=alert(${i})>`));
  return out.slice(0, 500);
}
