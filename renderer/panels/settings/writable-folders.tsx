/** The folders of the project in which agents' code may write without asking. */
import { X } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../bridge.ts';
import { orNotice } from '../../layout/notices.tsx';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { folderFrom } from './folder.ts';

export function WritableFolders({ folders }: { folders: readonly string[] }) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const keep = (writableFolders: string[]): void => void orNotice(call('settings.change', { writableFolders }));
  const add = (): void => {
    const { folder, problem: wrong } = folderFrom(text, folders);
    setProblem(wrong);
    if (folder === null) return;
    keep([...folders, folder]);
    setText('');
  };
  return (
    <div className="writable-folders" role="group" aria-label="Folders that agents’ code may write in">
      {folders.length === 0 ? null : (
        <ul>
          {folders.map((folder) => (
            <li key={folder} className="writable-folder">
              <span className="code">{folder}</span>
              <IconButton label={`Remove ${folder}`} onPress={() => keep(folders.filter((each) => each !== folder))}>
                <X className="icon-small" aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <div className="writable-add">
        <TextField
          label="Folder that agents’ code may write in"
          placeholder="exports"
          description="From the project’s folder on. Folders in it that begin with a dot are left out, and deleting asks even there."
          value={text}
          error={problem}
          onChange={(next) => {
            setText(next);
            setProblem(null);
          }}
          onSubmit={add}
        />
        <Button onPress={add}>Add</Button>
      </div>
    </div>
  );
}
