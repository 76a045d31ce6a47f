/** The title bar: project, image, command field, clients, Review. Dragging it moves the window. */
import { ChevronDown, Folder, Hand, Menu, Search } from 'lucide-react';
import { Button } from 'react-aria-components';
import { requestsWait } from '#contract/decisions/decision.ts';
import { call } from '../../base/bridge.ts';
import { keyText } from '../../ui/menus/key-strokes.ts';
import { commandMenus } from '../menus.ts';
import { allCommands, commandKeys, menuEntry } from '../../base/keys/command-registry.ts';
import { useMirror } from '../../base/mirror.ts';
import { MODES, stateOf } from '../../features/clients/client-words.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Keys } from '../../ui/menus/keys.tsx';
import { ActorMark } from '../../ui/mark.tsx';
import { MenuButton } from '../../ui/menus/menu.tsx';
import { Hint } from '../../ui/menus/tooltip.tsx';
import { ImageState } from './image-state.tsx';
import { orNotice } from '../../base/notices/notices.tsx';
import { openOverlay } from '../../base/layout/overlays.ts';
import { Row, Text, Truncate } from '../../ui/layout.tsx';
import { look } from '../../ui/look.ts';
import { Divider } from '../../ui/panels/toolbar.tsx';
import styles from './title-bar.module.css';
import { fileName } from '../../base/text/paths.ts';
import { openFolder } from '../../base/open-folder.ts';

export function TitleBar() {
  const mac = useMirror((state) => state.platform === 'darwin');
  return (
    <header
      className={look({ fixed: true, surface: 0, edge: 'bottom' }, styles.titleBar, mac ? styles.mac : undefined)}
      data-region="Title bar"
    >
      <h1 className="visually-hidden">Lisp Workbench</h1>
      <Row gap={1} shrink>
        {mac ? null : (
          <IconButton
            size="medium"
            label="Menu"
            onPress={(event) => {
              const { left, bottom } = event.target.getBoundingClientRect();
              const menus = commandMenus(allCommands());
              void orNotice(call('app.showMenu', { x: Math.round(left), y: Math.round(bottom), menus }));
            }}
          >
            <Menu className="icon" aria-hidden />
          </IconButton>
        )}
        <Project />
        <Divider className={styles.titleDivider} />
        <ImageState />
      </Row>
      <Hint text="Search or run a command" keys={commandKeys('palette.open')}>
        <Button
          className={look(
            { flow: 'row', gap: 2, padX: 2, shrink: true, font: 'base', tall: 'control', tone: 3, surface: 3 },
            styles.commandField,
          )}
          aria-label="Command field"
          onPress={() => openOverlay({ kind: 'palette', text: '' })}
        >
          <Search className="icon" aria-hidden />
          <Truncate grow className={styles.commandFieldText} data-text="Search or run a command" />
          <Keys drawn keys={commandKeys('palette.open') ?? ''} />
        </Button>
      </Hint>
      <Row justify="end" gap={1} shrink className={styles.titleRight}>
        <Clients />
        <Divider className={styles.titleDivider} />
        <Review />
        <Arrivals />
      </Row>
    </header>
  );
}

function Project() {
  const project = useMirror((state) => state.project);
  const recent = useMirror((state) => state.settings.recentProjects);
  const others = recent.filter((path) => path !== project?.path).slice(0, 8);
  return (
    <MenuButton
      label="Project"
      groups={[
        { id: 'open', entries: ['project.open', 'project.trust', 'file.open', 'file.new'].map(menuEntry) },
        {
          id: 'recent',
          title: 'Recent',
          entries: others.map((path) => ({
            id: path,
            title: fileName(path),
            detail: path,
            run: () => void orNotice(openFolder(path)),
          })),
        },
      ]}
    >
      <Button
        className={look(
          {
            flow: 'row',
            inline: true,
            padX: 2,
            shrink: true,
            font: 'base',
            tall: 'control',
            tone: 2,
            round: 'control',
            fixed: true,
          },
          styles.titleItem,
          styles.titleProject,
        )}
      >
        <Folder className="icon" aria-hidden />
        <span className="visually-hidden">Project: </span>
        <Truncate font="base-strong" tone={1} className={styles.titleName}>
          {project?.name ?? 'No folder'}
        </Truncate>
        <ChevronDown className={look({ tone: 3 }, 'icon-small')} aria-hidden />
      </Button>
    </MenuButton>
  );
}

/** The maximum number of connected clients that are shown by name; the others are in the menu. */
const NAMED = 3;

function Clients() {
  const clients = useMirror((state) => state.clients);
  const suspended = useMirror((state) => state.session.suspended);
  const connected = clients.filter((client) => client.connections > 0);
  const none = clients.length === 0 ? 'No clients' : 'None connected';
  return (
    <MenuButton
      label="AI clients"
      placement="bottom end"
      groups={[
        { id: 'connect', entries: ['client.connect', 'view.clients'].map(menuEntry) },
        {
          id: 'known',
          title: 'Pause or resume',
          entries: clients.map((client) => ({
            id: client.id,
            title: client.name,
            detail: `${client.paused === null ? MODES[client.mode].title.toLowerCase() : 'paused'} · ${stateOf(client)}`,
            icon: <ActorMark hue={client.hue} />,
            run: () => void orNotice(call('clients.change', { id: client.id, paused: client.paused === null })),
          })),
        },
        { id: 'stop', entries: clients.length === 0 ? [] : ['agents.stop', 'agents.resume'].map(menuEntry) },
      ]}
    >
      <Button
        className={look(
          {
            flow: 'row',
            inline: true,
            padX: 2,
            shrink: true,
            font: 'base',
            tall: 'control',
            tone: 1,
            round: 'control',
          },
          styles.titleItem,
          styles.titleClients,
        )}
      >
        <span className="visually-hidden">AI clients: </span>
        {connected.slice(0, NAMED).map((client) => (
          <Row key={client.id} as="span" inline gap="mark" className={styles.titleClient} title={client.name}>
            <ActorMark hue={client.hue} />
            <Truncate>{client.name} </Truncate>
            {suspended.some(({ actor }) => actor.id === client.id) ? (
              <>
                <Hand className="icon-small waiting-mark" aria-hidden />
                <span className="visually-hidden">waiting for you </span>
              </>
            ) : null}
          </Row>
        ))}
        {connected.length > NAMED ? <span>+{connected.length - NAMED}</span> : null}
        {connected.length === 0 ? (
          <Text lines="one" className={styles.titleNone}>
            {none}
          </Text>
        ) : null}
        <ChevronDown className={look({ tone: 3 }, 'icon-small')} aria-hidden />
      </Button>
    </MenuButton>
  );
}

/** Announces new requests to a screen reader, unless Review is open, which announces them itself. */
function Arrivals() {
  const waiting = useMirror((state) => state.waitingApprovals);
  const open = useMirror((state) => state.reviewOpen);
  const keys = commandKeys('review.show');
  const way = keys === undefined ? '' : ` ${keyText(keys)} opens Review.`;
  return (
    <span role="status" aria-label="Requests" className="visually-hidden">
      {waiting === 0 || open ? '' : `${requestsWait(waiting)}${way}`}
    </span>
  );
}

function Review() {
  const waiting = useMirror((state) => state.waitingApprovals);
  const open = useMirror((state) => state.reviewOpen);
  return (
    <Hint
      text={waiting === 0 ? 'No requests are waiting' : `${waiting} waiting for you`}
      keys={commandKeys('review.show')}
    >
      <Button
        className={look(
          { flow: 'row', inline: true, gap: 2, fixed: true, tall: 'control', round: 'control' },
          styles.reviewButton,
          waiting > 0 ? styles.reviewWaiting : undefined,
          open ? styles.reviewOpen : undefined,
        )}
        aria-expanded={open}
        onPress={() => void orNotice(call('review.show', { open: !open }))}
      >
        Review{' '}
        {waiting > 0 ? (
          <Text padX="mark" font="small-strong" round="inline" className={styles.reviewCount}>
            {waiting} <span className="visually-hidden">waiting</span>
          </Text>
        ) : null}
      </Button>
    </Hint>
  );
}
