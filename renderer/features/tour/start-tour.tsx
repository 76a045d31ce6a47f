/** The dialog that starts the tour. The person chooses the folder for its sample project. */
import { useEffect, useState } from 'react';
import { mayLeaveProject } from '../../base/open-folder.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { call, messageOf } from '../../base/bridge.ts';
import { closeOverlay } from '../../base/layout/overlays.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/panels/dialog.tsx';
import { Row, Text } from '../../ui/layout.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { beginTour } from './begin.ts';
import styles from './panel.module.css';

export function StartTour() {
  const [place, setPlace] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isMaking, setMaking] = useState(false);
  useEffect(() => {
    void orNotice(call('project.newPlace', {}).then(({ place: free }) => setPlace((before) => before || free)));
  }, []);
  const change = (chosen: string): void => {
    setPlace(chosen);
    setProblem(null);
  };
  const start = async (): Promise<void> => {
    if (place === '' || isMaking || !(await mayLeaveProject())) return;
    setMaking(true);
    try {
      const made = await call('project.createTour', { place });
      if (made.created) {
        closeOverlay();
        await beginTour(made.source);
      } else setProblem(made.problem);
    } catch (error) {
      setProblem(messageOf(error));
    }
    setMaking(false);
  };
  const choose = async (): Promise<void> => {
    const chosen = await call('project.choosePlace', { place });
    if (chosen.place !== null) change(chosen.place);
  };
  return (
    <Dialog
      title="Start the tour"
      onClose={closeOverlay}
      actions={
        <>
          <Button size="large" onPress={closeOverlay}>
            Cancel
          </Button>
          <Button size="large" kind="primary" isDisabled={place === ''} onPress={() => void start()}>
            Start
          </Button>
        </>
      }
    >
      <Text as="p" tone={2}>
        Nine short steps on a small project: evaluate, inspect, debug, fix and test. Afterwards you can keep or delete
        the project. If you have started a tour in this folder before, it continues.
      </Text>
      <Row gap={2} align="start" className={styles.place}>
        <TextField
          autoFocus
          label="In folder"
          description="The project gets a folder lisp-tour there."
          value={place}
          onChange={change}
          onSubmit={() => void start()}
          error={problem}
        />
        <Button onPress={() => void choose()}>Choose…</Button>
      </Row>
    </Dialog>
  );
}
