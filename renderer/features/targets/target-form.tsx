/** The form for one target, with a connection test before the target is stored. */
import { Check, X } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Target } from '#contract/target.ts';
import { call, messageOf } from '../../base/bridge.ts';
import { mirror } from '../../base/mirror.ts';
import { closeOverlay } from '../../base/layout/overlays.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/fields/choice.tsx';
import { Dialog } from '../../ui/panels/dialog.tsx';
import { Row, Stack, Text } from '../../ui/layout.tsx';
import { Ring } from '../../ui/mark.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { KINDS, kindWords, targetProblems, trimmed, withTarget, type TargetProblems } from './descriptions.ts';

interface TargetFormProps {
  /** The target that is being changed; null for a new one. */
  readonly before: Target | null;
  readonly initial: Target;
  readonly onDone: () => void;
}

interface Step {
  readonly title: string;
  readonly ok: boolean;
  readonly words: string;
}

export function TargetForm({ before, initial, onDone }: TargetFormProps) {
  const [draft, setDraft] = useState(initial);
  const [problems, setProblems] = useState<TargetProblems>({});
  const [refused, setRefused] = useState<string | null>(null);
  const [trial, setTrial] = useState<{ running: boolean; steps: readonly Step[] } | null>(null);
  /** A counter that increases with each connection test and each change of the draft, so that the results of earlier tests are ignored. */
  const latest = useRef(0);
  const words = kindWords(draft.kind);
  const change = (part: Partial<Target>): void => {
    latest.current += 1;
    setDraft({ ...draft, ...part });
    setProblems({});
    setRefused(null);
    setTrial(null);
  };
  const checked = (): Target | null => {
    const others = mirror.getState().settings.targets.filter(({ name }) => name !== before?.name);
    const found = targetProblems(draft, others);
    setProblems(found);
    return Object.keys(found).length > 0 ? null : trimmed(draft);
  };
  const save = async (): Promise<void> => {
    const target = checked();
    if (target === null) return;
    try {
      const { targets, sharedTarget, clientsTarget } = withTarget(
        mirror.getState().settings,
        target,
        before?.name ?? null,
      );
      await call('settings.change', { targets, sharedTarget, clientsTarget });
      onDone();
    } catch (error) {
      setRefused(messageOf(error));
    }
  };
  const tryOut = async (): Promise<void> => {
    const target = checked();
    if (target === null || trial?.running) return;
    const mine = (latest.current += 1);
    setTrial({ running: true, steps: [] });
    const steps = await call('target.try', target).then(
      (tried) => tried.steps,
      (error: unknown) => [{ title: 'Connection', ok: false, words: messageOf(error) }],
    );
    if (latest.current === mine) setTrial({ running: false, steps });
  };
  return (
    <Dialog
      title={before === null ? 'Add a target' : `Target ${before.name}`}
      onClose={closeOverlay}
      actions={
        <>
          <Button size="large" onPress={onDone}>
            Back
          </Button>
          <Button size="large" onPress={() => void tryOut()}>
            Test
          </Button>
          <Button size="large" kind="primary" onPress={() => void save()}>
            Save
          </Button>
        </>
      }
    >
      <Choice
        label="Type of connection"
        value={draft.kind}
        options={KINDS.map(({ kind, title }) => ({ value: kind, title }))}
        onChange={(kind) => change({ kind, options: '' })}
      />
      <TextField
        autoFocus
        label="Name"
        placeholder="build server"
        value={draft.name}
        onChange={(name) => change({ name: name.slice(0, 60) })}
        error={problems.name ?? null}
        onSubmit={() => void save()}
      />
      <TextField
        label={words.place}
        placeholder={words.placeholder}
        description={words.placeWords}
        value={draft.place}
        onChange={(place) => change({ place })}
        error={problems.place ?? null}
        onSubmit={() => void save()}
      />
      {draft.kind === 'command' ? null : (
        <TextField
          label="Options"
          placeholder={words.optionsPlaceholder}
          description={`Additional options of ${draft.kind}, quoted as in a shell.`}
          value={draft.options}
          onChange={(options) => change({ options })}
          onSubmit={() => void save()}
        />
      )}
      <TextField
        label="Folder on the target"
        placeholder={mirror.getState().project?.path ?? ''}
        description="The project’s folder, if its path differs on the target. The files must already exist there; the workbench does not copy them."
        value={draft.directory}
        onChange={(directory) => change({ directory })}
        error={problems.directory ?? null}
        onSubmit={() => void save()}
      />
      <TextField
        label="SBCL on the target"
        placeholder="sbcl"
        value={draft.sbcl}
        onChange={(sbcl) => change({ sbcl })}
        error={problems.sbcl ?? null}
        onSubmit={() => void save()}
      />
      {refused === null ? null : (
        <Text as="p" tone="error" role="alert">
          {refused}
        </Text>
      )}
      {trial === null ? null : <Trial {...trial} />}
    </Dialog>
  );
}

/** The progress of the connection test, step by step. */
function Trial({ running, steps }: { running: boolean; steps: readonly Step[] }) {
  return (
    <Stack gap={1} role="status" aria-label="Connection test">
      {running ? (
        <Row gap={2}>
          <Ring />
          <Text tone={2}>
            Connecting… The first connection builds the engine on the target, which takes a few seconds.
          </Text>
        </Row>
      ) : null}
      {steps.map(({ title, ok, words }) => (
        <Row key={title} gap={2} align="start">
          {ok ? <Check className="icon-small" aria-hidden /> : <X className="icon-small error-mark" aria-hidden />}
          <Stack grow>
            <Text tone={ok ? 1 : 'error'} font="base-strong">
              {title}
              <span className="visually-hidden">{ok ? ': all right' : ': failed'}</span>
            </Text>
            <Text as="p" tone={2} lines="wrap" breaks selectable>
              {words}
            </Text>
          </Stack>
        </Row>
      ))}
    </Stack>
  );
}
