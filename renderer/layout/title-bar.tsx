/** The title bar: project, image, command field, clients, Review. It is what the window is dragged by. */
import './title-bar.css';
import { ChevronDown, Folder, Hand, Menu, Search } from 'lucide-react';
import { Button } from 'react-aria-components';
import { call } from '../bridge.ts';
import { commandMenus } from '../commands/menus.ts';
import { allCommands, commandKeys, menuEntry } from '../commands/registry.ts';
import { useMirror } from '../mirror.ts';
import { MODES, stateOf } from '../panels/clients/model.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Keys } from '../ui/keys.tsx';
import { ActorMark } from '../ui/mark.tsx';
import { MenuButton } from '../ui/menu.tsx';
import { Hint } from '../ui/tooltip.tsx';
import { ImageState } from './image-state.tsx';
import { orNotice } from './notices.tsx';
import { openOverlay } from './overlays.ts';

export function TitleBar() {
  const mac = useMirror((state) => state.platform === 'darwin');
  return (
    <header className={`title-bar${mac ? ' title-bar-mac' : ''}`} data-region="Title bar">
      <h1 className="visually-hidden">Lisp Workbench</h1>
      <div className="title-left">
        {mac ? null : (
          <IconButton
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
        <span className="title-line" />
        <ImageState />
      </div>
      <Hint text="Search or run a command" keys={commandKeys('palette.open')}>
        <Button
          className="command-field"
          aria-label="Command field"
          onPress={() => openOverlay({ kind: 'palette', text: '' })}
        >
          <Search className="icon" aria-hidden />
          <span className="command-field-text" data-text="Search or run a command" />
          <Keys drawn keys={commandKeys('palette.open') ?? ''} />
        </Button>
      </Hint>
      <div className="title-right">
        <Clients />
        <span className="title-line" />
        <Review />
      </div>
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
            title: path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1),
            detail: path,
            run: () => void orNotice(call('project.open', { path })),
          })),
        },
      ]}
    >
      <Button className="title-item title-project">
        <Folder className="icon" aria-hidden />
        <span className="visually-hidden">Project: </span>
        <span className="title-name">{project?.name ?? 'No folder'}</span>
        <ChevronDown className="icon-small title-chevron" aria-hidden />
      </Button>
    </MenuButton>
  );
}

/** As many clients as are connected, by name; the rest is in the menu. */
const NAMED = 3;

function Clients() {
  const clients = useMirror((state) => state.clients);
  const parked = useMirror((state) => state.session.parked);
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
          title: 'Pause or let go on',
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
      <Button className="title-item title-clients">
        <span className="visually-hidden">AI clients: </span>
        {connected.slice(0, NAMED).map((client) => (
          <span key={client.id} className="title-client" title={client.name}>
            <ActorMark hue={client.hue} />
            <span className="ellipsis">{client.name} </span>
            {parked.some(({ actor }) => actor.id === client.id) ? (
              <>
                <Hand className="icon-small waiting-mark" aria-hidden />
                <span className="visually-hidden">waits for you </span>
              </>
            ) : null}
          </span>
        ))}
        {connected.length > NAMED ? <span>+{connected.length - NAMED}</span> : null}
        {connected.length === 0 ? <span className="title-quiet">{none}</span> : null}
        <ChevronDown className="icon-small title-chevron" aria-hidden />
      </Button>
    </MenuButton>
  );
}

function Review() {
  const waiting = useMirror((state) => state.waitingApprovals);
  const open = useMirror((state) => state.reviewOpen);
  return (
    <Hint
      text={waiting === 0 ? 'Nothing waits for you' : `${waiting} waiting for you`}
      keys={commandKeys('review.show')}
    >
      <Button
        className={`review-button${waiting > 0 ? ' review-waiting' : ''}${open ? ' review-open' : ''}`}
        aria-expanded={open}
        onPress={() => void orNotice(call('review.show', { open: !open }))}
      >
        Review{' '}
        {waiting > 0 ? (
          <span className="review-count">
            {waiting} <span className="visually-hidden">waiting</span>
          </span>
        ) : null}
      </Button>
    </Hint>
  );
}
