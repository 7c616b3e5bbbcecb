// The stream of one run: keeps the connection that the machine asks for, and passes on its messages.
import { ApiError, api, shown } from '../api/client';
import type { RoundSummary, StatusNote } from '../api/types';
import { EventParser } from '../logic/sse';
import { idleStream, step, type StreamEvent, type StreamState } from '../logic/stream_machine';

export interface Listener {
  round(summary: RoundSummary): void;
  status(status: StatusNote): void;
  reopened(): void; // After a loss: what was missed must be fetched.
}

export class Stream {
  state = $state.raw<StreamState>(idleStream);
  private last = '';
  private run = '';
  private cancel: AbortController | null = null;

  constructor(private readonly listener: Listener) {}

  want(run: string, wanted: boolean): void {
    if (run !== this.run) {
      this.put({ kind: 'want', wanted: false });
      this.run = run;
      this.last = '';
    }
    this.put({ kind: 'want', wanted });
  }

  tick(): void {
    this.put({ kind: 'tick' });
  }

  private put(event: StreamEvent): void {
    const [next, todo] = step(this.state, event, Date.now());
    if (next !== this.state) this.state = next;
    if (todo === 'disconnect') {
      this.cancel?.abort();
      this.cancel = null;
    } else if (todo === 'connect') {
      void this.connect();
    }
  }

  private async connect(): Promise<void> {
    const cancel = new AbortController();
    this.cancel = cancel;
    const lost = this.state.lostAt !== null;
    try {
      const answer = await api.stream(this.run, this.last, cancel.signal);
      this.put({ kind: 'opened' });
      if (lost) this.listener.reopened();
      await this.read(answer, cancel);
      if (this.cancel === cancel) this.put({ kind: 'failed' });
    } catch (problem) {
      if (this.cancel !== cancel) return; // Closed on purpose.
      const denied = problem instanceof ApiError && problem.status === 401;
      this.put({ kind: denied ? 'refused' : 'failed' });
    }
  }

  private async read(answer: Response, cancel: AbortController): Promise<void> {
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    const parser = new EventParser();
    for (;;) {
      const chunk = await reader?.read();
      if (chunk === undefined || chunk.done || this.cancel !== cancel) return;
      this.put({ kind: 'heard' });
      for (const message of parser.push(chunk.value)) {
        if (message.id !== '') this.last = message.id;
        if (message.event === 'round') this.listener.round(shown(JSON.parse(message.data) as RoundSummary));
        else if (message.event === 'status') this.listener.status(shown(JSON.parse(message.data) as StatusNote));
      }
    }
  }
}
