/** The scripted agent in the window: put into the place of a real program, started and asked as a person does it. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, type Locator } from '@playwright/test';
import type { Desktop } from '../desktop.ts';
import type { Story } from './story.ts';

const AGENT = path.resolve(import.meta.dirname, 'scripted-agent.ts');

/** Puts the scripted agent onto the path, by the name of the program of Claude Code, and has it play a story. */
export async function onPath(folder: string, story: Story, version: string): Promise<Record<string, string>> {
  const bin = path.join(folder, 'bin');
  const file = path.join(folder, 'story.json');
  await mkdir(bin, { recursive: true });
  await writeFile(file, JSON.stringify(story));
  const lines = [
    '#!/bin/sh',
    `export SCRIPTED_AGENT_STORY='${file}' SCRIPTED_AGENT_VERSION='${version}'`,
    `exec '${process.execPath}' '${AGENT}' "$@"`,
  ];
  await writeFile(path.join(bin, 'claude-agent-acp'), `${lines.join('\n')}\n`, { mode: 0o755 });
  return { PATH: `${bin}:${process.env['PATH']}` };
}

export const panel = (desktop: Desktop): Locator => desktop.region('Agent');
export const field = (desktop: Desktop): Locator => panel(desktop).getByRole('textbox', { name: /^Prompt to/ });
export const log = (desktop: Desktop): Locator => panel(desktop).getByRole('log');

export async function ask(desktop: Desktop, words: string): Promise<void> {
  await field(desktop).fill(words);
  await field(desktop).press('Enter');
}

/** Starts the scripted agent as the person does, without a sandbox, so that it is found wherever the sources are. */
export async function startAgent(desktop: Desktop): Promise<void> {
  await desktop.page.keyboard.press('Control+Shift+X');
  const page = panel(desktop);
  await page.getByText('Unconfined', { exact: true }).click();
  await page.getByRole('button', { name: 'Start Claude Code' }).click();
  const question = desktop.page.getByRole('alertdialog', { name: 'Start Claude Code unconfined?' });
  await expect(question).toContainText('The workbench does not hold that back');
  await question.getByRole('button', { name: 'Start unconfined' }).click();
  await expect(page.getByRole('log')).toBeVisible();
  await expect(page.getByText('ready', { exact: true })).toBeVisible();
}
