/** Starts the window: fills the mirror, restores the last workspace, and draws the page. */
import type { Root } from 'react-dom/client';
import { call, on } from '../base/bridge.ts';
import { runCommand, setKeymap } from '../base/keys/command-registry.ts';
import { startKeymap } from '../base/keys/key-listener.ts';
import { giveFirstFocus } from '../base/layout/first-focus.ts';
import { startGivingBack } from '../base/layout/giving-back.ts';
import { followFolder } from '../base/layout/folder-sessions.ts';
import { restoreLayout } from '../base/layout/layout-store.ts';
import { keepSoon, startKeeping } from '../base/layout/workspace.ts';
import { mirror, startMirror } from '../base/mirror.ts';
import { notify, orNotice } from '../base/notices/notices.tsx';
import { followProjectFiles } from '../base/project-files.ts';
import { followChanges, followDisk, restoreBuffers } from '../editor/files/files.ts';
import { followRecentFiles } from '../editor/files/recent-files.ts';
import { startTabOrder } from '../editor/groups/tab-switching.ts';
import { registerLisp } from '../editor/monaco/language.ts';
import { startMonacoTheme } from '../editor/monaco/monaco-theme.ts';
import { revealSource } from '../editor/monaco/reveal-source.ts';
import { startKills } from '../editor/typing/kills.ts';
import { startMark } from '../editor/typing/mark.ts';
import { features } from '../features/all.ts';
import { chooseAppearance } from '../theme/theme.ts';
import { onStepAside } from '../ui/panels/step-aside.ts';
import { App } from './app.tsx';
import { registerFeatures } from './registrations.ts';

/** Draws the window into an element of the page, with the state of the core and the last workspace. */
export async function startWindow(page: Root): Promise<void> {
  chooseAppearance({ theme: 'system', contrast: 'system', codeFont: '' });
  registerFeatures();
  const { workspace, problems } = await startMirror();
  followSettings();
  registerLisp();
  startMonacoTheme();
  startTabOrder();
  followProjectFiles();
  followChanges();
  for (const { follow } of features) follow?.();
  restoreLayout(workspace.layout);
  await Promise.all([
    ...features.map(({ restore }) => restore?.(workspace)),
    restoreBuffers(workspace),
    document.fonts.load('13px "JetBrains Mono Variable"'),
    document.fonts.load('13px "Inter Variable"'),
  ]);
  followRecentFiles(workspace.recentFiles);
  await followFolder(workspace);
  // Saving begins after everything is restored, because an earlier save would lack the parts that are not restored yet.
  startKeeping(workspace);
  startKeymap();
  startGivingBack();
  startMark();
  startKills();
  for (const each of features) each.start?.();
  on('source-wanted', (source) => void orNotice(revealSource({ ...source, offset: null })));
  on('command-invoked', ({ command }) => runCommand(command));
  onStepAside((aside) => {
    call('review.stepAside', { aside }).catch((error: unknown) => console.error('Review did not step aside.', error));
  });
  page.render(<App />);
  giveFirstFocus(workspace.activeBuffer === null ? 'REPL' : 'Editor');
  for (const problem of problems) notify(problem, 'error');
  keepSoon();
}

function followSettings(): void {
  chooseAppearance(mirror.getState().settings);
  setKeymap(mirror.getState().settings.keymap);
  mirror.subscribe((state, before) => {
    if (state.settings !== before.settings) chooseAppearance(state.settings);
    if (state.settings.keymap !== before.settings.keymap) setKeymap(state.settings.keymap);
    // Checks the shown file, because a tool may have written it.
    if (state.activity !== before.activity && state.activity.events.at(-1)?.kind === 'call-finished') void followDisk();
  });
}
