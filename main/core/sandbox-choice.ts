/**
 * Decides whether images run in the sandbox. The settings determine this; while they are damaged, no image starts until the person has
 * decided.
 */
import path from 'node:path';
import type { Settings, settings as settingsSchema } from '#contract/settings.ts';
import type { Alerts } from './alerts/alerts.ts';
import { WorkbenchError } from './base/error.ts';
import type { SandboxPaths } from './lisp/start/sandbox.ts';
import type { Document } from './settings/document.ts';
import type { Paths } from './settings/paths.ts';

interface SandboxChoiceOptions {
  readonly settings: Document<typeof settingsSchema>;
  readonly alerts: Alerts;
  readonly paths: Paths;
  /** True if images run in the sandbox regardless of the settings. */
  readonly forced: boolean;
  /** Stores the person's decision in the settings. */
  readonly keep: (sandbox: boolean) => Promise<Settings>;
  /** Starts the image that waited for the decision. */
  readonly start: () => Promise<void>;
}

export class SandboxChoice {
  readonly #options: SandboxChoiceOptions;
  /** The message about damaged settings from which it is unknown whether the sandbox is wanted; null if that is known. */
  #unknown: string | null = null;
  /** The person's decision for this run, in case the settings cannot be changed. */
  #forRun: boolean | null = null;

  constructor(options: SandboxChoiceOptions) {
    this.#options = options;
  }

  get wanted(): boolean {
    const { forced, settings } = this.#options;
    return forced || (this.#forRun ?? settings.value.sandbox);
  }

  /**
   * Returns the paths for an image's sandbox; null if no sandbox is wanted.
   * @throws WorkbenchError `refused` while it is unknown whether a sandbox is wanted. No image starts in this case.
   */
  paths(): SandboxPaths | null {
    if (this.#options.settings.knows('sandbox')) this.#known(); // a file that was unreadable may be readable now
    if (this.#unknown !== null) throw new WorkbenchError('refused', this.#unknown);
    return this.wanted ? sandboxPaths(this.#options.paths) : null;
  }

  /** Raises an alert that asks the person to decide, if the settings do not specify whether images run in the sandbox. */
  raiseAlert(): void {
    const { settings, forced, alerts, keep, start } = this.#options;
    if (settings.knows('sandbox') || forced) return;
    this.#unknown = `The settings do not say whether to use the sandbox (${settings.problem}), so no image starts before you decide.`;
    const decide = async (sandbox: boolean): Promise<void> => {
      this.#forRun = sandbox;
      this.#known();
      await keep(sandbox).catch(() => {}); // on failure the decision is valid for this run
      await start();
    };
    alerts.set('sandbox', this.#unknown, {
      on: { title: 'Start in the sandbox', run: () => decide(true) },
      off: { title: 'Start without', run: () => decide(false) },
    });
  }

  /** Uses the changed settings from now on. */
  changed(): void {
    this.#forRun = null;
    this.#known();
  }

  #known(): void {
    this.#unknown = null;
    this.#options.alerts.set('sandbox', null);
  }
}

/** Returns the paths for a sandbox. The socket's folder may be shared; its other files are then hidden too. */
export function sandboxPaths({ config, state, cache, socket }: Paths): SandboxPaths {
  return { hidden: [config, state, path.dirname(socket)], cache };
}
