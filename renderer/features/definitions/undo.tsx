/**
 * Undoes changes of definitions, together with changes of files. A dry run first shows the effect and the limits of each undo. The undo of
 * the definitions can itself be undone.
 */
import { CircleSlash, TriangleAlert, Undo2 } from 'lucide-react';
import type { Takeable } from '#contract/decisions/activity.ts';
import type { UndoRecord } from '#contract/image/definition.ts';
import { call } from '../../base/bridge.ts';
import { ask } from '../../base/notices/ask.tsx';
import { notify } from '../../base/notices/notices.tsx';
import { outcomeWords, type TakenBack, takenWords, undoName, type UndoWords, undoWords } from './undo-words.ts';
import { Box, Stack, Text } from '../../ui/layout.tsx';
import { classes } from '../../ui/look.ts';
import styles from './undo.module.css';

export interface WhatToUndo {
  events: number[] | null;
  /** If `events` is null, all definitions of this evaluation are undone. */
  of: string | null;
}

const SHOWN = 100;

export interface Besides {
  /** The sentence above the list. */
  text: string;
  /** A button for an alternative to the undo, such as going back to a checkpoint; null if there is none. */
  other: { title: string; run: () => Promise<unknown> } | null;
  /** The file changes that are reverted together with the definitions, in this order. */
  files: readonly Takeable[];
}

/** Shows the planned undo in a dialog with the title `title`, undoes the definitions if the person agrees, and shows the outcome. */
export async function undoDefinitions(what: WhatToUndo, title: string, besides: Besides | null = null): Promise<void> {
  const none = { undone: [], more: 0 };
  const { undone, more } = what.events?.length === 0 ? none : await call('definitions.undo', { ...what, dry: true });
  const files = besides?.files ?? [];
  if (undone.length === 0 && files.length === 0) {
    notify('There is nothing left to undo.');
    return;
  }
  const kinds = undone.map((record) => undoWords(record).kind);
  const possible = kinds.some((kind) => kind !== 'impossible') || files.some((file) => file.possible);
  const answer = await ask({
    title,
    text: [
      possible
        ? 'Each definition is replaced by its previous version, or removed if there was none.'
        : 'The previous definition cannot be restored.',
      ...(besides ? [besides.text] : []),
    ].join(' '),
    more: <UndoList records={undone} more={more} files={files} />,
    answers: [
      { id: 'cancel', title: possible ? 'Cancel' : 'Close' },
      ...(besides?.other ? [{ id: 'other', title: besides.other.title } as const] : []),
      ...(possible
        ? [{ id: 'undo', title: 'Undo', kind: kinds.includes('loss') ? 'danger' : 'primary' } as const]
        : []),
    ],
  });
  if (answer === 'undo') await undoNow(what, files);
  else if (answer === 'other') await besides?.other?.run();
}

async function undoNow(what: WhatToUndo, files: readonly Takeable[] = []): Promise<void> {
  const { undone } =
    what.events?.length === 0 ? { undone: [] } : await call('definitions.undo', { ...what, dry: false });
  const taken: TakenBack[] = [];
  for (const { approval, file } of files.filter((each) => each.possible))
    taken.push({ file, ...(await call('activity.takeBack', { approval })) });
  const words = [
    ...(undone.length > 0 ? [outcomeWords(undone)] : []),
    ...(taken.length > 0 ? [takenWords(taken)] : []),
  ];
  const events = undone.flatMap(({ done, event }) => (done && event !== null ? [event] : []));
  const redo = { title: files.length > 0 ? 'Redo definitions' : 'Redo', run: () => undoNow({ events, of: null }) };
  const text = words.map((each) => each.text).join(' ');
  notify(text, words.some(({ failed }) => failed) ? 'error' : 'info', events.length > 0 ? redo : null);
}

function UndoList({
  records,
  more,
  files,
}: {
  records: readonly UndoRecord[];
  more: number;
  files: readonly Takeable[];
}) {
  const left = Math.max(0, records.length - SHOWN) + more;
  return (
    <Stack as="ul" gap={2} selectable className={styles.list} aria-label="Changes to undo">
      {records.slice(0, SHOWN).map((record) => {
        const words = undoWords(record);
        return (
          <li key={record.id}>
            <Mark kind={words.kind} />
            <span>
              <Text breaks className={classes('code', styles.name)}>
                {undoName(record)}
              </Text>
              <Text tone={2}>{words.text}</Text>
            </span>
          </li>
        );
      })}
      {left > 0 ? (
        <Box as="li" tone={2}>
          and {left} more
        </Box>
      ) : null}
      {files.map(({ approval, file, becomes, possible }) => (
        <li key={approval}>
          <Mark kind={possible ? 'exact' : 'impossible'} />
          <span>
            <Text breaks className={classes('code', styles.name)}>
              {file}
            </Text>
            <Text tone={2}>
              {possible ? `The file ${becomes}.` : 'The file was changed later, so it is not restored.'}
            </Text>
          </span>
        </li>
      ))}
    </Stack>
  );
}

function Mark({ kind }: { kind: UndoWords['kind'] }) {
  if (kind === 'exact') return <Undo2 className="icon-small" aria-hidden />;
  if (kind === 'loss') return <TriangleAlert className={classes('icon-small', styles.loss)} aria-hidden />;
  return <CircleSlash className="icon-small" aria-hidden />;
}
