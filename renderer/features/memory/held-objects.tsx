/** Instances of a class, or one object. Below each are the paths from a root that keep it alive. Every object on them can be inspected. */
import { ChevronRight, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { focusedRegion, focusRegion } from '../../base/layout/regions.ts';
import { inspectHandle } from '../../base/image/inspect.ts';
import { closeHeld, type Held, setOpened } from './held-store.ts';
import { valueMenu } from '../inspector/value-chip.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeText } from '../../ui/code-text.tsx';
import { ContextMenu } from '../../ui/menus/context-menu.tsx';
import { Empty } from '../../ui/panels/empty.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Row, Stack, Text, Truncate } from '../../ui/layout.tsx';
import { classes } from '../../ui/look.ts';
import { Tree } from '../../ui/panels/tree.tsx';
import { type HeldRow, heldRows } from './memory-rows.ts';
import styles from './panel.module.css';

const ROW = 22;

export function HeldObjects({ held }: { held: Held }) {
  const { pane, title, isClass, objects, total, problem } = held;
  const rows = useMemo(() => heldRows(held), [held]);
  const [active, setActive] = useState<string | null>(null);
  const [menu, setMenu] = useState<{ row: HeldRow; place: { x: number; y: number } } | null>(null);
  const section = useRef<HTMLElement>(null);
  const listed = objects !== null;
  useEffect(() => {
    // The new list gets the focus, unless the user has moved the focus elsewhere in the meantime.
    if (!listed || ![null, 'Memory'].includes(focusedRegion())) return;
    const find = (what: string) => section.current?.querySelector<HTMLElement>(what);
    (find('[role="tree"]') ?? find('button:not([disabled])'))?.focus();
  }, [listed, pane]);
  const current = rows.find(({ id }) => id === active) ?? rows[0];
  const inspect = (row: HeldRow): void => {
    if (row.object) inspectHandle({ handle: row.object.handle, title: row.text, from: wayTo(row, held) });
  };
  const close = (): void => {
    flushSync(closeHeld);
    focusRegion('Memory');
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape') close();
    else if (event.key === 'i' && current) inspect(current);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <Stack
      as="section"
      ref={section}
      className={styles.held}
      aria-label={isClass ? `Instances of ${title}` : `Why ${title} is alive`}
    >
      <Row gap={2} padX={3} fixed edge="bottom" font="small" className={styles.heldHead}>
        <Truncate grow className="code" title={title}>
          {isClass ? title.toLowerCase() : title}
        </Truncate>
        {objects === null || !isClass ? null : (
          <Truncate tone={3}>
            {objects.length < total
              ? `the first ${objects.length} of ${total.toLocaleString('en')}`
              : total.toLocaleString('en')}
          </Truncate>
        )}
        <Button size="small" isDisabled={!current?.object} onPress={() => (current ? inspect(current) : undefined)}>
          Inspect
        </Button>
        <IconButton label="Close and release the objects" onPress={close}>
          <X className="icon" aria-hidden />
        </IconButton>
      </Row>
      {objects === null ? (
        <Empty title="Asking the image for the instances…" />
      ) : problem !== null ? (
        <Empty title="The instances could not be listed.">
          <p>{problem}</p>
        </Empty>
      ) : objects.length === 0 ? (
        <Empty title="No instances are listed.">
          <p>
            They no longer exist, or their type is not listed: lists, vectors, numbers and the like are only counted.
          </p>
        </Empty>
      ) : (
        // Handles the key that inspects an object, in addition to the tree's own keys.
        // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
        <Stack grow onKeyDown={onKeyDown}>
          <Tree<HeldRow>
            label={isClass ? 'Instances, and what keeps them alive' : 'What keeps it alive'}
            rows={rows}
            rowSize={ROW}
            render={(row) => <Cells row={row} />}
            rowClass={(row) => styles[`level-${row.level}`] ?? ''}
            hint={({ text }) => text}
            onActive={({ id }) => setActive(id)}
            onOpen={inspect}
            onToggle={({ object }, expanded) => (object ? void setOpened(object.handle, expanded) : undefined)}
            onMenu={(row, place) => (row.object ? setMenu({ row, place }) : undefined)}
          />
        </Stack>
      )}
      {menu?.row.object ? (
        <ContextMenu
          label={menu.row.text}
          groups={valueMenu(menu.row.object, wayTo(menu.row, held))}
          place={menu.place}
          onClose={() => setMenu(null)}
        />
      ) : null}
    </Stack>
  );
}

/** Returns the place of an object, for display in the inspector's path. */
function wayTo({ kind, slot }: HeldRow, { title, isClass }: Held): string {
  const shown = isClass ? title.toLowerCase() : title;
  return kind === 'step' ? `${slot} on the path to ${shown}` : shown;
}

function Cells({ row: { kind, text, slot, expanded } }: { row: HeldRow }) {
  if (kind === 'root' || kind === 'note')
    return (
      <Truncate font="small" tone={kind === 'root' ? 1 : 3}>
        {text}
      </Truncate>
    );
  return (
    <Row gap={2} shrink className={styles.cells}>
      {kind === 'object' ? (
        <ChevronRight className={classes('icon-small', expanded === true ? 'turned' : undefined)} aria-hidden />
      ) : (
        <Text font="small" tone={3} fixed lines="one">
          {slot} of
        </Text>
      )}{' '}
      <Truncate className="code" grow>
        <CodeText text={text} />
      </Truncate>
    </Row>
  );
}
