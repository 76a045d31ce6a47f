/** The targets dialog: the places other than this machine where images can run, and the images that run there. */
import { useState } from 'react';
import type { Target } from '#contract/target.ts';
import { closeOverlay } from '../../base/layout/overlays.ts';
import { mirror, useMirror } from '../../base/mirror.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { openImage } from '../repl/repls.ts';
import { changeSettings } from '../../base/change-settings.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/panels/dialog.tsx';
import { Row, Stack, Text, Truncate } from '../../ui/layout.tsx';
import { EMPTY, targetWords, withoutTarget } from './descriptions.ts';
import { Places } from './places.tsx';
import { TargetForm } from './target-form.tsx';

export function Targets() {
  const targets = useMirror(({ settings }) => settings.targets);
  /** The name of the target in the form; '' for a new one. */
  const [edited, setEdited] = useState<string | null>(null);
  if (edited !== null) {
    const before = targets.find(({ name }) => name === edited) ?? null;
    return <TargetForm before={before} initial={before ?? EMPTY} onDone={() => setEdited(null)} />;
  }
  return (
    <Dialog
      title="Targets"
      onClose={closeOverlay}
      actions={
        <>
          <Button size="large" onPress={closeOverlay}>
            Close
          </Button>
          <Button size="large" kind="primary" autoFocus onPress={() => setEdited('')}>
            Add Target…
          </Button>
        </>
      }
    >
      <Text as="p" tone={2}>
        Other places where images can run: another machine by ssh, a container, a pod. They only need SBCL, because the
        engine is sent over the connection. The guard, reviews, activity and checkpoints work as on this machine.
      </Text>
      {targets.length === 0 ? null : (
        <Stack as="ul" gap={2} aria-label="Targets">
          {targets.map((target) => (
            <TargetRow key={target.name} target={target} onEdit={() => setEdited(target.name)} />
          ))}
        </Stack>
      )}
      {targets.length === 0 ? null : <Places />}
    </Dialog>
  );
}

function TargetRow({ target, onEdit }: { target: Target; onEdit: () => void }) {
  const { name } = target;
  const open = (): void => {
    closeOverlay();
    void orNotice(openImage(name));
  };
  return (
    <Row as="li" gap={2} aria-label={name}>
      <Stack grow>
        <Truncate font="base-strong" tone={1}>
          {name}
        </Truncate>
        <Truncate font="small" tone={2}>
          {targetWords(target)}
        </Truncate>
      </Stack>
      <Button size="small" aria-label={`New Image on ${name}`} onPress={open}>
        New Image
      </Button>
      <Button size="small" aria-label={`Edit ${name}`} onPress={onEdit}>
        Edit…
      </Button>
      <Button
        size="small"
        aria-label={`Remove ${name}`}
        onPress={() => changeSettings(withoutTarget(mirror.getState().settings, name))}
      >
        Remove
      </Button>
    </Row>
  );
}
