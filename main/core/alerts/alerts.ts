/** Alerts: problems that persist. The code that notices a problem raises the alert, and removes it when the problem is solved. */
import type { Alert } from '#contract/alert.ts';
import { Emitter } from '../base/emitter.ts';
import type { StoredFile } from '../settings/document.ts';

export interface AlertAction {
  readonly title: string;
  readonly run: () => Promise<unknown> | void;
}

interface Raised {
  readonly text: string;
  readonly actions: Readonly<Record<string, AlertAction>>;
}

export class Alerts {
  /** `raised`: a new alert was added. */
  readonly events = new Emitter<{ changed: Alert[]; raised: Alert }>();
  readonly #raised = new Map<string, Raised>();

  list(): Alert[] {
    return [...this.#raised].map(([id, raised]) => shown(id, raised));
  }

  /** Raises an alert, or removes it if `text` is null. */
  set(id: string, text: string | null, actions: Readonly<Record<string, AlertAction>> = {}): void {
    const before = this.#raised.get(id)?.text ?? null;
    if (text === before) return;
    if (text === null) this.#raised.delete(id);
    else this.#raised.set(id, { text, actions });
    if (text !== null && before === null) this.events.emit('raised', shown(id, { text, actions }));
    this.events.emit('changed', this.list());
  }

  /** Runs the action that the person chose. Does nothing if the alert no longer exists. */
  async act(id: string, action: string): Promise<void> {
    await this.#raised.get(id)?.actions[action]?.run();
  }

  /** Raises an alert while one of our files cannot be written. */
  watch(id: string, kept: StoredFile): void {
    this.set(id, kept.failure);
    kept.events.on('failure', (failure) => this.set(id, failure));
  }
}

function shown(id: string, { text, actions }: Raised): Alert {
  return { id, text, actions: Object.entries(actions).map(([action, { title }]) => ({ id: action, title })) };
}
