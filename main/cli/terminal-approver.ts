/** Approvals at the terminal that `serve --approve terminal` was started on: one question at a time. */
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface, type Interface } from 'node:readline/promises';
import { ReadStream, WriteStream } from 'node:tty';
import type { ApprovalCard, ApprovalDecision } from '#contract/approval.ts';
import { INERT_MS } from '#core/approvals/entry.ts';
import type { ApprovalQueue } from '#core/approvals/queue.ts';
import { messageOf } from '#core/error.ts';
import { say } from './headless.ts';
import { answerOf, describe, promptOf } from './terminal-card.ts';

/** Asks on the controlling terminal from now on; without one nobody can approve. Returns what ends it. */
export function approveAtTerminal<Outcome>(queue: ApprovalQueue<Outcome>): () => void {
  const terminal = openTerminal();
  if (!terminal) {
    say('There is no terminal to approve on: dangerous tools are denied.');
    return () => {};
  }
  queue.setApprover('the terminal');
  let asking = false;
  const next = async (): Promise<void> => {
    if (asking) return;
    asking = true;
    for (let card = queue.view().waiting[0]; card && queue.approver !== null; card = queue.view().waiting[0])
      await ask(terminal, queue, card);
    asking = false;
  };
  const stop = queue.events.on('changed', () => void next());
  // End of input, or a terminal that was taken away: nobody is there any more.
  terminal.once('close', () => {
    stop();
    queue.setApprover(null, 'The terminal was closed.');
  });
  return () => terminal.close();
}

async function ask<Outcome>(terminal: Interface, queue: ApprovalQueue<Outcome>, card: ApprovalCard): Promise<void> {
  write(terminal, describe(card));
  const shown = Date.now();
  const settled = new AbortController();
  const stop = queue.events.on('decided', ({ decision }) => decision.id === card.id && settled.abort());
  try {
    const answer = (await terminal.question(promptOf(card), { signal: settled.signal })).trim();
    if (Date.now() - shown < INERT_MS) return; // typed before it could be read: asked again
    const decision = await decisionOf(answer, card, queue, terminal);
    if (!decision) return;
    const { accepted, message } = await queue.decide(card.id, card.fingerprint, decision);
    if (!accepted && message) write(terminal, `${message}\n`);
  } catch {
    write(terminal, '\nNo longer waiting.\n');
  } finally {
    stop();
  }
}

async function decisionOf<Outcome>(
  answer: string,
  card: ApprovalCard,
  queue: ApprovalQueue<Outcome>,
  terminal: Interface,
): Promise<ApprovalDecision | null> {
  const given = answerOf(answer, card);
  if (given !== 'edit') return given;
  const { editable } = card;
  queue.setEditing(card.id, true);
  terminal.pause(); // the keys are the editor's meanwhile
  const edited = await edit(card.arguments.find(({ name }) => name === editable)?.value ?? '').catch(
    (error: unknown) => {
      write(terminal, `The editor failed (${messageOf(error)}). Name one with VISUAL or EDITOR.\n`);
      return null;
    },
  );
  terminal.resume();
  queue.setEditing(card.id, false);
  if (edited === null) return null;
  const all = Object.fromEntries(card.arguments.map(({ name, value }) => [name, name === editable ? edited : value]));
  return { decision: 'modified', arguments: all };
}

/** The text after the person's own editor. Others go on meanwhile. @throws when the editor cannot run or says that it failed. */
async function edit(text: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'lisp-workbench-'));
  const file = path.join(folder, 'edit.lisp');
  try {
    await writeFile(file, text, { mode: 0o600 });
    await runEditor(process.env['VISUAL'] || process.env['EDITOR'] || 'vi', file);
    return await readFile(file, 'utf8');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** By the shell, as everybody does: `emacs -nw` and `code --wait` are editors too. */
function runEditor(editor: string, file: string): Promise<void> {
  const terminal = TERMINAL.map((name, index) => openSync(name, index === 0 ? 'r' : 'w'));
  const [input, output] = terminal as [number, number];
  const [program, args] =
    process.platform === 'win32'
      ? ['cmd.exe', ['/d', '/s', '/c', `${editor} "${file}"`]]
      : ['/bin/sh', ['-c', `${editor} "$1"`, 'sh', file]];
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: [input, output, output] });
    const end = (error?: Error): void => {
      for (const descriptor of terminal) closeSync(descriptor);
      if (error) reject(error);
      else resolve();
    };
    child.once('error', end);
    child.once('exit', (code) => end(code === 0 ? undefined : new Error(`it ended with ${code ?? 'a signal'}`)));
  });
}

const TERMINAL = process.platform === 'win32' ? ['CONIN$', 'CONOUT$'] : ['/dev/tty', '/dev/tty'];

function openTerminal(): Interface | null {
  try {
    const [input, output] = TERMINAL as [string, string];
    return createInterface({
      input: new ReadStream(openSync(input, 'r')),
      output: new WriteStream(openSync(output, 'w')),
      terminal: false,
    });
  } catch {
    return null;
  }
}

function write(terminal: Interface, text: string): void {
  (terminal as Interface & { output: WriteStream }).output.write(text);
}
