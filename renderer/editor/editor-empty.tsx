/** The editor while no text is open: the ways to begin. */
import { FilePlus, FileText, FolderOpen, FolderPlus, History } from 'lucide-react';
import { commandKeys, runCommand } from '../features/command-registry.ts';
import { Button } from '../ui/button.tsx';
import { Keys } from '../ui/keys.tsx';
import { Stack, Text } from '../ui/layout.tsx';
import styles from './editor.module.css';

const WAYS = [
  { command: 'file.new', title: 'New file', Icon: FilePlus },
  { command: 'file.open', title: 'Open file…', Icon: FileText },
  { command: 'project.new', title: 'New project…', Icon: FolderPlus },
  { command: 'project.open', title: 'Open folder…', Icon: FolderOpen },
  { command: 'project.recent', title: 'Open recent…', Icon: History },
] as const;

export function EditorEmpty() {
  return (
    <Stack gap={3} grow className={styles.empty} data-region-focus>
      <Text as="h2" font="head">
        Nothing is open
      </Text>
      <Stack as="ul" gap={2} className={styles.emptyWays}>
        {WAYS.map(({ command, title, Icon }) => (
          <li key={command}>
            <Button kind="link" icon={<Icon className="icon" aria-hidden />} onPress={() => runCommand(command)}>
              {title}
            </Button>
            <Keys keys={commandKeys(command) ?? ''} />
          </li>
        ))}
      </Stack>
      <Text as="p" tone={2} className={styles.emptyHint}>
        Put the caret in a form and press <Keys keys={commandKeys('evaluate.form') ?? ''} />: its value appears beside
        it. The REPL below needs no file.
      </Text>
    </Stack>
  );
}
