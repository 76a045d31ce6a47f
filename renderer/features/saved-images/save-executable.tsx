/** The dialog that saves the image as a program which runs without the workbench: its file, and the function that it calls at start. */
import { useState } from 'react';
import { call, messageOf } from '../../base/bridge.ts';
import { mirror } from '../../base/mirror.ts';
import { closeOverlay } from '../../base/layout/overlays.ts';
import { notify } from '../../base/notices/notices.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/panels/dialog.tsx';
import { Row, Text } from '../../ui/layout.tsx';
import { sizeOf } from '../../ui/panels/sizes.ts';
import { TextField } from '../../ui/fields/text-field.tsx';
import { AgentsHooks, useAgentsHooks } from './agents-hooks.tsx';
import styles from './save-executable.module.css';

export function SaveExecutable() {
  const [file, setFile] = useState(standardFile);
  const [mayReplace, setMayReplace] = useState(false);
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isSaving, setSaving] = useState(false);
  const hooks = useAgentsHooks();
  const [chosen, setChosen] = useState<ReadonlySet<number> | null>(null);
  const kept = chosen ?? new Set(hooks?.filter(({ reviewed }) => reviewed).map(({ id }) => id));
  const changeFile = (text: string, replace: boolean): void => {
    setFile(text);
    setMayReplace(replace);
    setProblem(null);
  };
  const save = async (): Promise<void> => {
    // Save stays enabled while the image is being saved: a disabled button would lose the focus, and Escape would no longer reach the
    // dialog.
    if (isSaving || hooks === null || file === '') return;
    setSaving(true);
    try {
      const wanted = { file, replace: mayReplace, function: name.trim() || null, hooks: [...kept] };
      const saved = await call('savedImages.saveExecutable', { ...wanted, package: mirror.getState().session.package });
      if (saved.bytes !== null) {
        closeOverlay();
        notify(`The program ${saved.file} was saved: ${sizeOf(saved.bytes)}.`);
        return;
      }
      setMayReplace(true);
      setProblem('The file already exists. Replace overwrites it with the program.');
    } catch (error) {
      setProblem(messageOf(error));
    }
    setSaving(false);
  };
  const choose = async (): Promise<void> => {
    const chosen = await call('savedImages.chooseFile', { file });
    if (chosen.file !== null) changeFile(chosen.file, true);
  };
  return (
    <Dialog
      title="Save as executable"
      onClose={closeOverlay}
      actions={
        <>
          <Button size="large" onPress={closeOverlay}>
            {isSaving ? 'Close' : 'Cancel'}
          </Button>
          <Button size="large" kind="primary" isDisabled={file === ''} onPress={() => void save()}>
            {mayReplace && problem !== null ? 'Replace' : 'Save'}
          </Button>
        </>
      }
    >
      <Text as="p" tone={2}>
        Creates a program for machines of this kind that contains SBCL and everything that is loaded. It runs without
        the workbench and without an installed SBCL.
      </Text>
      <Row gap={2} align="start" className={styles.place}>
        <TextField
          autoFocus
          label="File"
          value={file}
          onChange={(text) => changeFile(text, false)}
          onSubmit={() => void save()}
          error={problem}
        />
        <Button onPress={() => void orShown(choose(), setProblem)}>Choose…</Button>
      </Row>
      <TextField
        label="Function (optional)"
        placeholder="SBCL’s REPL"
        value={name}
        onChange={(text) => {
          setName(text.slice(0, 1000));
          setProblem(null);
        }}
        onSubmit={() => void save()}
        description={`This function is called without arguments when the program starts. Its name is read in the package ${mirror.getState().session.package}. The command line is in sb-ext:*posix-argv*.`}
      />
      <AgentsHooks
        hooks={hooks ?? []}
        explanation="Agents set functions that SBCL or UIOP calls. The program runs without the workbench, so their effects need no approval there. Functions that you have not reviewed are left out unless you keep them."
        choice={{ kept, onChange: setChosen }}
      />
      <Text as="p" font="small" tone={2} role="status">
        {isSaving ? <span>A copy of the image writes the file; the image itself continues.</span> : null}
      </Text>
    </Dialog>
  );
}

async function orShown(work: Promise<void>, show: (problem: string) => void): Promise<void> {
  try {
    await work;
  } catch (error) {
    show(messageOf(error));
  }
}

/** Returns the default file: named like the project and in the project's folder, or empty without a project. */
function standardFile(): string {
  const { project } = mirror.getState();
  return project === null ? '' : `${project.path}/${project.name}`;
}
