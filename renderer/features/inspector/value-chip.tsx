/** A printed value of the image as a chip. A click opens it in the inspector; its menu copies it, describes it, or inserts it into code. */
import { type MouseEvent, useState } from 'react';
import { call } from '../../base/bridge.ts';
import { ContextMenu } from '../../ui/menus/context-menu.tsx';
import { CodeText } from '../../ui/code-text.tsx';
import type { MenuGroup } from '../../ui/menus/menu.tsx';
import { Text } from '../../ui/layout.tsx';
import { classes } from '../../ui/look.ts';
import { inspectHandle, useInspected } from '../../base/image/inspect.ts';
import { copyToRepl, describeHandle } from './inspector.ts';
import { showWhyAlive } from '../memory/held-store.ts';
import { notify, orNotice } from '../../base/notices/notices.tsx';
import styles from './value-chip.module.css';

export interface ValueChipProps {
  value: { readonly text: string; readonly type: string | null; readonly handle: number | null };
  /** The place where the value is shown, for display in the inspector's path. */
  from: string;
  /** The part of the text to show if it is long. */
  shown?: string;
  /** True in a row that takes the focus itself: the row's keys open the value, and the chip does not take the focus. */
  embedded?: boolean;
  /** True if the keys of the chip's row act on this value. */
  marked?: boolean;
}

/** The maximum number of characters of a chip's accessible name. */
const NAMED = 120;

export function ValueChip({ value, from, shown = value.text, embedded = false, marked = false }: ValueChipProps) {
  const [menu, setMenu] = useState<{ x: number; y: number } | null>(null);
  const looked = useInspected(({ wanted }) => value.handle !== null && wanted?.handle === value.handle);
  const { handle, text, type } = value;
  const lines = shown.includes('\n') ? styles.block : undefined;
  if (handle === null)
    return (
      <Text className={classes(styles.chip, lines)} title={type ?? undefined}>
        <CodeText text={shown} />
      </Text>
    );
  const inspect = (): void => inspectHandle({ handle, title: text.slice(0, NAMED), from });
  const openMenu = (event: MouseEvent<HTMLElement>): void => {
    event.preventDefault();
    event.stopPropagation();
    const box = event.currentTarget.getBoundingClientRect();
    setMenu(event.clientX === 0 ? { x: box.left, y: box.bottom } : { x: event.clientX, y: event.clientY });
  };
  return (
    <>
      {/* The chip is a `span` element, so that its text can wrap over several lines; a `button` element would be a single box. */}
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role, jsx-a11y/no-static-element-interactions */}
      <span
        role={embedded ? 'presentation' : 'button'}
        tabIndex={embedded ? undefined : 0}
        aria-label={embedded ? undefined : `Inspect ${text.length > NAMED ? `${text.slice(0, NAMED)}…` : text}`}
        className={classes(
          styles.chip,
          lines,
          styles.live,
          // In a row of code, a value that can be read back is styled as code.
          embedded && !text.startsWith('#<') ? styles.plain : undefined,
          looked || marked ? styles.looked : undefined,
        )}
        data-marked={marked ? '' : undefined}
        title={type ?? undefined}
        draggable
        onDragStart={(event) => event.dataTransfer.setData('text/plain', text)}
        onClick={(event) => {
          if (embedded) event.stopPropagation();
          inspect();
        }}
        onContextMenu={openMenu}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== ' ') return;
          event.preventDefault();
          inspect();
        }}
      >
        <CodeText text={shown} />
      </span>
      {menu ? (
        <ContextMenu label="Value" groups={valueMenu(value, from)} place={menu} onClose={() => setMenu(null)} />
      ) : null}
    </>
  );
}

/** Returns the context menu of a value, used wherever the value is shown. */
export function valueMenu({ text, handle }: ValueChipProps['value'], from: string): MenuGroup[] {
  const copy = {
    id: 'copy',
    title: 'Copy',
    run: () => void orNotice(call('app.copy', { text: text.slice(0, 1_000_000) }).then(() => notify('Copied.'))),
  };
  if (handle === null) return [{ id: 'copy', entries: [copy] }];
  return [
    {
      id: 'look',
      entries: [
        { id: 'inspect', title: 'Inspect', run: () => inspectHandle({ handle, title: text.slice(0, NAMED), from }) },
        { id: 'describe', title: 'Describe', run: () => void orNotice(describeHandle(handle, from)) },
        { id: 'why', title: 'Why Is It Alive?', run: () => void orNotice(showWhyAlive(handle, text.slice(0, NAMED))) },
      ],
    },
    {
      id: 'copy',
      entries: [copy, { id: 'repl', title: 'Copy to REPL', run: () => void orNotice(copyToRepl(handle)) }],
    },
  ];
}
