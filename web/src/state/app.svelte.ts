// The state of the page: the address, the round it names, and how both are loaded.
import { ApiError, api } from '../api/client';
import type { Agent, RoundSummary, RoundView, RunCard, Scores, StationKey } from '../api/types';
import { count } from '../logic/format';
import { applied, cellsOf, type Cells } from '../logic/map_layout';
import { difference, type Changes, type Compared } from '../logic/difference';
import { address, parse, tokenOf, type Route, type View } from '../logic/route';
import { toldApart, visible } from '../logic/names';
import { announce, toldNothing, type Told } from '../logic/announce';
import { Stopping } from './stopping.svelte';
import { Stream } from './stream.svelte';
import { Timeline } from './timeline.svelte';

export interface Problem {
  status: number;
  sentence: string;
  remedy: string;
}

const problemOf = (cause: unknown): Problem =>
  cause instanceof ApiError
    ? { status: cause.status, sentence: cause.sentence, remedy: cause.remedy }
    : { status: 0, sentence: cause instanceof Error ? cause.message : String(cause), remedy: '' };

// How often the cards of the runs are fetched: a stop or end from elsewhere shows after this time.
const cardsMs = 5_000;
const nobody: string[] = [];
const readingMs = 1_000; // While a long record is read, since its progress changes.

class App {
  route = $state.raw<Route>(parse(location.pathname, location.search));
  runs = $state.raw<RunCard[]>([]);
  agents = $state.raw<Agent[]>([]); // Of the server's build, in the order of letters.
  round = $state.raw<RoundView | null>(null);
  cells = $state.raw<Cells | null>(null);
  scores = $state.raw<Scores | null>(null);
  changes = $state.raw<Changes | null>(null);
  compared = $state.raw<Compared | null>(null); // Null: no comparison, or not yet.
  problem = $state.raw<Problem | null>(null);
  locked = $state(''); // Why there is no session; empty: there is one.
  receivedAt = $state(Date.now());
  now = $state(Date.now());
  interval = $state<number | null>(null);
  paused = $state(false);
  pinned = $state<number | null>(null);
  station = $state<StationKey | null>(null);
  dialog = $state<'' | 'keys' | 'goto'>('');
  swapped = $state(false);
  note = $state(''); // A line that disappears: "Link copied."
  said = $state({ polite: '', urgent: '' });
  private apart = $state(Infinity); // Milliseconds between the last two rounds received.
  pulse = $state(0); // Number of rounds received, to mark changes.
  readonly stopping = new Stopping();
  readonly timeline = new Timeline();
  readonly stream = new Stream({
    round: (summary) => this.hear(summary),
    status: (status) => {
      const before = this.card;
      this.runs = this.runs.map((card) => (card.name === this.route.run ? { ...card, ...status } : card));
      this.heed(before);
      if ((before?.stopped ?? null) === null !== (status.stopped === null)) void this.lookAtCards(); // Whether it can be stopped has changed, too.
    },
    reopened: () => {
      if (!this.paused) void this.load();
    },
  });
  private loading: AbortController | null = null;
  private fetching = false;
  private again = false;
  private told: Told = toldNothing;
  private noteTimer: ReturnType<typeof setTimeout> | undefined;
  private scoresAt = 0;
  private retryAt = 0;
  private cardsAt = 0; // When the cards are fetched next.
  private looks = 0;
  private heardAt: number | null = null; // When the message arrived whose round is not shown yet.

  private readonly names = $derived(this.cells?.names ?? nobody);
  /** How the nodes of this round are shortened, so that each still differs from the others. */
  nodeNames = $derived(toldApart(this.names));
  card = $derived(this.runs.find((card) => card.name === this.route.run) ?? null);
  live = $derived(this.route.when === 'live' && this.route.noRound === '');
  running = $derived(this.card?.status === 'running');
  /** Rounds since the pause. */
  missed = $derived(this.paused ? Math.max(0, this.timeline.newest - (this.round?.round ?? 0)) : 0);
  /** What a difference calls the value of the other round. */
  otherWord = $derived((this.compared?.base ?? 0) > (this.round?.round ?? 0) ? 'later' : 'was');
  /** Changes are marked only live, and not above two rounds a second. */
  moves = $derived(this.live && this.running && this.apart > 500);
  /** Seconds by which ages have grown since the round came; in the past and after the end they do not grow. */
  grown = $derived(this.live && this.running ? Math.max(0, (this.now - this.receivedAt) / 1000) : 0);

  async start(): Promise<void> {
    window.addEventListener('popstate', () => this.arrive(parse(location.pathname, location.search)));
    document.addEventListener('visibilitychange', () => this.listen());
    setInterval(() => {
      if (!document.hidden) this.tick();
    }, 500);
    const token = tokenOf(location.hash);
    if (token !== '') {
      history.replaceState(null, '', location.pathname + location.search);
      await this.unlock(token);
    } else {
      await this.open();
    }
  }

  private tick(): void {
    this.now = Date.now();
    this.stream.tick();
    if (this.stream.state.phase === 'refused') this.locked = 'Your session has ended.';
    if (this.locked !== '') return;
    if (this.runs.length > 0 && this.now >= this.cardsAt) void this.lookAtCards();
    // Nothing to show yet: the server is unreachable, or the first round is not over.
    if (this.problem !== null && this.round === null && (this.live || this.problem.status === 503) && this.now >= this.retryAt) {
      this.retryAt = this.now + 2_000;
      void (this.runs.length === 0 ? this.open() : this.load().then(() => this.listen()));
    }
  }

  async unlock(token: string): Promise<void> {
    try {
      await api.session(token);
    } catch (cause) {
      const problem = problemOf(cause);
      // Somebody who is logged in may open a used link: it matters only without a session.
      await this.open();
      if (this.locked !== '') this.locked = problem.sentence;
      return;
    }
    this.locked = '';
    await this.open();
  }

  private async open(): Promise<void> {
    try {
      const { runs, current, agents } = await api.runs();
      this.runs = runs;
      this.agents = agents;
      this.locked = '';
      if (this.route.run === '') {
        const run = current ?? runs[0]?.name ?? '';
        this.go({ ...this.route, run }, true);
        return;
      }
    } catch (cause) {
      this.fail(cause);
      return;
    }
    await this.arrive(this.route);
  }

  private fail(cause: unknown): void {
    const problem = problemOf(cause);
    if (problem.status === 401) this.locked = problem.sentence;
    else this.problem = problem;
  }

  go(to: Partial<Route>, replace = false): void {
    // Naming another round or run leaves an address without a valid round.
    const noRound = to.when === undefined && to.run === undefined ? this.route.noRound : '';
    const next = { ...this.route, noRound, ...to };
    if (address(next) === address(this.route) && next.run === this.route.run && !replace) return;
    if (replace) history.replaceState(null, '', address(next));
    else history.pushState(null, '', address(next));
    void this.arrive(next);
  }

  view(view: View): void {
    this.station = null;
    this.go({ view, node: '', workload: '', ask: '' });
  }

  private async arrive(route: Route): Promise<void> {
    const before = this.route;
    this.route = route;
    if (route.run !== before.run || this.round === null) {
      this.timeline.clear();
      this.round = null;
      this.cells = null;
      this.scores = null;
      this.pinned = null;
      this.interval = null;
      this.stopping.disarm();
    }
    const same = route.run === before.run && route.when === before.when && route.noRound === before.noRound && route.from === before.from;
    if (same && this.round !== null) return;
    this.paused = false;
    await this.load();
    this.listen();
  }

  /** The stream is wanted by a visible tab that shows the present of a running run. */
  private listen(): void {
    const wanted = this.live && !document.hidden && this.running && this.locked === '';
    const was = this.stream.state.phase;
    this.stream.want(this.route.run, wanted);
    if (wanted && was === 'closed' && this.round !== null) void this.refresh();
  }

  /** Loads everything of the round that the address names. */
  async load(): Promise<void> {
    const { run, when } = this.route;
    if (run === '') return;
    this.loading?.abort();
    const loading = new AbortController();
    this.loading = loading;
    if (this.route.noRound !== '') {
      await this.loadTime(run, 'live');
      if (this.loading === loading) this.sayNoRound();
      return;
    }
    try {
      const [round, map] = await Promise.all([
        api.round(run, when, loading.signal),
        api.map(run, when, loading.signal).catch(() => null),
        this.loadTime(run, when),
      ]);
      if (this.loading !== loading) return;
      this.take(round);
      this.cells = map === null ? null : cellsOf(map);
      await this.compare();
    } catch (cause) {
      if (this.loading !== loading) return;
      this.round = this.live ? this.round : null;
      this.fail(cause);
    }
    void this.loadScores(true);
  }

  private sayNoRound(): void {
    const { first, newest } = this.timeline;
    this.round = null;
    this.problem = {
      status: 404,
      sentence: `There is no round ${visible(this.route.noRound)}.`,
      remedy: newest === 0 ? 'This run has none yet.' : `This run has rounds ${count(first)} to ${count(newest)}.`,
    };
  }

  private async loadTime(run: string, when: number | 'live'): Promise<void> {
    if (when === 'live' || this.timeline.newest === 0 || !this.timeline.has(when)) {
      await this.timeline.load(run, when === 'live' ? undefined : when).catch(() => undefined);
    }
    if (this.timeline.ribbon === null) void this.timeline.loadRibbon(run).catch(() => undefined);
    if (this.interval === null) {
      void api.run(run).then((detail) => (this.interval = detail.interval_s)).catch(() => undefined);
    }
  }

  private take(round: RoundView): void {
    this.round = round;
    this.problem = null;
    this.apart = Date.now() - this.receivedAt;
    this.receivedAt = Date.now();
    this.now = Date.now();
    this.pulse += 1;
    this.measure();
    if (round.newest_round > this.timeline.newest) this.timeline.newest = round.newest_round;
    const sentence = `${round.headline}. ${round.reason}`;
    const [told, say] = announce(this.told, sentence, round.alarms.map((alarm) => alarm.sentence), Date.now());
    this.told = told;
    if (say.polite !== '') this.said = { ...this.said, polite: say.polite };
    if (say.urgent !== '') this.said = { ...this.said, urgent: say.urgent };
  }

  /** Marks for measuring the page: first useful paint, and from message to frame. */
  private measure(): void {
    const began = this.heardAt;
    this.heardAt = null;
    const first = this.pulse === 1;
    if (began === null && !first) return;
    requestAnimationFrame(() => {
      if (first) performance.mark('parley.useful');
      if (began === null) return;
      if (this.pulse % 500 === 0) performance.clearMeasures('parley.frame'); // Otherwise they are kept for ever.
      performance.measure('parley.frame', { start: began, end: performance.now() });
    });
  }

  private hear(summary: RoundSummary): void {
    if (summary.round <= (this.round?.round ?? 0)) return; // The greeting of a stream that was reopened.
    this.heardAt = performance.now();
    if (this.timeline.append(summary)) void this.timeline.loadRibbon(this.route.run).catch(() => undefined);
    if (this.paused) return;
    // There is no map if it was not available when the page was loaded, for example before the first round.
    if (this.cells === null || summary.more || summary.round !== this.cells.round + 1) void this.loadMap();
    else this.cells = applied(this.cells, summary.round, summary.cells);
    void this.refresh();
  }

  private async loadMap(): Promise<void> {
    const run = this.route.run;
    const map = await api.map(run, 'live').catch(() => null);
    if (map !== null && run === this.route.run && this.live) this.cells = cellsOf(map);
  }

  /** Fetches the newest round, one request at a time: a message meanwhile triggers one more at the end. */
  private async refresh(): Promise<void> {
    if (this.fetching) {
      this.again = true;
      return;
    }
    this.fetching = true;
    const run = this.route.run;
    try {
      const round = await api.round(run, 'live');
      if (run === this.route.run && this.live && !this.paused) {
        this.take(round);
        await this.compare();
        void this.loadScores(false);
      }
    } catch (cause) {
      const problem = problemOf(cause);
      if (problem.status === 401) this.locked = problem.sentence; // Other losses are reported by the stream.
    }
    this.fetching = false;
    if (this.again) {
      this.again = false;
      void this.refresh();
    }
  }

  private async loadScores(force: boolean): Promise<void> {
    if (!force && Date.now() - this.scoresAt < 4_000) return;
    this.scoresAt = Date.now();
    const { run, when } = this.route;
    const to = when === 'live' ? undefined : when;
    const scores = await api.scores(run, { to, points: 160 }).catch(() => null);
    if (run === this.route.run) this.scores = scores;
  }

  private async compare(): Promise<void> {
    const { run, from } = this.route;
    const round = this.round;
    if (from === null || round === null) {
      this.changes = null;
      this.compared = null;
      return;
    }
    const other = (await this.fetchBase(from, round)) ?? (await this.fetchBase(round.round - 1, round));
    if (this.round !== round || this.route.run !== run || this.route.from !== from) return;
    this.changes = other === null || other === round ? null : difference(other, round);
    this.compared = { asked: from, base: other?.round ?? null };
  }

  /** A round to compare with; null: it is not available. */
  private async fetchBase(base: number, round: RoundView): Promise<RoundView | null> {
    if (base === round.round) return round;
    return base < 1 ? null : api.round(this.route.run, base).catch(() => null);
  }

  toggleDifference(): void {
    if (this.route.from !== null) {
      this.go({ from: null });
      return;
    }
    const round = this.round?.round ?? 1;
    const from = this.pinned !== null && this.pinned !== round ? this.pinned : round - 1;
    if (from < 1) this.tell('There is no round before the first.');
    else this.go({ when: round, from });
  }

  togglePause(): void {
    if (!this.live) return;
    this.paused = !this.paused;
    if (!this.paused) {
      void this.loadMap();
      void this.refresh();
    }
  }

  tell(note: string): void {
    this.note = note;
    clearTimeout(this.noteTimer);
    this.noteTimer = setTimeout(() => (this.note = ''), 4_000);
  }

  async pressStop(): Promise<void> {
    const said = await this.stopping.press(this.route.run);
    if (said === '') return;
    this.tell(said);
    await this.lookAtCards();
  }

  private async lookAtCards(): Promise<void> {
    this.cardsAt = Date.now() + (this.card !== null && this.card.reading !== '' ? readingMs : cardsMs);
    const mine = (this.looks += 1);
    const run = this.route.run;
    try {
      const { runs } = await api.runs();
      if (mine !== this.looks) return; // A later request has newer cards.
      const before = this.card;
      this.runs = runs;
      if (run === this.route.run) this.heed(before);
    } catch (cause) {
      const problem = problemOf(cause);
      if (problem.status === 401) this.locked = problem.sentence; // Other losses are reported by the stream.
    }
  }

  /** Reacts to what changed on the card of the run. */
  private heed(before: RunCard | null): void {
    const card = this.card;
    if (card === null || before === null) return;
    this.timeline.newest = Math.max(this.timeline.newest, card.newest_round);
    // A long record is shown before it is completely read; afterwards strip, scores and events have more.
    const read = before.reading !== '' && card.reading === '';
    const ended = before.status === 'running' && !this.running;
    if (read) this.timeline.clear();
    if (!this.paused && (read || (ended && this.live))) void this.load(); // To show its last round and how it ended.
    else if (read) void this.loadTime(this.route.run, this.route.when);
    this.listen();
  }
}

export const app = new App();
