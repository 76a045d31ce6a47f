/** Approvals at the terminal where `serve --approve terminal` was started, one question at a time. */
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface, type Interface } from 'node:readline/promises';
import type { Writable } from 'node:stream';
import { ReadStream } from 'node:tty';
import type { ApprovalCard, ApprovalDecision } from '#contract/decisions/approval.ts';
import { visible } from '#contract/text/visible.ts';
import { INERT_MS } from '#contract/decisions/decision.ts';
import { describe } from '#core/approvals/card/card-text.ts';
import type { ApprovalQueue } from '#core/approvals/queue/queue.ts';
import { messageOf } from '#core/base/error.ts';
import { say } from '../headless.ts';
import { answerOf, promptOf } from './terminal-card.ts';
import { openWriter } from './terminal-writer.ts';
import { canBeTyped, MOST_WRONG, newWord } from './terminal-word.ts';

/** The reply to an answer that was typed before the person could read the question. */
const TOO_SOON = 'Your answer came before you could read the question. Answer again.\n';

/**
 * Starts asking on the controlling terminal, and returns a function that stops asking. If there is no controlling terminal, no request can
 * be approved.
 */
export function approveAtTerminal<Outcome>(queue: ApprovalQueue<Outcome>): () => void {
  const terminal = openTerminal();
  if (!terminal) {
    say('There is no terminal to approve on: dangerous tools and effects of evaluated code are denied.');
    return () => {};
  }
  queue.setApprover('the terminal');
  const words = canBeTyped();
  if (words)
    say(
      'Code that runs as root can type at this terminal, so each prompt shows a word that you type with a yes. To avoid that, start it as another user or with --sandbox.',
    );
  /** The number of yes answers without the required word, by card. */
  const wrong = new Map<string, number>();
  let asking = false;
  const next = async (): Promise<void> => {
    if (asking) return;
    asking = true;
    for (let card = queue.view().waiting[0]; card && queue.approver !== null; card = queue.view().waiting[0])
      await ask(terminal, queue, card, words, wrong);
    asking = false;
  };
  const stop = queue.events.on('changed', () => void next());
  // The input ended or the terminal was closed, so there is no person to ask.
  terminal.once('close', () => {
    stop();
    queue.setApprover(null, 'The terminal was closed.');
  });
  return () => terminal.close();
}

async function ask<Outcome>(
  terminal: Interface,
  queue: ApprovalQueue<Outcome>,
  card: ApprovalCard,
  words: boolean,
  wrong: Map<string, number>,
): Promise<void> {
  write(terminal, describe(card));
  let shown = Infinity;
  const settled = new AbortController();
  const stop = queue.events.on('decided', ({ decision }) => decision.id === card.id && settled.abort());
  try {
    const word = words ? newWord() : null;
    const question = terminal.question(promptOf(card, word), { signal: settled.signal });
    // If Ctrl+S has paused the terminal, the card appears later, so the time is measured from the completion of the write.
    outputOf(terminal).write('', () => (shown = performance.now()));
    const answer = (await question).trim();
    if (performance.now() - shown < INERT_MS) return write(terminal, TOO_SOON); // asked again
    const given = answerOf(answer, card, word);
    if (given === 'unconfirmed') return await unconfirmed(terminal, queue, card, wrong);
    const decision = given === 'edit' ? await edited(card, queue, terminal, words) : given;
    if (!decision) return;
    const { accepted, message } = await queue.decide(card.id, card.fingerprint, decision);
    if (!accepted && message) write(terminal, `${message}\n`);
  } catch {
    write(terminal, '\nNo longer waiting.\n');
  } finally {
    stop();
  }
}

/**
 * Handles a yes without the required word. The question is then asked again with another word; after `MOST_WRONG` attempts, the request is
 * denied.
 */
async function unconfirmed<Outcome>(
  terminal: Interface,
  queue: ApprovalQueue<Outcome>,
  { id, fingerprint }: ApprovalCard,
  wrong: Map<string, number>,
): Promise<void> {
  const times = (wrong.get(id) ?? 0) + 1;
  wrong.set(id, times);
  write(terminal, 'Nothing ran. After the answer, also type the word that the prompt shows.\n');
  if (times < MOST_WRONG) return;
  wrong.delete(id);
  const reason = `${MOST_WRONG} answers were typed at the terminal without the word that the prompt showed.`;
  await queue.decide(id, fingerprint, { decision: 'denied', reason });
}

async function edited<Outcome>(
  card: ApprovalCard,
  queue: ApprovalQueue<Outcome>,
  terminal: Interface,
  words: boolean,
): Promise<ApprovalDecision | null> {
  const { editable } = card;
  queue.setEditing(card.id, true);
  terminal.pause(); // the editor reads the keys until it exits
  const text = await edit(card.arguments.find(({ name }) => name === editable)?.value ?? '').catch((error: unknown) => {
    write(terminal, `The editor failed (${messageOf(error)}). Name one with VISUAL or EDITOR.\n`);
    return null;
  });
  terminal.resume();
  queue.setEditing(card.id, false);
  if (text === null) return null;
  const all = Object.fromEntries(card.arguments.map(({ name, value }) => [name, name === editable ? text : value]));
  // A program that can type at the terminal can also type in an editor, so the person must confirm the text.
  if (words && !(await isMeant(terminal, text))) return null;
  return { decision: 'modified', arguments: all };
}

/** Asks the person to confirm the text that the editor returned. */
async function isMeant(terminal: Interface, text: string): Promise<boolean> {
  const word = newWord();
  const shown = visible(text).replaceAll('\n', '\n  | ');
  const answer = await terminal.question(`  edited: ${shown}\nApprove the edited text? y(es) ${word}, n(o): `);
  return new RegExp(`^y(?:es)?\\s+${word}$`, 'i').test(answer.trim());
}

/**
 * Opens the text in the person's editor and resolves with the edited text. Other work continues while the editor is open. @throws if the
 * editor cannot run or reports a failure.
 */
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

/** Runs the editor through the shell, as other programs do, so that commands such as `emacs -nw` and `code --wait` work. */
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
    const [file, shown] = TERMINAL as [string, string];
    const input = new ReadStream(openSync(file, 'r'));
    const output = openWriter(shown);
    const terminal = createInterface({ input, output, terminal: false });
    output.on('error', () => terminal.close()); // the terminal was closed
    return terminal;
  } catch {
    return null;
  }
}

function write(terminal: Interface, text: string): void {
  outputOf(terminal).write(text);
}

function outputOf(terminal: Interface): Writable {
  return (terminal as Interface & { output: Writable }).output;
}
