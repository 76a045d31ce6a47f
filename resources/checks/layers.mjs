/**
 * Proves that the lint configuration works. Each line below is inserted into a copy of the folders, and the linter must report it or, if it
 * is allowed, must not. If a rule is weakened by accident, this check fails.
 */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { run } from '../setup/children.mjs';
import { inRoot, node, tools } from '../setup/places.mjs';

const LAYER = 'no-restricted-imports';

/** The file, the line to insert into it, and the rule that must report the line (undefined if the line is allowed). */
const PLANTED = [
  ['main/contract/a.ts', "import 'zod';", undefined],
  ['main/contract/a.ts', "import './b.ts';", undefined],
  ['main/contract/a.ts', "import '#contract/b.ts';", undefined],
  ['main/contract/a.ts', "import 'node:fs';", LAYER],
  ['main/contract/a.ts', "import 'electron';", LAYER],
  ['main/contract/a.ts', "import 'hono';", LAYER],
  ['main/contract/a.ts', "import '@hono/node-server';", LAYER],
  ['main/contract/a.ts', "import '../core/workbench.ts';", LAYER],
  ['main/contract/a.ts', "import '#core/workbench.ts';", LAYER],
  ['main/core/lisp/a.ts', "import 'node:fs';", undefined],
  ['main/core/lisp/a.ts', "import '#contract/b.ts';", undefined],
  ['main/core/lisp/a.ts', "import 'electron';", LAYER],
  ['main/core/lisp/a.ts', "import 'electron/main';", LAYER],
  ['main/core/lisp/a.ts', "import '../../shell/window.ts';", LAYER],
  ['main/core/lisp/a.ts', "import '../../../renderer/base/mirror.ts';", LAYER],
  ['main/core/lisp/a.ts', "import '../../cli.ts';", LAYER],
  ['main/cli.ts', "import '#core/workbench.ts';", undefined],
  ['main/cli.ts', "import 'electron';", LAYER],
  ['main/cli.ts', "import './shell/window.ts';", LAYER],
  ['main/shell/a.ts', "import 'electron';", undefined],
  ['main/shell/a.ts', "import '#core/workbench.ts';", undefined],
  ['main/shell/a.ts', "import '../../renderer/base/mirror.ts';", LAYER],
  ['renderer/features/repl/a.tsx', "import '#contract/b.ts';", undefined],
  ['renderer/features/repl/a.tsx', "import '../../base/mirror.ts';", undefined],
  ['renderer/features/repl/a.tsx', "import '../../editor/files/files.ts';", undefined],
  ['renderer/features/repl/a.tsx', "import '../activity/panel.tsx';", undefined],
  ['renderer/features/repl/a.tsx', "import '../../window/frame.tsx';", LAYER],
  ['renderer/features/repl/a.tsx', "import '../../main.tsx';", LAYER],
  ['renderer/base/image/a.ts', "import './b.ts';", undefined],
  ['renderer/base/image/a.ts', "import '../../ui/button.tsx';", undefined],
  ['renderer/base/image/a.ts', "import '../../editor/files/files.ts';", LAYER],
  ['renderer/base/image/a.ts', "import '../../features/repl/repls.ts';", LAYER],
  ['renderer/base/image/a.ts', "import '../../window/frame.tsx';", LAYER],
  ['renderer/sexp/a.ts', "import '../ui/button.tsx';", LAYER],
  ['renderer/theme/a.ts', "import '../base/mirror.ts';", LAYER],
  ['renderer/ui/a.tsx', "import '../base/mirror.ts';", LAYER],
  ['renderer/ui/a.tsx', "import '../features/repl/repls.ts';", LAYER],
  ['renderer/ui/a.tsx', "import '../window/frame.tsx';", LAYER],
  ['renderer/editor/text/a.ts', "import '../../base/mirror.ts';", undefined],
  ['renderer/editor/monaco/a.ts', "import 'monaco-editor/features/find/register.js';", undefined],
  ['renderer/editor/text/a.ts', "import '../../features/repl/repls.ts';", LAYER],
  ['renderer/editor/text/a.ts', "import '../../window/frame.tsx';", LAYER],
  ['renderer/window/a.tsx', "import '../features/all.ts';", undefined],
  ['renderer/window/a.tsx', "import '../main.tsx';", LAYER],
  ['renderer/features/repl/a.tsx', "import 'electron';", LAYER],
  ['renderer/features/repl/a.tsx', "import 'node:fs/promises';", LAYER],
  ['renderer/features/repl/a.tsx', "import '#core/workbench.ts';", LAYER],
  ['renderer/features/repl/a.tsx', "import '../../../main/core/workbench.ts';", LAYER],
  ['renderer/features/repl/a.tsx', "import '../../approval/card.tsx';", LAYER],
  ['renderer/approval/a.tsx', "import './card.tsx';", undefined],
  ['renderer/approval/a.tsx', "import '../ui/button.tsx';", undefined],
  ['renderer/approval/a.tsx', "import '#contract/b.ts';", undefined],
  ['renderer/approval/a.tsx', "import '../features/repl/panel.tsx';", LAYER],
  ['renderer/approval/a.tsx', "import '../editor/groups/editor.tsx';", LAYER],
  ['renderer/approval/a.tsx', "import '../base/mirror.ts';", LAYER],
  ['renderer/approval/a.tsx', "import '../base/bridge.ts';", LAYER],
  ['renderer/approval/card/a.tsx', "import '../../window/frame.tsx';", LAYER],
  ['renderer/approval/a.tsx', "import 'monaco-editor';", LAYER],
  ['main/core/lisp/cycle-a.ts', "import './cycle-b.ts';", 'no-cycle'],
  ['main/core/lisp/cycle-b.ts', "import './cycle-a.ts';", 'no-cycle'],
  ['main/core/lisp/type-cycle-a.ts', "import type { B } from './type-cycle-b.ts';", 'no-cycle'],
  [
    'main/core/lisp/type-cycle-b.ts',
    "export type B = import('./type-cycle-a.ts').A; import type { A } from './type-cycle-a.ts';",
    'no-cycle',
  ],
  ['main/core/lisp/loose.ts', 'Promise.resolve(1);', 'no-floating-promises'],
  ['main/core/lisp/loose.ts', "console.log('left over');", 'no-console'],
  ['main/cli.ts', "console.log('meant');", undefined],
];

export async function checkLayers(report) {
  const folder = mkdtempSync(join(tmpdir(), 'lisp-workbench-layers-'));
  try {
    const lines = plant(folder);
    const reported = await lint(folder);
    return PLANTED.map(([file, line, rule]) => {
      const found = reported
        .filter((fault) => fault.file === file && fault.line === lines.get(`${file}\n${line}`))
        .map((fault) => fault.rule);
      const passed = rule === undefined ? !found.some(isOurs) : found.includes(rule);
      const title = `${file}: ${line} ${rule === undefined ? 'is allowed' : `is refused by ${rule}`}`;
      if (!passed) report.line(`✗ ${title}; reported: ${found.join(' ') || 'nothing'}`);
      return { title, passed };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const isOurs = (rule) => PLANTED.some(([, , ours]) => ours === rule);

/** Writes the files. Returns the line number of each inserted line. */
function plant(folder) {
  const lines = new Map();
  for (const file of new Set(PLANTED.map(([name]) => name))) {
    const planted = PLANTED.filter(([name]) => name === file).map(([, line]) => line);
    planted.forEach((line, at) => lines.set(`${file}\n${line}`, at + 1));
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    writeFileSync(join(folder, file), `${planted.join('\n')}\nexport {};\n`);
  }
  for (const file of [
    '.oxlintrc.json',
    'tsconfig.json',
    'package.json',
    'main/tsconfig.json',
    'renderer/tsconfig.json',
  ]) {
    copyFileSync(inRoot(file), join(folder, file));
  }
  symlinkSync(inRoot('node_modules'), join(folder, 'node_modules'), process.platform === 'win32' ? 'junction' : 'dir');
  return lines;
}

async function lint(folder) {
  const { out, all } = await run(node(), [tools.oxlint, '--format=json'], { cwd: folder, timeout: 60_000 });
  try {
    return JSON.parse(out).diagnostics.map(({ filename, code, labels }) => ({
      file: filename.replaceAll('\\', '/'),
      rule: /\(([^)]+)\)/.exec(code)?.[1] ?? code,
      line: labels[0]?.span.line,
    }));
  } catch {
    throw new Error(`oxlint did not report in JSON: ${all.slice(0, 1000)}`);
  }
}
