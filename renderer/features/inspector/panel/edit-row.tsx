/** The row in which the user sets a part; it also shows the image's error message. */
import { useEffect, useRef } from 'react';
import { useViewer } from '../inspector.ts';
import { commitEdit, endEdit, setDraft } from '../editing.ts';
import type { Viewer } from '../viewer.ts';
import { Button } from '../../../ui/button.tsx';
import { CodeArea } from '../../../ui/fields/code-area.tsx';
import { enterTakes } from '../../../ui/fields/enter-takes.ts';
import { focusRegion } from '../../../base/layout/regions.ts';
import { Row, Stack, Text } from '../../../ui/layout.tsx';

export function EditRow({ viewer }: { viewer: Viewer }) {
  const editing = useViewer(viewer, (state) => state.editing);
  return editing === null ? null : <Edit key={editing.path.join('/')} viewer={viewer} />;
}

function Edit({ viewer }: { viewer: Viewer }) {
  const editing = useViewer(viewer, (state) => state.editing);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => area.current?.select(), []);
  if (!editing) return null;
  const part = viewer.partAt(editing.path);
  const noPlace = part?.path === null;
  const leave = (): void => {
    endEdit(viewer);
    focusRegion('Inspector');
  };
  const set = async (remove = false): Promise<void> => {
    if (await commitEdit(viewer, remove)) focusRegion('Inspector');
  };
  return (
    <Stack gap={1} padX={4} padY={2} fixed edge="top" role="group" aria-label={`Set ${editing.label}`}>
      <Row gap={2} align="start">
        <Text fixed tone={3} className="code">
          {editing.label} ←
        </Text>
        <CodeArea
          framed
          area={area}
          label={`New value of ${editing.label}`}
          value={editing.draft}
          onChange={(draft) => setDraft(viewer, draft)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') leave();
            else if (enterTakes(event, editing.draft)) {
              event.preventDefault();
              void set();
            }
          }}
        />
      </Row>
      {editing.error === null ? null : (
        <Text tone="error" font="small" breaks lines="wrap" role="alert">
          {editing.error}
        </Text>
      )}
      <Row gap={2}>
        <Button size="small" isDisabled={editing.busy || noPlace} onPress={() => void set()}>
          Set
        </Button>
        <Button size="small" kind="quiet" isDisabled={editing.busy || noPlace} onPress={() => void set(true)}>
          Make empty
        </Button>
        <Button size="small" kind="quiet" onPress={leave}>
          Cancel
        </Button>
        <Text tone={3} font="small">
          * is the old value
        </Text>
      </Row>
    </Stack>
  );
}
