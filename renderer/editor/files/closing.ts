/** Closes tabs. First asks about texts whose content is not saved in a file. */
import { plural } from '#contract/text/text.ts';
import { showRegion } from '../../base/layout/regions.ts';
import { ask, type Question } from '../../base/notices/ask.tsx';
import { buffers, changeGroups, removeBuffer, type TextBuffer } from '../text/buffers.ts';
import { save } from './files.ts';
import { focusedGroup, groupOf, groupsWith, withoutTab } from '../groups/groups.ts';
import { recentTabs } from '../groups/recent-tabs.ts';

/** Closes the tab of a text in a group. Closing the last tab of a text closes the text. */
export function closeTab(id: string, group: string): Promise<void> {
  return closeTabs([id], group);
}

/** Closes the focused tab. The focus moves to the text that is shown next, even if the group closes with its last tab. */
export async function closeShown(): Promise<void> {
  const { id, shown } = focusedGroup(buffers.getState().groups);
  if (shown === null) return;
  await closeTab(shown, id);
  keyboardToText();
}

/** Closes all tabs of a group but one. */
export async function closeOthers(kept: string, group: string): Promise<void> {
  const tabs = groupOf(buffers.getState().groups, group)?.tabs ?? [];
  await closeTabs(
    tabs.filter((id) => id !== kept),
    group,
  );
  keyboardToText();
}

/** Closes all tabs of a group. */
export async function closeAll(group: string): Promise<void> {
  await closeTabs(groupOf(buffers.getState().groups, group)?.tabs ?? [], group);
  keyboardToText();
}

/** Closes a text in all groups. */
export async function close(id: string): Promise<void> {
  if (await mayClose([id])) removeBuffer(id);
}

async function closeTabs(ids: readonly string[], group: string): Promise<void> {
  const isLast = (id: string): boolean => groupsWith(buffers.getState().groups, id).length <= 1;
  if (!(await mayClose(ids.filter(isLast)))) return;
  for (const id of ids) {
    if (isLast(id)) removeBuffer(id);
    else changeGroups((groups) => withoutTab(groups, group, id, recentTabs()));
  }
}

/**
 * Asks once about all texts whose content is not saved in a file. Returns false if the person wants to keep any of them; all texts then
 * stay open.
 */
async function mayClose(ids: readonly string[]): Promise<boolean> {
  const texts = buffers.getState().buffers.filter(({ id }) => ids.includes(id));
  const unsaved = texts.filter(({ dirty, notice }) => dirty || notice?.kind === 'deleted');
  if (unsaved.length === 0) return true;
  const answer = await ask(unsaved.length === 1 ? questionOf(unsaved[0]!) : questionOfSeveral(unsaved));
  if (answer !== 'save') return answer === 'discard';
  for (const { id } of unsaved) if (!(await save(id))) return false;
  return true;
}

type Answer = 'cancel' | 'discard' | 'save';

function questionOf({ title }: TextBuffer): Question<Answer> {
  return {
    title: `Save ${title} before closing?`,
    text: 'Your changes will be lost if you do not save them.',
    answers: [
      { id: 'cancel', title: 'Cancel' },
      { id: 'discard', title: 'Discard', kind: 'danger' },
      { id: 'save', title: 'Save', kind: 'primary' },
    ],
  };
}

/** The maximum number of titles listed in a question. */
const MOST_NAMED = 10;

function questionOfSeveral(texts: readonly TextBuffer[]): Question<Answer> {
  const titles = texts.slice(0, MOST_NAMED).map(({ title }) => title);
  const more = texts.length - titles.length;
  return {
    title: `Save ${plural(texts.length, 'text')} before closing?`,
    text: `Your changes will be lost if you do not save them: ${titles.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
    answers: [
      { id: 'cancel', title: 'Cancel' },
      { id: 'discard', title: 'Discard all', kind: 'danger' },
      { id: 'save', title: 'Save all', kind: 'primary' },
    ],
  };
}

/** Focuses the text that is now shown, if closing a tab took the focus away from its text. */
function keyboardToText(): void {
  if (document.activeElement?.matches('body, [data-region="Editor"]')) showRegion('Editor', () => {});
}
