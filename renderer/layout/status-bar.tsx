/** The status bar: where evaluated code runs and what it may reach. */
import './status-bar.css';
import { CircleX, Shield } from 'lucide-react';
import type { ServerStatus } from '#contract/rpc.ts';
import type { Session } from '#contract/session.ts';
import { useBuffers } from '../editor/buffers.ts';
import { useMirror } from '../mirror.ts';
import { CheckpointsItem } from '../panels/checkpoints/status-item.tsx';
import { shownPackage } from '../sexp/packages.ts';
import { Explained } from '../ui/tooltip.tsx';
import { useLayout } from './layout-store.ts';

const GUARD =
  'Code of clients that would write, delete, start a process or connect waits for you at that moment; your own code does not.';
const SEAT_BELT =
  'The guard is a seat belt for ordinary Lisp code, not a wall: it cannot hold code that is made to get past it.';

/** What the sandbox does and what it does not. */
function wall(folder: string | null): string {
  const writable = folder === null ? 'no folder of yours can be written' : `only ${folder} can be written`;
  return `The guard is a seat belt for ordinary Lisp code. The sandbox of the system is the wall: whatever code does, yours too, there is no network and ${writable}. Files elsewhere can still be read, but not what this program keeps.`;
}

export function StatusBar() {
  const session = useMirror((state) => state.session);
  const server = useMirror((state) => state.server);
  const caret = useBuffers((state) => (state.active === null ? null : state.caret));
  const page = useLayout((state) => state.page);
  const heap = session.heapSize > 0 ? Math.round((session.heapUsed / session.heapSize) * 100) : null;
  return (
    <section className="status-bar" aria-label="Status bar" data-region="Status bar">
      <span className="code">{shownPackage(session.package)}</span>
      {session.lisp ? <LispName lisp={session.lisp} lacking={session.lacking} /> : null}
      {heap === null || session.pid === null ? null : <span>heap {heap} %</span>}
      {session.pid === null ? null : <CheckpointsItem />}
      <Explained
        label={session.sandbox ? 'guard on, sandboxed' : 'guard on'}
        text={`${GUARD} ${session.sandbox ? wall(session.sandbox.folder) : SEAT_BELT}`}
        className="status-item"
        icon={<Shield className="icon-small" aria-hidden />}
      />
      <span className="status-gap" />
      <ServerState server={server} />
      {caret && page === 'editor' ? (
        <span>
          Ln {caret.line}, Col {caret.column}
        </span>
      ) : null}
    </section>
  );
}

/** Which Lisp it is, and what does not work with it. */
function LispName({ lisp, lacking }: { lisp: string; lacking: Session['lacking'] }) {
  if (lacking.length === 0) return <span>{lisp}</span>;
  const features = lacking.map(({ feature, names }) => `${feature} (it lacks ${names.join(', ')})`);
  return (
    <Explained
      label={`${lisp}, not everything works`}
      text={`This SBCL does without some things that Lisp Workbench needs. What does not work: ${features.join('; ')}. Everything else does.`}
      className="status-item status-problem"
      icon={<CircleX className="icon-small" aria-hidden />}
    />
  );
}

function ServerState({ server: { url, problem, notice } }: { server: ServerStatus }) {
  if (url === null && problem !== null) {
    return (
      <Explained
        label="MCP is not served"
        text={problem}
        className="status-item status-problem"
        icon={<CircleX className="icon-small" aria-hidden />}
      />
    );
  }
  if (url === null) return <span>MCP starts</span>;
  const label = `MCP ${addressOf(url)}`;
  return notice === null ? <span>{label}</span> : <Explained label={label} text={notice} className="status-item" />;
}

function addressOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
}
