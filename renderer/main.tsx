/** Entry of the page: fills the mirror, restores what was there, draws. */
import './theme/index.css';
import './ui/ui.css';
import { createRoot, type Root } from 'react-dom/client';
import { App } from './app.tsx';
import { messageOf, on } from './bridge.ts';
import { registerAll } from './commands/all.ts';
import { runCommand, startKeymap } from './commands/registry.ts';
import { followDisk, restoreBuffers } from './editor/files.ts';
import { registerLisp } from './editor/language.ts';
import { revealSource } from './editor/reveal-source.ts';
import { startMonacoTheme } from './editor/monaco-theme.ts';
import { Broken } from './layout/error-boundary.tsx';
import { notify, orNotice } from './layout/notices.tsx';
import { restoreLayout } from './layout/layout-store.ts';
import { announceAdmissions } from './panels/clients/admissions.tsx';
import { mirror, startMirror } from './mirror.ts';
import { tellStopped } from './panels/clients/steer.ts';
import { restoreReplInput } from './panels/repl/input-store.ts';
import { transcript } from './panels/repl/transcript-store.ts';
import { chooseTheme } from './theme/theme.ts';
import { keepSoon, startKeeping } from './workspace.ts';

const root = createRoot(document.querySelector('#root')!);

start(root).catch((error: unknown) => {
  console.error(error);
  root.render(<Broken problem={messageOf(error)} />);
});

async function start(page: Root): Promise<void> {
  chooseTheme('system');
  registerAll();
  transcript.followAgents();
  const { workspace, problems } = await startMirror();
  chooseTheme(mirror.getState().settings.theme);
  mirror.subscribe((state, before) => {
    if (state.settings.theme !== before.settings.theme) chooseTheme(state.settings.theme);
    // A tool may have written the file that is shown.
    if (state.activity !== before.activity && state.activity.events.at(-1)?.kind === 'call-finished') void followDisk();
  });
  registerLisp();
  startMonacoTheme();
  restoreLayout(workspace.layout);
  restoreReplInput(workspace);
  await Promise.all([restoreBuffers(workspace), document.fonts.load('13px "JetBrains Mono Variable"')]);
  startKeeping(workspace);
  announceAdmissions();
  startKeymap();
  on('agents-stopped', ({ paused }) => tellStopped(paused));
  on('source-wanted', (source) => void orNotice(revealSource({ ...source, offset: null })));
  on('command-invoked', ({ command }) => runCommand(command));
  page.render(<App />);
  for (const problem of problems) notify(problem, 'error');
  keepSoon();
}
