/** The start-up page: the state of the checks with repairs, and the ways to begin. The editor shows it while no text is open. */
import {
  CircleHelp,
  FilePlus,
  FileText,
  FolderOpen,
  FolderPlus,
  GraduationCap,
  History,
  Keyboard,
  type LucideIcon,
  Plug,
} from 'lucide-react';
import { useMirror } from '../../base/mirror.ts';
import { showPage } from '../../base/layout/layout-store.ts';
import { commandKeys, runCommand } from '../../base/keys/command-registry.ts';
import { keymapTitle } from '../../base/keys/keymaps.ts';
import { STEPS } from '../tour/steps.ts';
import { useTour } from '../tour/tour-store.ts';
import { Button } from '../../ui/button.tsx';
import { Keys } from '../../ui/menus/keys.tsx';
import { Box, Row, Stack, Text } from '../../ui/layout.tsx';
import { Region } from '../../ui/panels/panel.tsx';
import { CheckList } from './check-list.tsx';
import { RecentFolders } from './recent-folders.tsx';
import styles from './welcome.module.css';

interface Way {
  readonly command: string;
  readonly title: string;
  readonly Icon: LucideIcon;
}

const BEGIN: readonly Way[] = [
  { command: 'project.open', title: 'Open folder…', Icon: FolderOpen },
  { command: 'project.new', title: 'New project…', Icon: FolderPlus },
  { command: 'file.new', title: 'New file', Icon: FilePlus },
  { command: 'file.open', title: 'Open file…', Icon: FileText },
  { command: 'project.recent', title: 'Open recent…', Icon: History },
];

/** The start-up page in place of the editor while texts are open. */
export function WelcomePage() {
  return (
    <Region name="Welcome">
      <Row justify="end" padX={4} padY={2} fixed>
        <Button size="small" onPress={() => showPage('editor')}>
          Back to the text
        </Button>
      </Row>
      <Welcome />
    </Region>
  );
}

export function Welcome() {
  const keymap = useMirror((state) => state.settings.keymap);
  const isBegun = useTour(({ folder, place }) => folder !== null && place.done.length < STEPS.length);
  return (
    <Box grow scroll className={styles.page}>
      <Stack className={styles.content}>
        <Stack gap={2}>
          <Text as="h2" font="head" tone={1}>
            Welcome
          </Text>
          <CheckList />
        </Stack>
        <div className={styles.columns}>
          <Stack as="section" gap={2} aria-label="Begin" data-region-focus>
            <Text as="h3" font="base-strong" tone={1}>
              Begin
            </Text>
            <Ways ways={BEGIN} />
          </Stack>
          <Stack as="section" gap={2} aria-label="Learn">
            <Text as="h3" font="base-strong" tone={1}>
              Learn
            </Text>
            <Ways
              ways={[
                {
                  command: 'tour.start',
                  title: isBegun ? 'Continue the tour…' : 'Start the tour…',
                  Icon: GraduationCap,
                },
                { command: 'client.connect', title: 'Connect an AI client…', Icon: Plug },
                { command: 'keymap.choose', title: `Keys: ${keymapTitle(keymap)}…`, Icon: Keyboard },
                { command: 'help.keys', title: 'Keys and commands', Icon: CircleHelp },
              ]}
            />
          </Stack>
          <RecentFolders />
        </div>
        <Text as="p" tone={2} className={styles.hint}>
          Put the caret in a form and press <Keys keys={commandKeys('evaluate.form') ?? ''} />: its value appears beside
          it. The REPL below works without a file.
        </Text>
      </Stack>
    </Box>
  );
}

function Ways({ ways }: { ways: readonly Way[] }) {
  return (
    <Stack as="ul" gap={1}>
      {ways.map(({ command, title, Icon }) => (
        <Row as="li" key={command} justify="between" gap={4}>
          <Button kind="link" icon={<Icon className="icon" aria-hidden />} onPress={() => runCommand(command)}>
            {title}
          </Button>
          <Keys keys={commandKeys(command) ?? ''} />
        </Row>
      ))}
    </Stack>
  );
}
