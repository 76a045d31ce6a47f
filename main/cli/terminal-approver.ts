/** Approvals at the terminal that `serve --approve terminal` was started on: one question at a time, y, n or e. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface, type Interface } from 'node:readline/promises';
import { ReadStream, WriteStream } from 'node:tty';
import type { ApprovalCard, ApprovalDecision } from '#contract/approval.ts';
import { INERT_MS, type ApprovalQueue } from '#core/approvals/queue.ts';
import { unifiedText } from '#core/project/text-change.ts';
import { visible } from '#contract/visible.ts';
import { say } from './headless.ts';

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
    for (let card = queue.view().waiting[0]; card; card = queue.view().waiting[0]) await ask(terminal, queue, card);
    asking = false;
  };
  const stop = queue.events.on('changed', () => void next());
  return () => {
    stop();
    terminal.close();
  };
}

async function ask<Outcome>(terminal: Interface, queue: ApprovalQueue<Outcome>, card: ApprovalCard): Promise<void> {
  write(terminal, describe(card));
  const shown = Date.now();
  const settled = new AbortController();
  const stop = queue.events.on('decided', ({ decision }) => decision.id === card.id && settled.abort());
  try {
    const answer = (
      await terminal.question('Approve? y(es), n(o) [reason], e(dit): ', { signal: settled.signal })
    ).trim();
    if (Date.now() - shown < INERT_MS) return; // typed before it could be read: asked again
    const decision = decisionOf(answer, card, queue);
    if (!decision) return;
    const { accepted, message } = await queue.decide(card.id, card.fingerprint, decision);
    if (!accepted && message) write(terminal, `${message}\n`);
  } catch {
    write(terminal, '\nNo longer waiting.\n');
  } finally {
    stop();
  }
}

function decisionOf<Outcome>(
  answer: string,
  card: ApprovalCard,
  queue: ApprovalQueue<Outcome>,
): ApprovalDecision | null {
  if (/^y(es)?$/i.test(answer)) return { decision: 'approved' };
  const denial = /^n(?:o)?(?:\s+(.*))?$/i.exec(answer);
  if (denial) return { decision: 'denied', reason: denial[1] ?? '' };
  if (!/^e(dit)?$/i.test(answer) || card.editable === null) return null;
  queue.setEditing(card.id, true);
  const edited = edit(card.arguments.find(({ name }) => name === card.editable)?.value ?? '');
  queue.setEditing(card.id, false);
  if (edited === null) return null;
  const given = Object.fromEntries(card.arguments.map(({ name, value }) => [name, value]));
  return { decision: 'modified', arguments: { ...given, [card.editable]: edited } };
}

function describe(card: ApprovalCard): string {
  const lines = [`\n${card.actor.name} · ${card.tool} · ${card.level}`, card.headline, card.rule];
  const shown = card.arguments.filter(({ name }) => name !== card.editable || !card.change?.hunks.length);
  for (const { name, value } of shown) lines.push(`  ${name}: ${value}`);
  if (card.change && card.change.hunks.length > 0) lines.push(unifiedText(card.change.hunks));
  if (card.change?.withoutDiff) lines.push(card.change.withoutDiff);
  if (card.notice) lines.push(card.notice);
  return `${lines.map(visible).join('\n')}\n`;
}

/** The text after the person's own editor; null when it failed. */
function edit(text: string): string | null {
  const folder = mkdtempSync(path.join(tmpdir(), 'lisp-workbench-'));
  const file = path.join(folder, 'edit.lisp');
  try {
    writeFileSync(file, text, { mode: 0o600 });
    const editor = process.env['VISUAL'] || process.env['EDITOR'] || 'vi';
    const { status } = spawnSync(editor, [file], { stdio: 'inherit', shell: process.platform === 'win32' });
    return status === 0 ? readFileSync(file, 'utf8') : null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function openTerminal(): Interface | null {
  try {
    const [input, output] = process.platform === 'win32' ? ['CONIN$', 'CONOUT$'] : ['/dev/tty', '/dev/tty'];
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
