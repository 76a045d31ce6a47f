/**
 * Review: the approval surface, a view of its own above the page with its own origin and preload. Only its frame can
 * decide. While it is hidden, or just shown, nothing can be approved.
 */
import { WebContentsView, type BrowserWindow, type WebContents } from 'electron';
import type { ShownQueue } from '#contract/approval.ts';
import { approvalCalls, type approvalEvents, type workbenchEvents } from '#contract/rpc.ts';
import { Emitter } from '#core/emitter.ts';
import { WorkbenchError } from '#core/error.ts';
import { INERT_MS } from '#core/approvals/entry.ts';
import type { Workbench } from '#core/workbench.ts';
import { eventSender, serveCalls } from './ipc.ts';
import { APPROVAL_PAGE } from './scheme.ts';
import type { WorkspaceStore } from './workspace-store.ts';
import { confine, pagePreferences, TITLE_BAR } from './window.ts';
import { zoom } from './zoom.ts';

const WIDTH = 648;
const STATUS_BAR = 24;

export class Review {
  readonly events = new Emitter<{ changed: { open: boolean; waiting: number } }>();
  readonly #window: BrowserWindow;
  readonly #workbench: Workbench;
  readonly #workspace: WorkspaceStore;
  readonly #view: WebContentsView;
  readonly #sendPage: ReturnType<typeof eventSender<typeof workbenchEvents>>;
  #open = false;
  #aside = false;
  #drawn = false;
  #focusWanted = false;
  #shownAt = 0;

  /** `workspace`: what is open in the window's editor. */
  constructor(window: BrowserWindow, workbench: Workbench, workspace: WorkspaceStore) {
    this.#window = window;
    this.#workspace = workspace;
    this.#workbench = workbench;
    this.#view = new WebContentsView({ webPreferences: pagePreferences('approval-preload.cjs') });
    this.#view.setBackgroundColor('#00000000');
    window.contentView.addChildView(this.#view);
    this.#view.setVisible(false);
    confine(this.contents);
    this.#sendPage = eventSender<typeof workbenchEvents>('workbench-event', () =>
      window.isDestroyed() ? null : window.webContents,
    );
    this.#serve();
    this.#place();
    window.on('resize', () => this.#place());
    zoom.follow(this.contents);
    zoom.events.on('changed', () => this.#place());
    window.on('closed', () => workbench.approvals.setApprover(null, 'The window was closed.'));
    // Requests wait from the first moment; the page itself lets the window paint first.
    workbench.approvals.setApprover('the window');
    this.contents.on('did-finish-load', () => workbench.approvals.setApprover('the window'));
    this.contents.on('did-fail-load', () => workbench.approvals.setApprover(null, 'Review is not available.'));
    this.contents.on('render-process-gone', () => {
      workbench.approvals.setApprover(null, 'Review is not available.');
      void this.contents.loadURL(APPROVAL_PAGE);
    });
    window.webContents.once('did-finish-load', () => void this.contents.loadURL(APPROVAL_PAGE));
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

  /** Opens it and gives it the keyboard. */
  focus(): void {
    this.#focusWanted = true;
    this.show(true);
    this.#draw();
  }

  /** Opens the card after the one that is open. */
  next(): void {
    this.#send('next-wanted', {});
  }

  /** A menu, palette or dialog of the page lies where Review is. */
  stepAside(aside: boolean): void {
    this.#aside = aside;
    this.#draw();
  }

  #serve(): void {
    const { approvals, settings } = this.#workbench;
    const send = eventSender<typeof approvalEvents>('approval-event', () =>
      this.#window.isDestroyed() ? null : this.contents,
    );
    serveCalls(
      'approval',
      approvalCalls,
      {
        'approval.queue': () => ({ ...this.#shown(), theme: settings.value.theme }),
        'approval.decide': ({ id, fingerprint, decision }) => {
          const tooSoon = decision.decision !== 'denied' && (!this.#visible() || Date.now() - this.#shownAt < INERT_MS);
          if (tooSoon)
            return {
              accepted: false,
              reason: 'too-soon' as const,
              message: 'Review has just come into view. Look at the card first.',
            };
          return approvals.decide(id, fingerprint, decision);
        },
        'approval.editing': ({ id, editing }) => {
          approvals.setEditing(id, editing);
          return {};
        },
        'approval.undo': async ({ id }) => {
          if (!this.#visible()) throw new WorkbenchError('refused', 'Review is not in view.');
          const { restored, message, ...rest } = await this.#workbench.takeBack(id);
          return { restored, message, texts: 'texts' in rest ? rest.texts : null };
        },
        'approval.showSource': ({ id, frame }) => {
          const card = approvals.view().waiting.find((each) => each.id === id);
          const source = card?.effect?.frames[frame]?.source;
          if (!source) throw new WorkbenchError('not-found', 'This card has no such place.');
          this.#sendPage('source-wanted', source);
          return {};
        },
        'approval.showClients': () => {
          this.#sendPage('command-invoked', { command: 'view.clients' });
          return {};
        },
        'approval.stopAgents': async () => {
          const paused = await this.#workbench.agents.stopAll();
          // The page offers the way back.
          this.#sendPage('agents-stopped', { paused });
          return {};
        },
        'approval.close': () => {
          this.show(false);
          return {};
        },
      },
      () => this.contents,
      'app://approval',
    );
    approvals.events.on('changed', () => {
      send('queue-changed', this.#shown());
      this.#tell();
    });
    let unsaved = '';
    this.#workspace.events.on('kept', () => {
      const now = JSON.stringify(this.#unsaved());
      if (now === unsaved) return;
      unsaved = now;
      send('queue-changed', this.#shown());
    });
    this.#workbench.events.on('settings-changed', ({ theme }) => send('theme-changed', { theme }));
    this.#send = send;
  }

  #send: ReturnType<typeof eventSender<typeof approvalEvents>> = () => {};

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

  /** An edit that was left behind must not stop its deadline for good. */
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
      this.#shownAt = Date.now();
      this.#send('view-shown', {});
    }
    this.#drawn = visible;
    this.#view.setVisible(visible);
    // What steps aside for a menu or the palette has the keyboard once that is gone.
    if (!visible || !this.#focusWanted) return;
    this.#focusWanted = false;
    this.contents.focus();
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
