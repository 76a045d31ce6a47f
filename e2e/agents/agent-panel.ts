/** The Agent panel for stories, with the scripted agent in place of a real program. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, TestInfo } from '@playwright/test';
import { type Desktop, expect, type Launch } from '../desktop/fixture.ts';
import type { Story } from './story.ts';

/** The version of Claude Code's program with which its recipe was tested. */
const TRIED = '0.100.0';
const AGENT = path.join(import.meta.dirname, 'scripted-agent.ts');

/** Puts the scripted agent on the path, under the name of Claude Code's program. The agent plays the given story. */
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

/** Launches the desktop with its image, and with the scripted agent on the path in a version that supports the strict access levels. */
export async function launchBesideAgent(
  launch: Launch,
  info: TestInfo,
  story: Story,
  options: Parameters<Launch>[0] = {},
): Promise<Desktop> {
  const env = await onPath(info.outputPath('agent'), story, TRIED);
  const desktop = await launch({ ...options, env });
  await desktop.imageReady();
  return desktop;
}

export const field = (desktop: Desktop): Locator => panel(desktop).getByRole('textbox', { name: /^Prompt to/ });
export const panel = (desktop: Desktop): Locator => desktop.region('Agent');
export const log = (desktop: Desktop): Locator => panel(desktop).getByRole('log');

export async function ask(desktop: Desktop, words: string): Promise<void> {
  await field(desktop).fill(words);
  await field(desktop).press('Enter');
}

/** Starts the scripted agent the way the person does. No sandbox is used, because it could hide the source folder. */
export async function startAgent(desktop: Desktop): Promise<void> {
  await desktop.page.keyboard.press('Control+Shift+X');
  await startAs(desktop, 'Unconfined');
}

/** Starts the agent at the access level with this title, from the page that starts agents, and waits until it is ready. */
export async function startAs(desktop: Desktop, standing: string): Promise<void> {
  await clickStart(desktop, standing);
  await expect(log(desktop)).toBeVisible();
  await expect(panel(desktop).getByText('ready', { exact: true })).toBeVisible();
}

/** Starts the agent at the access level with this title. */
export async function clickStart(desktop: Desktop, standing: string): Promise<void> {
  const page = panel(desktop);
  await page.getByText(standing, { exact: true }).click();
  await page.getByRole('button', { name: 'Start Claude Code' }).click();
  if (standing === 'Unconfined') {
    const question = desktop.page.getByRole('alertdialog', { name: 'Start Claude Code unconfined?' });
    await expect(question).toContainText('The workbench cannot prevent or show that');
    await question.getByRole('button', { name: 'Start unconfined' }).click();
  }
}

/** Ends the shown agent, then removes it from the list. */
export async function endAgent(desktop: Desktop, name: string): Promise<void> {
  await panel(desktop)
    .getByRole('button', { name: `More about ${name}` })
    .click();
  await desktop.page.getByRole('menuitem', { name: 'End', exact: true }).click();
  await panel(desktop).getByRole('group', { name: 'Agent ended' }).getByRole('button', { name: 'Close' }).click();
}
