/**
 * Review, the approval surface: a separate view above the page with its own origin and preload. Only its frame can send decisions. While it
 * is hidden, and just after it is shown, nothing can be approved.
 */
import { WebContentsView, type BrowserWindow, type WebContents } from 'electron';
import type { z } from 'zod';
import type { ShownQueue } from '#contract/decisions/approval.ts';
import { approvalCalls, type ApprovalEvents, type PageEvents } from '#contract/rpc.ts';
import { appearance } from '#contract/settings.ts';
import { Emitter } from '#core/base/emitter.ts';
import { WorkbenchError } from '#core/base/error.ts';
import { DECISION_ANSWERS, INERT_MS } from '#contract/decisions/decision.ts';
import type { Workbench } from '#core/workbench.ts';
import { PageLink, type SendNow } from './ipc.ts';
import { States } from '../feed/outbox-channels.ts';
import { onPageGone } from '../window/page-gone.ts';
import { APPROVAL_PAGE } from '../window/scheme.ts';
import type { WorkspaceStore } from '../window/workspace-store.ts';
import { confine, pagePreferences, TITLE_BAR } from '../window/window.ts';
import { zoom } from '../window/zoom.ts';

const WIDTH = 648;
const STATUS_BAR = 24;

export class Review {
  readonly events = new Emitter<{
    changed: { open: boolean; waiting: number };
    /** In the approval view, the person has requested to see an item in the page, such as a source or a debugger. */
    'source-wanted': z.input<PageEvents['source-wanted']>;
    'debugger-wanted': z.input<PageEvents['debugger-wanted']>;
    'protection-wanted': z.input<PageEvents['protection-wanted']>;
    'command-invoked': string;
    /** The clients that have just been paused. The page offers to resume them. */
    'agents-stopped': string[];
  }>();
  readonly #window: BrowserWindow;
  readonly #workbench: Workbench;
  readonly #workspace: WorkspaceStore;
  readonly #view: WebContentsView;
  #open = false;
  #aside = false;
  #drawn = false;
  #focusWanted = false;
  #shownAt = 0;

  /**
   * `workspace` contains the texts that are open in the window's editor. `drawn` resolves when the window's page, which is loaded first,
   * has drawn its content.
   */
  constructor(window: BrowserWindow, workbench: Workbench, workspace: WorkspaceStore, drawn: Promise<void>) {
    this.#window = window;
    this.#workspace = workspace;
    this.#workbench = workbench;
    this.#view = new WebContentsView({ webPreferences: pagePreferences('approval-preload.cjs') });
    this.#view.setBackgroundColor('#00000000');
    window.contentView.addChildView(this.#view);
    this.#view.setVisible(false);
    confine(this.contents);
    this.#serve();
    this.#place();
    window.on('resize', () => this.#place());
    // After a reload, the page has no open menu or dialog, even if it had one before.
    window.webContents.on('did-navigate', () => this.stepAside(false));
    zoom.follow(this.contents);
    zoom.events.on('changed', () => this.#place());
    window.on('closed', () => workbench.approvals.setApprover(null, 'The window was closed.'));
    // From now on, requests wait for a decision, although the page is loaded only after the window has painted.
    workbench.approvals.setApprover('the window');
    this.contents.on('did-finish-load', () => workbench.approvals.setApprover('the window'));
    this.contents.on('did-fail-load', () => workbench.approvals.setApprover(null, 'Review is not available.'));
    onPageGone(this.contents, () => {
      workbench.approvals.setApprover(null, 'Review is not available.');
      // Postponed until the event is handled, because otherwise the new process would start while Electron is still reporting the end of
      // the old one.
      setImmediate(() => this.#load());
    });
    void drawn.then(() => this.#load());
  }

  /** Loads the page. If the page's process ends while loading, loading fails, and the page is loaded again. */
  #load(): void {
    if (!this.contents.isDestroyed()) this.contents.loadURL(APPROVAL_PAGE).catch(() => {});
  }

  get contents(): WebContents {
    return this.#view.webContents;
  }

  get open(): boolean {
    return this.#open;
  }

  show(open: boolean): void {
    if (this.#open === open) return;
    this.#open = open;
    if (!open) {
      this.#focusWanted = false;
      this.#resumeClocks();
    }
    this.#draw();
    if (!open && !this.#window.isDestroyed()) this.#window.webContents.focus();
    this.#tell();
  }

  /** Opens Review and gives it the keyboard focus. */
  focus(): void {
    this.#focusWanted = true;
    this.show(true);
    this.#draw();
  }

  /** Opens Review, and shows this card if it is still waiting. Clicks that began before this do not count. */
  openCard(id: string, denying: boolean): void {
    this.focus();
    if (!this.#workbench.approvals.view().waiting.some((card) => card.id === id)) return;
    this.#shownAt = performance.now();
    this.#send('card-wanted', { id, denying });
    this.#send('view-shown', {});
  }

  /** Opens the card after the current one. */
  next(): void {
    this.#send('next-wanted', {});
  }

  /** Hides Review while a menu, palette or dialog of the page needs its space. */
  stepAside(aside: boolean): void {
    this.#aside = aside;
    this.#draw();
  }

  #serve(): void {
    const { approvals, settings } = this.#workbench;
    let states!: States;
    const link = new PageLink('approval', this.contents, 'app://approval');
    const outbox = link.openOutbox((wake) => [(states = new States(wake))]);
    const queueChanged = (): void => states.tell('queue-changed', () => this.#shown());
    link.serve(approvalCalls, {
      'approval.queue': () => ({ ...this.#shown(), appearance: appearance.parse(settings.value) }),
      'approval.decide': ({ id, fingerprint, decision }) => {
        const tooSoon =
          decision.decision !== 'denied' && (!this.#visible() || performance.now() - this.#shownAt < INERT_MS);
        return tooSoon ? DECISION_ANSWERS.outOfView : approvals.decide(id, fingerprint, decision);
      },
      'approval.editing': ({ id, editing }) => {
        approvals.setEditing(id, editing);
        return {};
      },
      'approval.undo': async ({ id }) => {
        if (!this.#visible()) throw new WorkbenchError('refused', 'Review is hidden. Show it first.');
        const { restored, message, ...rest } = await this.#workbench.takeBack(id);
        return { restored, message, texts: 'texts' in rest ? rest.texts : null };
      },
      'approval.showSource': ({ id, frame }) => {
        const card = approvals.view().waiting.find((each) => each.id === id);
        const source = card?.effect?.frames[frame]?.source;
        if (!source) throw new WorkbenchError('not-found', 'This card does not have that source location.');
        this.events.emit('source-wanted', source);
        return {};
      },
      'approval.showDebugger': ({ id }) => {
        const card = approvals.view().waiting.find((each) => each.id === id);
        const wanted = card ? this.#workbench.proposals.debuggerOf(card) : null;
        if (wanted === null) throw new WorkbenchError('not-found', 'This card does not belong to a debugger.');
        this.events.emit('debugger-wanted', { debugger: wanted });
        return {};
      },
      'approval.showChanges': ({ id }) => {
        const image = this.#workbench.imageOfCard(id);
        if (image === null) throw new WorkbenchError('not-found', 'The code of this card is no longer waiting.');
        this.events.emit('protection-wanted', { image: image.id });
        return {};
      },
      'approval.showClients': () => {
        this.events.emit('command-invoked', 'view.clients');
        return {};
      },
      'approval.stopAgents': async () => {
        this.events.emit('agents-stopped', await this.#workbench.agents.stopAll());
        return {};
      },
      'approval.showAgain': () => {
        this.#showAgain();
        return {};
      },
      'approval.close': () => {
        this.show(false);
        return {};
      },
    });
    approvals.events.on('changed', () => {
      queueChanged();
      this.#tell();
    });
    let unsaved = '';
    this.#workspace.events.on('kept', () => {
      const now = JSON.stringify(this.#unsaved());
      if (now === unsaved) return;
      unsaved = now;
      queueChanged();
    });
    this.#workbench.events.on('settings-changed', (settings) =>
      states.tell('appearance-changed', () => appearance.parse(settings)),
    );
    this.#send = (name, payload) => outbox.now(name, payload);
  }

  #send: SendNow<ApprovalEvents> = () => {};

  #shown(): ShownQueue {
    const { approvals, clients } = this.#workbench;
    const hues = Object.fromEntries(clients.list().map(({ id, hue }) => [id, hue]));
    return { ...approvals.view(), hues, unsaved: this.#unsaved() };
  }

  #unsaved(): ShownQueue['unsaved'] {
    return Object.fromEntries(
      this.#workspace.buffers.flatMap(({ path, text }) => (path === null ? [] : [[path, text !== null]])),
    );
  }

  /** Resumes the deadlines of requests, because an edit that the person has abandoned must not suspend them forever. */
  #resumeClocks(): void {
    const { approvals } = this.#workbench;
    for (const { id, deadline } of approvals.view().waiting) if (deadline === null) approvals.setEditing(id, false);
  }

  #visible(): boolean {
    return this.#open && !this.#aside;
  }

  #draw(): void {
    if (this.#window.isDestroyed()) return;
    const visible = this.#visible();
    if (visible && !this.#drawn) {
      this.#shownAt = performance.now();
      this.#send('view-shown', {});
    }
    this.#drawn = visible;
    this.#view.setVisible(visible);
    // After a menu or the palette is closed, Review gets the keyboard focus back.
    if (!visible || !this.#focusWanted) return;
    this.#focusWanted = false;
    this.contents.focus();
  }

  /**
   * Makes the view visible again. This is needed because Chromium sometimes treats a visible view as hidden, and draws nothing in it until
   * its visibility changes.
   */
  #showAgain(): void {
    if (!this.#visible() || !this.#window.isVisible() || this.#window.isMinimized()) return;
    const focused = this.contents.isFocused();
    this.#shownAt = performance.now();
    this.#view.setVisible(false);
    this.#view.setVisible(true);
    if (focused) this.contents.focus();
  }

  #place(): void {
    if (this.#window.isDestroyed()) return;
    const [width, height] = this.#window.getContentSize() as [number, number];
    const scaled = (size: number): number => Math.round(size * zoom.factor);
    const taken = Math.min(scaled(WIDTH), width);
    this.#view.setBounds({
      x: width - taken,
      y: scaled(TITLE_BAR),
      width: taken,
      height: Math.max(0, height - scaled(TITLE_BAR) - scaled(STATUS_BAR)),
    });
  }

  #tell(): void {
    this.events.emit('changed', { open: this.#open, waiting: this.#workbench.approvals.view().waiting.length });
  }
}
