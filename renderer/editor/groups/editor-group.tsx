/** A group of the editor: its tabs, the path line for its caret, the notices about its text, and the text. */
import { useState } from 'react';
import { BufferNoticeBar } from './buffer-notice.tsx';
import { bufferIn, useBuffers } from '../text/buffers.ts';
import { GroupText } from './group-text.tsx';
import { NOWHERE } from './caret-place.ts';
import type { Place } from './grid.ts';
import { PathLine } from './path-line.tsx';
import { focusGroup } from './splitting.ts';
import { EditorTabs } from './tabs.tsx';
import { Stack } from '../../ui/layout.tsx';
import { classes } from '../../ui/look.ts';
import styles from './editor.module.css';

export function EditorGroup({ id, number, place }: { id: string; number: number; place: Place }) {
  const [caretPlace, setCaretPlace] = useState(NOWHERE);
  const buffer = useBuffers((state) => bufferIn(state, id));
  const several = useBuffers((state) => state.groups.groups.length > 1);
  const focused = useBuffers((state) => state.groups.focused === id);
  const { left, top, width, height } = place;
  const style = { left: percent(left), top: percent(top), width: percent(width), height: percent(height) };
  return (
    <Stack
      {...(several ? { role: 'group', 'aria-label': `Group ${number}` } : {})}
      className={classes(
        styles.group,
        focused ? styles.groupFocused : undefined,
        left > 0 && styles.groupBeside,
        top > 0 && styles.groupBelow,
      )}
      style={style}
      data-group={id}
      onFocus={() => focusGroup(id)}
      onPointerDown={() => focusGroup(id)}
    >
      <EditorTabs group={id} number={number} />
      {buffer ? <PathLine buffer={buffer} place={caretPlace} /> : null}
      {buffer ? <BufferNoticeBar buffer={buffer} /> : null}
      <GroupText group={id} number={number} onPlace={setCaretPlace} />
    </Stack>
  );
}

function percent(share: number): string {
  return `${share * 100}%`;
}
