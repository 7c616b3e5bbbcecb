// Prints what fails, what a test measured, and the closing count.
export default async function* report(source) {
  let [passed, failed] = [0, 0];
  for await (const { type, data } of source) {
    if (type === 'test:stdout') yield data.message;
    if (type === 'test:pass' && data.details.type !== 'suite' && data.nesting === 0) passed += 1;
    if (type === 'test:fail') {
      failed += 1;
      const cause = data.details.error?.cause ?? data.details.error;
      yield `FAILED ${data.file?.split('/').pop() ?? ''}: ${data.name} (${Math.round(data.details.duration_ms)} ms)\n${cause?.stack ?? cause}\n`;
    }
  }
  yield `${passed} browser tests passed${failed > 0 ? `, ${failed} failed` : ''}\n`;
}
