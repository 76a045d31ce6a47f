/** The editor while no text is open: the three ways to begin. */
import { FilePlus, FileText, FolderOpen } from 'lucide-react';
import { commandKeys, runCommand } from '../commands/registry.ts';
import { Button } from '../ui/button.tsx';
import { Keys } from '../ui/keys.tsx';

const WAYS = [
  { command: 'file.new', title: 'New file', Icon: FilePlus },
  { command: 'file.open', title: 'Open file…', Icon: FileText },
  { command: 'project.open', title: 'Open folder…', Icon: FolderOpen },
] as const;

export function EditorEmpty() {
  return (
    <div className="editor-empty" data-region-focus>
      <h2 className="editor-empty-title">Nothing is open</h2>
      <ul className="editor-empty-ways">
        {WAYS.map(({ command, title, Icon }) => (
          <li key={command}>
            <Button kind="link" icon={<Icon className="icon" aria-hidden />} onPress={() => runCommand(command)}>
              {title}
            </Button>
            <Keys keys={commandKeys(command) ?? ''} />
          </li>
        ))}
      </ul>
      <p className="editor-empty-hint">
        Put the caret in a form and press <Keys keys={commandKeys('evaluate.form') ?? ''} />: its value appears beside
        it. The REPL below needs no file.
      </p>
    </div>
  );
}
