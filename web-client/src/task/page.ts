import type { Company, Standing } from '../attach/audience';
import type { Rights } from '../attach/wire';
import type { AgentSpec, Frame, ToolTaskSpawned } from '../frames/frames';
import { commandOf } from '../ledger/sentences';
import { recordOfTask } from '../ledger/stream-record';
import { Timeline } from '../ledger/timeline';
import { joinOf, opensOf } from '../log/join';
import { LogView } from '../log/view';
import { element, say } from '../page/element';
import { fontsLoaded } from '../page/fonts';
import { incompletePage } from '../page/incomplete';
import type { Choice } from '../page/palette';
import { updateAddress } from '../page/address';
import { taskAddress, type Tab } from '../route';
import { Refusal, spawnOf, taskOf, type Task } from '../server/api';
import { endOf, keptOf, moodOf } from '../tasks/words';
import type { ConversationView } from '../conversation/view';
import type { ReplayView } from '../replay/view';
import type { TerminalView } from '../terminal/view';
import { CompanyPanel } from './company';
import { isRepeatable, runAgain } from './again';
import { Complaint } from './complaint';
import { Files } from './files';
import { goneNote, isGone } from './gone';
import { TaskHead } from './head';
import { Stop } from './stop';
import { hitRequestsOf, Hits, type Hit } from '../watchers/hits';
import { placeOf } from '../watchers/place';
import { HitSteps } from '../watchers/steps';
import { Strip } from '../watchers/strip';
import type { WatchersView } from '../watchers/view';
import { notify } from '../page/notices';
import { TaskNotices } from './notices';
import type { Usage } from './usage';
import { keepRights, rightsOf } from './watching';

const ASK_EVERY_MS = 1_000;
const AGAIN_MS = 2_000; // while a server does not respond
const RESUMED_TICKS = 3; // seconds in which the page of an ended agent notices another run
const TABS: readonly (readonly [Tab, string])[] = [
  ['conversation', 'Conversation'], // of agents only
  ['output', 'Output'],
  ['replay', 'Replay'], // of terminals only
  ['timeline', 'Timeline'],
  ['watchers', 'Watchers'],
  ['files', 'Files'],
];

/** One task: its conversation, output, replay, timeline, watchers and files, and the commands for it. */
export class TaskPage {
  readonly root: HTMLElement;
  readonly id: string;
  readonly #failed: (refusal: Refusal) => void;
  readonly #answered: () => void;
  readonly #reopen: () => void;
  readonly #edit: (spec: ToolTaskSpawned) => void;
  readonly #head: TaskHead;
  readonly #company: CompanyPanel;
  readonly #end = element('p', { className: 'end', role: 'status', hidden: true });
  readonly #complaint = new Complaint();
  readonly #place = element('div', { className: 'place' });
  readonly #aside = element('div', { className: 'place aside', hidden: true });
  readonly #stop: Stop;
  readonly #notices = new TaskNotices(notify);
  readonly #hits: Hits;
  readonly #steps = new HitSteps((hit) => this.#goTo(hit));
  readonly #strip = new Strip('horizontal', (index) => {
    const hit = this.#hits.all[index];
    if (hit !== undefined) this.#goTo(hit);
  });
  #watchers: WatchersView | undefined;
  #drawing = 0;
  readonly #timer: ReturnType<typeof setInterval>;
  #output: TerminalView | LogView | undefined;
  #timeline: Timeline | undefined;
  #replay: ReplayView | undefined;
  #files: Files | undefined;
  #usage: Usage | undefined; // in the details that were opened last
  #wanted: Tab | null; // null for the usual view
  #conversation: ConversationView | undefined;
  #seq: number | null;
  #task: Task | undefined;
  #spawned: ToolTaskSpawned | null = null;
  #gone = false; // its output has been removed
  #closed = false;
  #ticks = 0;
  #again: ReturnType<typeof setTimeout> | undefined;
  #asking = false;
  #isOpening = true;
  #stale = false;
  #isSilent = false; // the server, at the last request
  readonly #reconnect = (): void => this.#output?.attachment.reconnectNow();
  readonly #seen = (): void => this.#output?.attachment.seen(document.visibilityState === 'visible');

  constructor(
    id: string,
    tab: Tab | null,
    seq: number | null,
    failed: (refusal: Refusal) => void,
    answered: () => void,
    reopen: () => void,
    edit: (spec: ToolTaskSpawned) => void,
  ) {
    this.id = id;
    this.#failed = failed;
    this.#answered = answered;
    this.#reopen = reopen;
    this.#edit = edit;
    this.#stop = new Stop(id, (message) => this.#complain(message));
    this.#hits = new Hits(hitRequestsOf(id), () => this.#drawHitsSoon());
    this.#company = new CompanyPanel(
      (policy) => this.#output?.attachment.chooseSize(policy),
      (only) => this.#allow(only ? 'view' : 'control'),
    );
    this.#head = new TaskHead(this.#company.others, this.#stop.root, {
      details: () => void this.#details(),
      again: () => void this.#runAgain(),
      edit: () => this.#editAndRun(),
    });
    this.root = element(
      'section',
      { className: 'task', ariaBusy: 'true' },
      this.#head.root,
      this.#complaint.root,
      this.#place,
      this.#aside,
      this.#end,
      this.#company.root,
    );
    this.root.dataset['id'] = id;
    this.#timer = setInterval(() => this.#tick(), ASK_EVERY_MS);
    window.addEventListener('online', this.#reconnect);
    document.addEventListener('visibilitychange', this.#seen);
    this.#wanted = tab;
    this.#seq = seq;
    void this.#begin();
  }

  /** The terminal of a task that has one. */
  get terminal(): TerminalView | undefined {
    return this.#output !== undefined && 'text' in this.#output ? this.#output : undefined;
  }

  /** The view of a task whose address names none. */
  get #usual(): Tab {
    return this.#agent === null ? 'output' : 'conversation';
  }

  get #tab(): Tab {
    return this.#wanted ?? this.#usual;
  }

  /** The program of an agent task. */
  get #agent(): AgentSpec | null {
    return this.#spawned?.agent ?? null;
  }

  /** @param wanted the view; null for the usual one */
  show(wanted: Tab | null, seq: number | null): void {
    this.#wanted = wanted;
    this.#seq = seq;
    const tab = this.#tab;
    this.#head.tabs(this.id, this.#views(), tab, this.#usual);
    this.#conversation?.close();
    this.#timeline?.close();
    this.#replay?.close();
    this.#conversation = this.#timeline = this.#replay = this.#files = this.#watchers = undefined;
    this.#aside.replaceChildren();
    this.#aside.hidden = tab === 'output';
    this.#place.hidden = tab !== 'output';
    if (tab === 'output' && this.terminal !== undefined) this.terminal.ends(this.#end);
    else this.#aside.after(this.#end);
    if (tab === 'timeline' && this.#task !== undefined) this.#timeline = new Timeline(recordOfTask(this.#task), seq, this.#aside);
    else if (tab === 'conversation') void this.#showConversation();
    else if (tab === 'watchers') void this.#showWatchers();
    else if (this.#gone && this.#task !== undefined) this.#aside.append(goneNote(this.#task));
    else if (tab === 'replay') void this.#showReplay(seq);
    else if (tab === 'files' && this.#task !== undefined) this.#files = new Files(this.#task, this.#aside);
    else if (tab === 'output' && seq !== null) void this.#showFrame(seq);
    else if (tab === 'output' && matchMedia('(pointer: fine)').matches) this.#output?.focus();
    if (tab === 'output') this.#output?.goToAddress();
    if (this.#timeline !== undefined) this.#timeline.tools.prepend(this.#strip.root, this.#steps.root);
    else if (tab === 'output') this.#output?.tools.append(this.#steps.root);
    this.#drawHits();
  }

  async #showConversation(): Promise<void> {
    const agent = this.#agent;
    if (agent === null) {
      this.#aside.append(element('p', { className: 'scrolled note' }, 'Only an agent has a conversation.'));
      return;
    }
    const { ConversationView: View } = await import('../conversation/view');
    if (this.#tab !== 'conversation' || this.#closed || this.#conversation !== undefined || this.#task === undefined) return;
    this.#conversation = new View(this.#task, agent, this.#aside, () => void this.#refresh());
  }

  async #showWatchers(): Promise<void> {
    const { WatchersView: View } = await import('../watchers/view');
    if (this.#tab !== 'watchers' || this.#closed || this.#watchers !== undefined || this.#task === undefined) return;
    this.#watchers = new View(this.#task, this.#hits, this.#aside);
    this.#hits.searchAll(this.#task).catch((refused: Error) => this.#complaint.say(refused.message));
  }

  /** The line of a log that a frame is about; of a terminal, the screen right after the frame, in the replay. */
  async #showFrame(seq: number): Promise<void> {
    if (this.#output === undefined) return;
    if (!(this.#output instanceof LogView)) {
      location.replace(taskAddress(this.id, 'replay', seq));
      return;
    }
    try {
      const place = await placeOf(this.id, seq);
      if (this.#tab !== 'output' || this.#seq !== seq || this.#closed) return;
      if (place === null) this.#complaint.say(`Frame ${seq} is no output.`);
      else this.#output.goTo(place.channel, place.line);
    } catch (refused) {
      if (!(refused instanceof Refusal)) throw refused;
      this.#complaint.say(refused.message);
    }
  }

  /** Shows a hit in the view that is open. */
  #goTo(hit: Hit): void {
    if (this.#tab === 'replay' && this.#replay !== undefined) {
      this.#seq = hit.frameSeq;
      this.#replay.goTo(hit.frameSeq);
      this.#drawHits();
      return;
    }
    if (this.#tab === 'output' && this.terminal !== undefined) {
      location.hash = taskAddress(this.id, 'replay', hit.frameSeq);
      return;
    }
    // Replaces the address: the back button skips the hits on the way.
    const tab = this.#tab === 'timeline' ? 'timeline' : 'output';
    if (updateAddress(taskAddress(this.id, tab, hit.seq))) this.show(tab, hit.seq);
  }

  /** Draws once, with the next animation frame. */
  #drawHitsSoon(): void {
    cancelAnimationFrame(this.#drawing);
    this.#drawing = requestAnimationFrame(() => this.#drawHits());
  }

  #drawHits(): void {
    if (this.#closed || this.#task === undefined) return;
    const { all } = this.#hits;
    this.#steps.show(all, this.#seq);
    const { current } = this.#steps;
    if (this.#watchers !== undefined) this.#watchers.update(this.#task);
    if (all.length === 0) return;
    if (this.#output instanceof LogView)
      this.#output.mark({ hits: all, current, lineOf: (hit) => this.#hits.lineOf(hit), go: (hit) => this.#goTo(hit) });
    else if (this.#tab === 'output') this.#output?.mark(all);
    if (this.#timeline === undefined && this.#replay === undefined) return;
    const last = Math.max(1, this.#task.next_seq - 1);
    this.#strip.show(
      all.map(({ seq, frameSeq }) => this.#replay?.shareOf(frameSeq) ?? seq / last),
      current,
      `${all.length} hits marked along the record`,
    );
  }

  #views(): typeof TABS {
    return TABS.filter(([tab]) => {
      if (tab === 'conversation') return this.#agent !== null;
      return tab !== 'replay' || (this.#spawned?.execution_mode === 'pty' && !this.#gone);
    });
  }

  async #showReplay(seq: number | null): Promise<void> {
    if (this.terminal === undefined) {
      this.#aside.append(element('p', { className: 'scrolled note' }, 'Only a terminal can be replayed.'));
      return;
    }
    const { ReplayView: Replay } = await import('../replay/view');
    if (this.#tab !== 'replay' || this.#closed || this.#replay !== undefined || this.#task === undefined) return;
    this.#replay = new Replay(this.#task, seq, this.#aside);
    this.#replay.slider.prepend(this.#strip.root);
    this.#replay.tools.append(this.#steps.root);
    this.#drawHits();
  }

  async #details(): Promise<void> {
    const { detailsDialog } = await import('./details');
    const shown = this.#task;
    if (shown === undefined || this.#closed || document.querySelector('dialog[open]') !== null) return;
    this.#usage = detailsDialog(shown, this.#spawned, () => this.#task ?? shown);
  }

  async #runAgain(): Promise<void> {
    if (this.#spawned === null) return;
    if (!isRepeatable(this.#spawned)) return this.#editAndRun();
    try {
      location.hash = taskAddress(await runAgain(this.id));
    } catch (refused) {
      if (!(refused instanceof Refusal)) throw refused;
      this.#complaint.say(refused.message);
    }
  }

  #editAndRun(): void {
    if (this.#spawned !== null) this.#edit(this.#spawned);
  }

  /** Whether the task has ended and can be run again. */
  get #isRepeatable(): boolean {
    return this.#task?.outcome != null && this.#spawned !== null && this.#agent === null;
  }

  /** The terminal that takes input; no letter is a shortcut while it is shown. */
  get liveTerminal(): TerminalView | undefined {
    return this.#tab === 'output' && this.#task?.outcome === null && this.terminal?.isLog === false ? this.terminal : undefined;
  }

  #addressOf(tab: Tab): string {
    return taskAddress(this.id, tab === this.#usual ? null : tab);
  }

  /** Whether a live terminal may be shown soon, so that no letter is a shortcut either. */
  get isOpening(): boolean {
    return this.#isOpening && this.#tab === 'output';
  }

  /** A page that opens is busy, for assistive technology and tests: no key is a shortcut yet. */
  #setOpening(is: boolean): void {
    this.#isOpening = is;
    this.root.ariaBusy = String(is);
  }

  /** Its commands in the palette. */
  choices(): Choice[] {
    const views = this.#views().map(([tab, text], i) => ({
      name: text,
      hint: String(i + 1),
      act: () => void (location.hash = this.#addressOf(tab)),
    }));
    const ofOutput = (this.#tab === 'output' ? this.#output : this.#replay)?.choices() ?? [];
    const details = { name: 'Details of the task', hint: 'd', act: () => void this.#details() };
    const again = [
      { name: 'Run again', hint: 'r', act: () => void this.#runAgain() },
      { name: 'Edit and run', hint: 'e', act: () => this.#editAndRun() },
    ];
    if (this.#task === undefined || this.#task.outcome !== null)
      return [...ofOutput, ...views, ...(this.#isRepeatable ? again : []), details];
    const stop = { name: 'Stop or kill the task', hint: this.liveTerminal === undefined ? 's' : '', act: () => this.#stop.ask() };
    const interrupt = { name: 'Interrupt the task (INT)', hint: '', act: () => void this.#stop.carryOut('interrupt') };
    return [...ofOutput, ...this.#company.choices(), ...views, stop, interrupt, details];
  }

  /** Handles a key pressed outside of fields, where no live terminal is shown; returns whether it had an effect. */
  key(key: string, event: KeyboardEvent): boolean {
    if (this.#replay?.key(key) === true) return true;
    const tab = this.#views()[Number(key) - 1]?.[0];
    if (tab !== undefined) location.hash = this.#addressOf(tab);
    else if (key === 'd') void this.#details();
    else if (key === 'r' && this.#isRepeatable) void this.#runAgain();
    else if (key === 'e' && this.#isRepeatable) this.#editAndRun();
    else if (key === 's' && !this.#stop.root.hidden) this.#stop.ask(event);
    else if ((key === 'h' || key === 'H') && this.#steps.root.isConnected) this.#steps.step(key === 'h' ? 1 : -1);
    else if (key === 'i' && this.#conversation !== undefined) this.#conversation.write();
    else if (this.#tab !== 'output') return false;
    else if (this.#output?.key(key) === true) return true;
    else if (key === '/' && this.#output !== undefined) this.#output.search();
    else return false;
    return true;
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#timer);
    clearTimeout(this.#again);
    window.removeEventListener('online', this.#reconnect);
    document.removeEventListener('visibilitychange', this.#seen);
    this.#stop.close();
    this.#hits.close();
    this.#strip.close();
    cancelAnimationFrame(this.#drawing);
    this.#conversation?.close();
    this.#timeline?.close();
    this.#replay?.close();
    this.#output?.close();
  }

  async #begin(): Promise<void> {
    this.#setOpening(true);
    try {
      const [task, spawned] = await Promise.all([taskOf(this.id), spawnOf(this.id)]);
      if (this.#closed) return;
      this.#answered();
      this.#spawned = spawned;
      this.#update(task);
      this.#gone = await isGone(task);
      if (this.#closed) return;
      if (spawned === null || this.#gone) {
        this.#place.append(
          this.#gone ? goneNote(task) : element('p', { className: 'empty' }, 'The task was refused, so it has no output.'),
        );
        this.#head.stand({ is: 'ended' });
      } else {
        await this.#attach(task, spawned);
        this.#seen();
        this.#update(task);
      }
      if (!this.#closed) this.show(this.#wanted, this.#seq); // the user may have gone to another view meanwhile
    } catch (broken) {
      if (this.#closed) return;
      if (!(broken instanceof Refusal)) {
        this.#isNotWhole();
        throw broken;
      }
      this.#failed(broken);
      if (broken.passes) this.#again = setTimeout(() => void this.#begin(), AGAIN_MS);
    } finally {
      this.#setOpening(false);
    }
  }

  /** A browser does not retry a module that failed to load. */
  #isNotWhole(): void {
    this.#place.replaceChildren(incompletePage());
  }

  async #attach(task: Task, spawned: ToolTaskSpawned): Promise<void> {
    const told = {
      frame: (frame: Frame) => this.#tell(frame),
      standing: (standing: Standing) => this.#stand(standing),
      company: (company: Company) =>
        this.#company.show(company, this.#output?.attachment.rights === 'view'),
      refused: (message: string) => this.#complain(message),
      typeAgain: () => this.#allow('control'),
    };
    if (spawned.execution_mode === 'pipes') {
      this.#output = new LogView(this.id, joinOf(task), opensOf(task), this.#place, told, rightsOf(this.id), () => void this.#refresh());
      return;
    }
    // xterm.js is loaded when there is a terminal to show. It measures its font once, so the font comes first.
    const [{ TerminalView: Terminal }] = await Promise.all([import('../terminal/view'), fontsLoaded()]);
    if (this.#closed) return;
    const terminal = new Terminal(this.id, this.#place, told, rightsOf(this.id));
    this.#output = terminal;
    if (task.outcome !== null) terminal.showLog(); // an ended program has no use for a screen
    this.#company.ofTerminal();
    this.#company.opens(terminal.size);
  }

  #allow(rights: Rights): void {
    keepRights(this.id, rights);
    this.#output?.allow(rights);
  }

  /** A command that reaches an ended task is no error. */
  #complain(message: string): void {
    if (this.#task?.outcome == null) this.#complaint.say(message);
  }

  #tell(frame: Frame): void {
    if (!frame.known) return;
    if (frame.frame.type === 'task_resource_usage') this.#usage?.add(frame.frame);
    if (frame.frame.type === 'task_watcher_added') this.#hits.add({ ...frame.frame, added_by: frame.frame.actor });
    if (frame.frame.type === 'tool_task_cancel_requested') this.#stop.asked(Date.now() - frame.frame.timestamp_ms);
    if (frame.frame.type !== 'tool_task_status') return;
    const { phase, started_at_ms } = frame.frame;
    // Waiting and resuming are shown at once; everything else is requested.
    if (this.#task?.outcome === null && phase !== 'ended')
      this.#update({ ...this.#task, phase, started_at_ms: started_at_ms ?? this.#task.started_at_ms });
    else void this.#refresh();
  }

  #stand(standing: Standing): void {
    this.#head.stand(standing);
    if (standing.is === 'waiting') this.#company.away();
    if (standing.is === 'ended') this.#company.nobody();
    if (standing.is === 'waiting' || standing.is === 'ended') void this.#refresh();
  }

  /** Requests the task, one request at a time: a terminal in use has many statuses. */
  async #refresh(): Promise<void> {
    this.#stale = true;
    if (this.#asking) return;
    this.#asking = true;
    let asked = 0;
    try {
      while (this.#stale && !this.#closed) {
        this.#stale = false;
        asked = performance.now();
        const task = await taskOf(this.id);
        if (this.#closed) return;
        this.#head.answers(true);
        this.terminal?.answers(true);
        if (this.#isSilent) this.#reconnect(); // it responds again, so do not wait any longer
        this.#isSilent = false;
        this.#output?.attachment.check(task.next_seq);
        this.#update(task);
        if (this.#output instanceof LogView) this.#output.written(task.artifacts.logs);
      }
    } catch (refused) {
      if (!(refused instanceof Refusal) || this.#closed) return;
      if (refused.status === 401 || refused.status === 404) this.#failed(refused);
      else if (refused.status === 0) {
        this.#isSilent = true;
        this.#head.answers(false);
        this.terminal?.answers(false);
        this.#output?.attachment.unanswered((performance.now() - asked) / 1000);
      }
    } finally {
      this.#asking = false;
    }
  }

  #tick(): void {
    this.#head.tick();
    if (document.visibilityState !== 'visible' || this.#task === undefined) return;
    // An agent that has ended may be resumed by another client.
    if (this.#task.outcome === null || (this.#agent !== null && ++this.#ticks % RESUMED_TICKS === 0)) void this.#refresh();
  }

  #update(task: Task): void {
    // Another run has begun, or has ended already.
    if (this.#task != null && this.#task.outcome !== null && this.#task.ended_at_ms !== task.ended_at_ms) {
      if (this.#conversation?.isSending !== true) this.#reopen(); // else right after the answer
      return;
    }
    this.#task = task;
    this.#notices.update(task);
    const command = this.#spawned === null ? '' : commandOf(this.#spawned.args as Record<string, unknown>);
    this.#head.show(task, command, this.#spawned !== null && this.#agent === null);
    if (task.phase === 'stopping') this.#stop.asked();
    if (task.outcome === null) this.#stop.runs(task);
    else {
      this.#stop.ended();
      this.terminal?.outcome(task.outcome !== 'succeeded');
      this.#end.hidden = false;
      this.#end.dataset['mood'] = moodOf(task);
      say(this.#end, `${endOf(task)}${keptOf(task)}`);
      this.#end.title = this.#end.textContent;
    }
    this.#hits.read(task).catch((refused: unknown) => {
      if (!(refused instanceof Refusal)) throw refused; // else the views show the reason
    });
    this.#watchers?.update(task);
    this.#replay?.update(task);
    if (task.outcome === null && keptOf(task) !== '') {
      this.#end.hidden = false;
      this.#end.dataset['mood'] = 'poor';
      say(this.#end, `${keptOf(task).trim()} The task continues; further output is not shown.`);
    }
    this.#files?.update(task);
    this.#conversation?.update(task);
  }
}
