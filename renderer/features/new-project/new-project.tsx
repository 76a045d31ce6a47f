/** The dialog for a new project: its name, its folder, and the fields of its system definition. */
import { useEffect, useRef, useState } from 'react';
import { nameFault } from '#contract/new-project-name.ts';
import type { NewProject as Wanted, TestFramework } from '#contract/new-project.ts';
import { mayLeaveProject } from '../../base/open-folder.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { call, messageOf } from '../../base/bridge.ts';
import { closeOverlay } from '../../base/layout/overlays.ts';
import { chooseSystem, refreshSystems, useSystems } from '../systems/systems-store.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/fields/choice.tsx';
import { Dialog } from '../../ui/panels/dialog.tsx';
import { Row, Text } from '../../ui/layout.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { showLeft, showPage } from '../../base/layout/layout-store.ts';
import { activeEditor, revealOffset } from '../../editor/groups/active-editor.ts';
import { textDrawn } from '../../editor/monaco/drawn.ts';
import { openFile } from '../../editor/files/files.ts';
import { reloadSystem } from '../systems/loading.ts';
import styles from './new-project.module.css';

const FRAMEWORKS: { value: TestFramework; title: string }[] = [
  { value: 'fiveam', title: 'FiveAM' },
  { value: 'rt', title: 'RT' },
  { value: 'none', title: 'None' },
];

const FIRST: Wanted = { name: '', place: '', description: '', author: '', license: '', tests: 'fiveam' };

export function NewProject() {
  const [wanted, setWanted] = useState(FIRST);
  const [refusal, setRefusal] = useState<{ field: 'name' | 'place'; problem: string } | null>(null);
  const [isMaking, setMaking] = useState(false);
  const nameInput = useRef<HTMLInputElement>(null);
  const placeInput = useRef<HTMLInputElement>(null);
  const { systems } = useSystems();
  const change = (part: Partial<Wanted>): void => {
    setWanted((before) => ({ ...before, ...part }));
    setRefusal(null);
  };
  useEffect(() => {
    void refreshSystems();
    void orNotice(
      call('project.newPlace', {}).then(({ place }) =>
        setWanted((before) => (before.place === '' ? { ...before, place } : before)),
      ),
    );
  }, []);
  useEffect(() => {
    if (refusal) (refusal.field === 'name' ? nameInput : placeInput).current?.focus();
  }, [refusal]);
  const inReach = systems?.find(({ name }) => name === wanted.name);
  const fault =
    (wanted.name === '' ? null : nameFault(wanted.name)) ??
    (inReach ? `A system of this name already exists: ${inReach.file ?? 'another system'}.` : null);
  const isReady = wanted.name !== '' && fault === null && wanted.place !== '';
  const hasFiveam = systems === null || systems.some(({ name }) => name === 'fiveam');
  const make = async (): Promise<void> => {
    // Create stays enabled while the project is being created: a disabled button would lose the focus, and Escape would no longer reach the
    // dialog.
    if (!isReady || isMaking || !(await mayLeaveProject())) return;
    setMaking(true);
    try {
      const made = await call('project.create', wanted);
      if (made.created) await beginProject(wanted.name, made.source);
      else setRefusal(made);
    } catch (error) {
      setRefusal({ field: 'place', problem: messageOf(error) });
    }
    setMaking(false);
  };
  const choosePlace = async (): Promise<void> => {
    const { place } = await call('project.choosePlace', { place: wanted.place });
    if (place !== null) change({ place });
  };
  const field = (part: 'description' | 'author' | 'license', label: string, placeholder = '') => (
    <TextField
      label={label}
      value={wanted[part]}
      placeholder={placeholder}
      onChange={(text) => change({ [part]: text.slice(0, 300) })}
      onSubmit={() => void make()}
    />
  );
  return (
    <Dialog
      title="New project"
      onClose={closeOverlay}
      actions={
        <>
          <Button size="large" onPress={closeOverlay}>
            Cancel
          </Button>
          <Button size="large" kind="primary" isDisabled={!isReady} onPress={() => void make()}>
            Create
          </Button>
        </>
      }
    >
      <TextField
        autoFocus
        inputRef={nameInput}
        label="Name"
        value={wanted.name}
        onChange={(name) => change({ name })}
        onSubmit={() => void make()}
        description="The name of the folder, the ASDF system and its package."
        error={fault ?? (refusal?.field === 'name' ? refusal.problem : null)}
      />
      <Row gap={2} align="start" className={styles.place}>
        <TextField
          inputRef={placeInput}
          label="In folder"
          value={wanted.place}
          onChange={(place) => change({ place })}
          onSubmit={() => void make()}
          error={refusal?.field === 'place' ? refusal.problem : null}
        />
        <Button onPress={() => void choosePlace()}>Choose…</Button>
      </Row>
      {field('description', 'Description (optional)')}
      <Row gap={3} align="start" className={styles.pair}>
        {field('author', 'Author (optional)')}
        {field('license', 'License (optional)', 'MIT')}
      </Row>
      <Choice label="Tests" value={wanted.tests} options={FRAMEWORKS} onChange={(tests) => change({ tests })} />
      <Text as="p" font="small" tone={2} role="status">
        {wanted.tests === 'fiveam' && !hasFiveam
          ? 'The image cannot find FiveAM: the project loads, but its tests cannot run until FiveAM is installed (Debian: cl-fiveam). RT comes with SBCL.'
          : TEST_WORDS[wanted.tests]}
      </Text>
    </Dialog>
  );
}

const TEST_WORDS: Record<TestFramework, string> = {
  fiveam: 'A second system contains a FiveAM suite; asdf:test-system runs it.',
  rt: 'A second system contains an RT test; asdf:test-system runs it. RT comes with SBCL.',
  none: 'The project has no test system.',
};

async function beginProject(name: string, source: string): Promise<void> {
  closeOverlay();
  chooseSystem(name);
  showLeft('files');
  showPage('editor');
  await openFile(source);
  await textDrawn();
  const editor = activeEditor();
  revealOffset(editor?.getModel()?.getValueLength() ?? 0);
  editor?.focus();
  void orNotice(reloadSystem(name, null, ''));
}
