/** Entry of the page: fills the mirror, restores the workspace of the last start, draws. */
import './theme/index.css';
import { createRoot, type Root } from 'react-dom/client';
import { App } from './app.tsx';
import { giveFirstFocus } from './base/first-focus.ts';
import { startGivingBack } from './base/giving-back.ts';
import { messageOf, on } from './base/bridge.ts';
import { registerAll } from './commands/all.ts';
import { runCommand, setKeymap } from './features/command-registry.ts';
import { startKeymap } from './features/key-listener.ts';
import { startKills } from './editor/emacs/kills.ts';
import { startMark } from './editor/emacs/mark.ts';
import { followChanges, followDisk, restoreBuffers } from './editor/files.ts';
import { followRecentFiles } from './editor/recent-files.ts';
import { registerLisp } from './editor/language.ts';
import { revealSource } from './editor/reveal-source.ts';
import { startBackgroundSyntaxCheck } from './editor/background-syntax-check.ts';
import { startProblems } from './editor/problem-markers.ts';
import { followCompiledFiles } from './features/problems.ts';
import { followCoverage } from './features/coverage/coverage-store.ts';
import { followTrace } from './features/trace/trace-store.ts';
import { followTests } from './features/tests/tests-store.ts';
import { followTestTexts } from './editor/run-tests.ts';
import { followTracedCalls } from './features/traced-calls.ts';
import { startTabOrder } from './editor/tab-switching.ts';
import { startMonacoTheme } from './editor/monaco-theme.ts';
import { Broken } from './layout/error-boundary.tsx';
import { followProjectFiles } from './features/project-files.ts';
import { startInspector } from './features/inspector/inspector.ts';
import { notify, orNotice } from './features/notices.tsx';
import { restoreLayout } from './base/layout-store.ts';
import { announceAdmissions } from './panels/clients/pairing.tsx';
import { mirror, startMirror } from './base/mirror.ts';
import { notifyStopped } from './features/clients/pause.ts';
import { restoreReplInput } from './features/repl/input-store.ts';
import { restoreRepls } from './features/repl/repls.ts';
import { announceDebuggers, showDebugger } from './features/debugger/announce.ts';
import { followDebuggers } from './features/debugger/store.ts';
import { followFrameMarks } from './editor/frame-source.ts';
import { followStoppedResults } from './editor/stopped-results.ts';
import { startImageFeatures } from './features/image-features.ts';
import { transcript } from './features/repl/transcript-store.ts';
import { chooseAppearance } from './theme/theme.ts';
import { keepSoon, startKeeping } from './base/workspace.ts';

const root = createRoot(document.querySelector('#root')!);

start(root).catch((error: unknown) => {
  console.error(error);
  root.render(<Broken problem={messageOf(error)} />);
});

async function start(page: Root): Promise<void> {
  chooseAppearance({ theme: 'system', contrast: 'system', codeFont: '' });
  registerAll();
  transcript.followAgents();
  const { workspace, problems } = await startMirror();
  chooseAppearance(mirror.getState().settings);
  setKeymap(mirror.getState().settings.keymap);
  mirror.subscribe((state, before) => {
    if (state.settings !== before.settings) chooseAppearance(state.settings);
    if (state.settings.keymap !== before.settings.keymap) setKeymap(state.settings.keymap);
    // A tool may have written the file that is shown.
    if (state.activity !== before.activity && state.activity.events.at(-1)?.kind === 'call-finished') void followDisk();
  });
  registerLisp();
  startMonacoTheme();
  startProblems();
  followCompiledFiles();
  followTests();
  followTestTexts();
  followTracedCalls();
  followTrace();
  followCoverage();
  startBackgroundSyntaxCheck();
  startImageFeatures();
  startTabOrder();
  followProjectFiles();
  followChanges();
  restoreLayout(workspace.layout);
  restoreReplInput(workspace);
  restoreRepls(workspace);
  await Promise.all([restoreBuffers(workspace), document.fonts.load('13px "JetBrains Mono Variable"')]);
  followRecentFiles(workspace.recentFiles);
  startKeeping(workspace);
  announceAdmissions();
  followDebuggers();
  followFrameMarks();
  followStoppedResults();
  announceDebuggers();
  startKeymap();
  startGivingBack();
  startMark();
  startKills();
  startInspector();
  on('agents-stopped', ({ paused }) => notifyStopped(paused));
  on('source-wanted', (source) => void orNotice(revealSource({ ...source, offset: null })));
  on('debugger-wanted', ({ debugger: id }) => {
    const head = mirror.getState().debuggers.debuggers.find((each) => each.id === id);
    if (head) showDebugger(head);
  });
  on('command-invoked', ({ command }) => runCommand(command));
  page.render(<App />);
  giveFirstFocus(workspace.activeBuffer === null ? 'REPL' : 'Editor');
  for (const problem of problems) notify(problem, 'error');
  keepSoon();
}
