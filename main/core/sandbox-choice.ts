/**
 * Decides whether images run in the sandbox: as the settings say, and while damaged settings do not tell, not before the person
 * decides.
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
  /** Images run in the sandbox whatever the settings say. */
  readonly forced: boolean;
  /** Keeps the person's decision in the settings. */
  readonly keep: (sandbox: boolean) => Promise<Settings>;
  /** Starts the image that waited for the decision. */
  readonly start: () => Promise<void>;
}

export class SandboxChoice {
  readonly #options: SandboxChoiceOptions;
  /** Why nobody can tell from the damaged settings whether the sandbox is wanted; null when that is known. */
  #unknown: string | null = null;
  /** The person's decision where their settings cannot be changed. */
  #forRun: boolean | null = null;

  constructor(options: SandboxChoiceOptions) {
    this.#options = options;
  }

  get wanted(): boolean {
    const { forced, settings } = this.#options;
    return forced || (this.#forRun ?? settings.value.sandbox);
  }

  /**
   * The paths that the sandbox of an image needs; null when none is wanted.
   * @throws WorkbenchError `refused` while it is not known whether there is to be one: then no image starts.
   */
  paths(): SandboxPaths | null {
    if (this.#options.settings.knows('sandbox')) this.#known(); // a file that could not be read may be by now
    if (this.#unknown !== null) throw new WorkbenchError('refused', this.#unknown);
    return this.wanted ? sandboxPaths(this.#options.paths) : null;
  }

  /** Asks the person by an alert where the settings do not tell. */
  raiseAlert(): void {
    const { settings, forced, alerts, keep, start } = this.#options;
    if (settings.knows('sandbox') || forced) return;
    this.#unknown = `Whether the image is wanted in the sandbox cannot be known (${settings.problem}), so none is started before you decide.`;
    const decide = async (sandbox: boolean): Promise<void> => {
      this.#forRun = sandbox;
      this.#known();
      await keep(sandbox).catch(() => {}); // then it holds for this run
      await start();
    };
    alerts.set('sandbox', this.#unknown, {
      on: { title: 'Start in the sandbox', run: () => decide(true) },
      off: { title: 'Start without', run: () => decide(false) },
    });
  }

  /** The settings tell it from now on. */
  changed(): void {
    this.#forRun = null;
    this.#known();
  }

  #known(): void {
    this.#unknown = null;
    this.#options.alerts.set('sandbox', null);
  }
}

/** The socket's folder may be everybody's: then other things of it are hidden as well. */
export function sandboxPaths({ config, state, cache, socket }: Paths): SandboxPaths {
  return { hidden: [config, state, path.dirname(socket)], cache };
}
