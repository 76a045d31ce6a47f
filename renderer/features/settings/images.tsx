/** The settings for starting images. */
import { closeOverlay } from '../../base/layout/overlays.ts';
import { useMirror } from '../../base/mirror.ts';
import { runCommand } from '../../base/keys/command-registry.ts';
import { changeSettings } from '../../base/change-settings.ts';
import { Button } from '../../ui/button.tsx';
import { Row, Text } from '../../ui/layout.tsx';
import { NumberField } from '../../ui/fields/number-field.tsx';
import type { SettingEntry } from './entry.ts';
import { KeptField } from './kept-field.tsx';
import type { Settings } from '#contract/settings.ts';

const group = 'Images';

/** The note under the heading: these settings do not change a running image. */
export function ImagesNote() {
  const living = useMirror(({ session }) => session.pid !== null);
  const restart = (): void => {
    closeOverlay();
    runCommand('image.restart');
  };
  return (
    <Text as="p" tone={2}>
      These settings take effect when an image starts.{' '}
      {living ? (
        <Button kind="link" size="small" onPress={restart}>
          Restart Image…
        </Button>
      ) : null}
    </Text>
  );
}

export const IMAGES: readonly SettingEntry[] = [
  {
    id: 'targets',
    group,
    title: 'Targets',
    words: 'remote ssh docker podman kubernetes container machine host elsewhere',
    names: ['targets', 'sharedTarget', 'clientsTarget'],
    draw: (settings) => <TargetsChoice {...settings} />,
  },
  {
    id: 'sbcl',
    group,
    title: 'SBCL',
    words: 'path program lisp runtime executable version',
    names: ['sbcl'],
    draw: (settings) => (
      <KeptField
        name="sbcl"
        settings={settings}
        label="SBCL"
        placeholder="found automatically"
        description="The absolute path of the program. The environment variable LISP_WORKBENCH_SBCL overrides it."
        isFile
      />
    ),
  },
  {
    id: 'heap',
    group,
    title: 'Heap',
    words: 'dynamic space size memory megabytes MB exhausted',
    names: ['heapMegabytes'],
    draw: ({ heapMegabytes }) => (
      <>
        <NumberField
          label="Heap"
          unit="MB"
          value={heapMegabytes ?? Number.NaN}
          placeholder="automatic"
          min={512}
          max={1_048_576}
          step={64}
          onChange={(size) => changeSettings({ heapMegabytes: size })}
          onClear={() => changeSettings({ heapMegabytes: null })}
        />
        <Text as="p" tone={2}>
          {heapMegabytes === null
            ? 'A quarter of this computer’s memory, at least 1 and at most 4 GB.'
            : 'The dynamic space of each image. If empty, the workbench chooses the size.'}
        </Text>
      </>
    ),
  },
  {
    id: 'control-stack',
    group,
    title: 'Control stack',
    words: 'size recursion deep exhausted megabytes MB thread',
    names: ['controlStackMegabytes'],
    draw: ({ controlStackMegabytes }) => (
      <NumberField
        label="Control stack of each thread"
        unit="MB"
        value={controlStackMegabytes}
        min={2}
        max={1024}
        step={1}
        onChange={(size) => changeSettings({ controlStackMegabytes: size })}
      />
    ),
  },
  {
    id: 'init-file',
    group,
    title: 'Init file',
    words: 'load at start sbclrc quicklisp setup lisp',
    names: ['initFile'],
    draw: (settings) => (
      <KeptField
        name="initFile"
        settings={settings}
        label="Init file"
        placeholder="none"
        description="The absolute path of a Lisp file that each image loads first, such as Quicklisp’s setup.lisp."
        isFile
      />
    ),
  },
];

function TargetsChoice({ sharedTarget, clientsTarget }: Pick<Settings, 'sharedTarget' | 'clientsTarget'>) {
  const open = (): void => {
    closeOverlay();
    runCommand('image.targets');
  };
  return (
    <Row gap={3} justify="between">
      <Text tone={1}>
        The shared image runs on {placeName(sharedTarget)}, images of clients on {placeName(clientsTarget)}.
      </Text>
      <Button onPress={open}>Targets…</Button>
    </Row>
  );
}

function placeName(target: string): string {
  return target === '' ? 'this machine' : target;
}
