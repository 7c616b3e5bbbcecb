// Parses the text of a stream of server-sent events, cut anywhere, into messages.

export interface Message {
  event: string;
  data: string;
  id: string;
}

/** Takes chunks and returns the messages that they complete. A comment only counts as a sign of life. */
export class EventParser {
  private rest = '';
  private event = '';
  private data: string[] = [];
  private id = '';

  push(chunk: string): Message[] {
    const lines = (this.rest + chunk).split(/\r\n|\n|\r/);
    this.rest = lines.pop() ?? '';
    const messages: Message[] = [];
    for (const line of lines) {
      if (line === '') {
        if (this.data.length > 0) {
          messages.push({ event: this.event || 'message', data: this.data.join('\n'), id: this.id });
        }
        this.event = '';
        this.data = [];
      } else if (!line.startsWith(':')) {
        this.field(line);
      }
    }
    return messages;
  }

  private field(line: string): void {
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'event') this.event = value;
    else if (name === 'data') this.data.push(value);
    else if (name === 'id') this.id = value;
  }
}
