/** The parts of the desktop that are used by the modules that serve its page. */
import type { BrowserWindow } from 'electron';
import type { Deviations } from '#core/sessions/definitions/deviations.ts';
import type { StoredFile } from '#core/settings/document.ts';
import type { Workbench } from '#core/workbench.ts';
import type { DesktopAgents } from './desktop-agents.ts';
import type { PersonFiles } from './calls/person-files.ts';
import type { PageLink } from './calls/ipc.ts';
import type { Review } from './calls/review.ts';
import type { DesktopServers } from './listeners/servers.ts';
import type { WorkspaceStore } from './window/workspace-store.ts';

export interface DesktopParts {
  readonly window: BrowserWindow;
  /** Calls and events of the window's page. */
  readonly link: PageLink;
  readonly workbench: Workbench;
  readonly servers: DesktopServers;
  readonly hosted: DesktopAgents;
  readonly review: Review;
  readonly files: PersonFiles;
  readonly workspace: WorkspaceStore;
  /** The state of the file in which the window's position is stored. */
  readonly place: StoredFile;
  readonly deviations: Deviations;
  /** The program and the arguments of the stdio command. */
  readonly stdioCommand: readonly string[];
  /** The folder of the plugin that clients install. */
  readonly pluginFolder: string;
}
