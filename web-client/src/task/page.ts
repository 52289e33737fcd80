import type { Join, Standing } from '../attach/attachment';
import type { Viewer } from '../attach/wire';
import type { Frame, ToolTaskSpawned } from '../frames/frames';
import { commandOf } from '../ledger/sentences';
import { Timeline } from '../ledger/timeline';
import { LogView } from '../log/view';
import { element, say } from '../page/element';
import { addressOf, type Tab } from '../route';
import { cancelTask, Refusal, spawnOf, taskOf, type Task } from '../server/api';
import { endOf, keptOf, moodOf, nameOf, outputBytes, outputSize, runningTime, stateOf, writtenBy } from '../tasks/words';
import type { ReplayView } from '../replay/view';
import type { TerminalView } from '../terminal/view';
import { filesOf } from './files';
import { Label } from './label';
import { standingOf } from './standing';
import { Stop } from './stop';

const WHOLE_BYTES = 4 * 1024 * 1024; // output that is shown from its beginning
const TAIL_BYTES = 1024 * 1024; // and of more than that, its end
const ASK_EVERY_MS = 1_000;
const COMPLAINT_MS = 8_000;
const TABS: readonly (readonly [Tab, string])[] = [
  ['output', 'Output'],
  ['replay', 'Replay'], // of terminals only
  ['timeline', 'Timeline'],
  ['files', 'Files'],
];

/** One task: what it writes, its record, its files, and what can be done to it. */
export class TaskPage {
  readonly root: HTMLElement;
  readonly id: string;
  readonly #failed: (refusal: Refusal) => void;
  readonly #state = element('span', { className: 'state' });
  readonly #name = element('h1', {});
  readonly #label = new Label();
  readonly #figures = element('span', { className: 'figure quiet' });
  readonly #viewers = element('span', { className: 'quiet viewers' });
  readonly #connection = element('span', { className: 'connection', role: 'status' });
  readonly #command = element('code', { className: 'command' });
  readonly #end = element('p', { className: 'end', role: 'status', hidden: true });
  readonly #complaint = element('p', { className: 'complaint', role: 'alert' });
  readonly #tabs = element('nav', { className: 'segments', ariaLabel: 'Views of the task' });
  readonly #place = element('div', { className: 'place' });
  readonly #aside = element('div', { className: 'place aside', hidden: true });
  readonly #stop: Stop;
  readonly #timer: ReturnType<typeof setInterval>;
  #output: TerminalView | LogView | undefined;
  #timeline: Timeline | undefined;
  #replay: ReplayView | undefined;
  #tab: Tab = 'output';
  #task: Task | undefined;
  #spawned: ToolTaskSpawned | null = null;
  #closed = false;
  #complaining: ReturnType<typeof setTimeout> | undefined;
  #asking = false;
  #stale = false;
  readonly #reconnect = (): void => this.#output?.attachment.reconnectNow();
  readonly #seen = (): void => this.#output?.attachment.seen(document.visibilityState === 'visible');

  constructor(id: string, tab: Tab, seq: number | null, failed: (refusal: Refusal) => void) {
    this.id = id;
    this.#failed = failed;
    this.#stop = new Stop(
      () =>
        void cancelTask(id, 'stopped in the browser').catch((refused: Error) => {
          this.#stop.failed();
          this.#complain(refused.message);
        }),
    );
    this.root = element(
      'section',
      { className: 'task' },
      element(
        'header',
        { className: 'task-head' },
        element('div', { className: 'title' }, this.#state, this.#name, this.#label.root, this.#command),
        element('div', { className: 'facts-line' }, this.#connection, this.#viewers, this.#figures),
        this.#tabs,
        this.#stop.root,
      ),
      this.#complaint,
      this.#place,
      this.#aside,
      this.#end,
    );
    this.#timer = setInterval(() => this.#tick(), ASK_EVERY_MS);
    window.addEventListener('online', this.#reconnect);
    document.addEventListener('visibilitychange', this.#seen);
    void this.#begin(tab, seq);
  }

  /** The terminal, where there is one; for tests, and for whoever wants its text. */
  get terminal(): TerminalView | undefined {
    return this.#output !== undefined && 'text' in this.#output ? this.#output : undefined;
  }

  show(tab: Tab, seq: number | null): void {
    this.#tab = tab;
    const views = this.#views();
    if (this.#tabs.childElementCount === 0) {
      const links = views.map(([each, text]) =>
        element('a', { href: addressOf({ page: 'task', id: this.id, tab: each, seq: null }) }, text),
      );
      this.#tabs.append(...links);
    }
    [...this.#tabs.children].forEach((each, i) => (each.ariaCurrent = views[i]?.[0] === tab ? 'page' : null));
    this.#timeline?.close();
    this.#replay?.close();
    this.#timeline = this.#replay = undefined;
    this.#aside.replaceChildren();
    this.#aside.hidden = tab === 'output';
    this.#place.hidden = tab !== 'output';
    if (tab === 'timeline') this.#timeline = new Timeline(this.id, this.#task?.next_seq ?? 0, seq, this.#aside);
    else if (tab === 'replay') void this.#showReplay(seq);
    else if (tab === 'files' && this.#task !== undefined) this.#aside.append(filesOf(this.#task));
    else if (tab === 'output' && matchMedia('(pointer: fine)').matches) this.#output?.focus();
  }

  #views(): typeof TABS {
    return TABS.filter(([tab]) => tab !== 'replay' || this.#spawned?.execution_mode === 'pty');
  }

  async #showReplay(seq: number | null): Promise<void> {
    if (this.terminal === undefined) {
      this.#aside.append(element('p', { className: 'scrolled note' }, 'Only a terminal can be replayed.'));
      return;
    }
    const { ReplayView: Replay } = await import('../replay/view');
    if (this.#tab !== 'replay' || this.#closed || this.#replay !== undefined || this.#task === undefined) return;
    this.#replay = new Replay(this.#task, seq, this.#aside);
  }

  /** A key that was pressed outside of fields and the terminal; whether it did something. */
  key(key: string): boolean {
    if (this.#replay?.key(key) === true) return true;
    const tab = this.#views()[Number(key) - 1]?.[0];
    if (tab !== undefined) location.hash = addressOf({ page: 'task', id: this.id, tab, seq: null });
    else if (key === 's' && !this.#stop.root.hidden) this.#stop.root.click();
    else if (key === '/' && this.#output !== undefined) this.#output.search();
    else if (key === 'f' && this.#output instanceof LogView) this.#output.follow();
    else if (key === 'w' && this.#output instanceof LogView) this.#output.wrap();
    else return false;
    return true;
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#timer);
    window.removeEventListener('online', this.#reconnect);
    document.removeEventListener('visibilitychange', this.#seen);
    this.#stop.close();
    this.#timeline?.close();
    this.#replay?.close();
    this.#output?.close();
  }

  async #begin(tab: Tab, seq: number | null): Promise<void> {
    try {
      const [task, spawned] = await Promise.all([taskOf(this.id), spawnOf(this.id)]);
      if (this.#closed) return;
      this.#spawned = spawned;
      this.#update(task);
      if (spawned === null) {
        this.#place.append(element('p', { className: 'empty' }, 'It was refused, so there is no output.'));
      } else {
        await this.#attach(task, spawned);
        this.#seen();
        this.#update(task);
      }
      if (!this.#closed) this.show(tab, seq);
    } catch (refused) {
      if (!(refused instanceof Refusal)) throw refused;
      if (!this.#closed) this.#failed(refused);
    }
  }

  async #attach(task: Task, spawned: ToolTaskSpawned): Promise<void> {
    const told = {
      frame: (frame: Frame) => this.#tell(frame),
      standing: (standing: Standing) => this.#stand(standing),
      viewers: (viewers: readonly Viewer[], self: string) => this.#others(viewers, self),
      refused: (message: string) => this.#complain(message),
    };
    if (spawned.execution_mode === 'pipes') {
      // Of an output that was cut, only the beginning was kept.
      const cut = Object.values(task.artifacts?.logs ?? {}).some((log) => log.truncated);
      const join: Join = cut || outputBytes(task) <= WHOLE_BYTES ? { from_seq: 0 } : { tail_bytes: TAIL_BYTES };
      this.#output = new LogView(this.id, join, this.#place, told);
      return;
    }
    const { TerminalView: Terminal } = await import('../terminal/view'); // xterm.js is loaded when there is a terminal to show
    if (this.#closed) return;
    this.#output = new Terminal(this.id, this.#place, told);
  }

  /** For a while; what comes too late for a task that has ended is nobody's fault. */
  #complain(message: string): void {
    if (this.#task?.outcome != null) return;
    say(this.#complaint, message);
    clearTimeout(this.#complaining);
    this.#complaining = setTimeout(() => say(this.#complaint, ''), COMPLAINT_MS);
  }

  #tell(frame: Frame): void {
    if (!frame.known) return;
    if (frame.frame.type === 'tool_task_cancel_requested') this.#stop.asked();
    if (frame.frame.type === 'tool_task_status') void this.#refresh();
  }

  #stand(standing: Standing): void {
    const { text, mood } = standingOf(standing);
    say(this.#connection, text);
    this.#connection.dataset['mood'] = mood;
    if (standing.is === 'waiting' || standing.is === 'ended') void this.#refresh();
  }

  #others(viewers: readonly Viewer[], self: string): void {
    const others = viewers.filter((viewer) => viewer.viewer !== self);
    say(
      this.#viewers,
      others.length === 0 ? '' : others.length === 1 ? '1 other here' : `${others.length} others here`,
    );
    this.#viewers.title = others
      .map(
        ({ viewer, rights, rows, cols }) =>
          `${viewer}, ${rights === 'control' ? 'may type' : 'watches'}${rows === null || cols === null ? '' : `, ${cols} × ${rows}`}`,
      )
      .join('\n');
  }

  /** One question at a time: a terminal that is typed on has many statuses. */
  async #refresh(): Promise<void> {
    this.#stale = true;
    if (this.#asking) return;
    this.#asking = true;
    try {
      while (this.#stale && !this.#closed) {
        this.#stale = false;
        const task = await taskOf(this.id);
        if (!this.#closed) this.#update(task);
      }
    } catch (refused) {
      if (refused instanceof Refusal && (refused.status === 401 || refused.status === 404) && !this.#closed)
        this.#failed(refused);
    } finally {
      this.#asking = false;
    }
  }

  #tick(): void {
    if (document.visibilityState === 'visible' && this.#task !== undefined && this.#task.outcome === null)
      void this.#refresh();
  }

  #update(task: Task): void {
    const written = this.#task?.next_seq;
    this.#task = task;
    document.title = `${nameOf(task)} · Penstock`;
    say(this.#name, nameOf(task));
    this.#label.update(task);
    this.#state.dataset['mood'] = moodOf(task);
    say(this.#state, stateOf(task));
    const command = this.#spawned === null ? '' : commandOf(this.#spawned.args as Record<string, unknown>);
    say(this.#command, command === task.title ? '' : command);
    this.#command.title = command;
    say(this.#figures, `${runningTime(task, Date.now())} · ${outputSize(task)}`);
    if (task.phase === 'stopping') this.#stop.asked();
    if (task.outcome !== null) {
      this.#stop.ended();
      this.#end.hidden = false;
      this.#end.dataset['mood'] = moodOf(task);
      say(this.#end, `${endOf(task)}${keptOf(task)}`);
    }
    this.#replay?.update(task);
    if (this.#output instanceof LogView) this.#output.wrote(writtenBy(task));
    if (task.outcome === null && keptOf(task) !== '') {
      this.#end.hidden = false;
      this.#end.dataset['mood'] = 'poor';
      say(this.#end, `${keptOf(task).trim()} It goes on; what it writes now cannot be shown.`);
    }
    if (this.#tab === 'files' && task.next_seq !== written) this.#aside.replaceChildren(filesOf(task));
  }
}
