/** The folders of the project in which agents' code may write without asking. */
import { X } from 'lucide-react';
import { useState } from 'react';
import { changeSettings } from '../../base/change-settings.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { folderFrom } from './folder.ts';
import { Row, Stack } from '../../ui/layout.tsx';
import styles from './settings.module.css';

export function WritableFolders({ folders }: { folders: readonly string[] }) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const keep = (writableFolders: string[]): void => changeSettings({ writableFolders });
  const add = (): void => {
    const { folder, problem: wrong } = folderFrom(text, folders);
    setProblem(wrong);
    if (folder === null) return;
    keep([...folders, folder]);
    setText('');
  };
  return (
    <Stack gap={2} role="group" aria-label="Folders that agents’ code may write in">
      {folders.length === 0 ? null : (
        <ul>
          {folders.map((folder) => (
            <Row key={folder} as="li" justify="between" className={styles.writableFolder}>
              <span className="code">{folder}</span>
              <IconButton label={`Remove ${folder}`} onPress={() => keep(folders.filter((each) => each !== folder))}>
                <X className="icon-small" aria-hidden />
              </IconButton>
            </Row>
          ))}
        </ul>
      )}
      <Row align="start" gap={2} className={styles.beside}>
        <TextField
          label="Folder that agents’ code may write in"
          placeholder="exports"
          description="A path relative to the project folder. Subfolders that begin with a dot are excluded. Deleting files, and changing files that configure other programs, still needs approval."
          value={text}
          error={problem}
          onChange={(next) => {
            setText(next);
            setProblem(null);
          }}
          onSubmit={add}
        />
        <Button onPress={add}>Add</Button>
      </Row>
    </Stack>
  );
}
