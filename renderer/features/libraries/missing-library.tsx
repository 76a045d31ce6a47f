/**
 * The offer to get what an error is about: loading the project's own system, setting up Quicklisp, installing or loading a library, or
 * searching for it.
 */
import { type ReactNode, useEffect } from 'react';
import type { LibraryWork } from '#contract/libraries.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { useMirror } from '../../base/mirror.ts';
import { Button } from '../../ui/button.tsx';
import { Row, Text } from '../../ui/layout.tsx';
import { Ring } from '../../ui/mark.tsx';
import { reloadSystem } from '../systems/loading.ts';
import { onlyUnloaded, systemOfPackage } from '../systems/own-systems.ts';
import { knownSystems, refreshSystems, useSystems } from '../systems/systems-store.ts';
import { activateQuicklisp, cancelWork, loadLibrary, setUpQuicklisp } from './actions.ts';
import { isInstalled, isProvided, isSetUp, planWords, workTitle, workWords } from './descriptions.ts';
import type { LibraryMeant } from './library-meant.ts';
import { knownOverview, openLibraries, useLibraries, usePlan } from './libraries-store.ts';

interface MissingLibraryProps {
  meant: LibraryMeant;
  /** The system to load after the library is installed; the library itself if omitted. */
  asked?: string;
  /**
   * True to draw a bar at the end of a panel. A bar is drawn only if a dist has the library, because a package may be the person's own.
   */
  isBar?: boolean;
}

/**
 * Shows the offer. A system of the project comes before the libraries. Shows nothing if the libraries are unknown, or if the error no
 * longer applies.
 */
export function MissingLibrary({ meant: { kind, name }, asked = name, isBar = false }: MissingLibraryProps) {
  const overview = useLibraries((state) => state.overview);
  const isReady = overview !== null && isSetUp(overview);
  const answer = usePlan(isReady && kind !== 'client' ? name : null);
  const tools = useSystems((state) => state.libraries);
  const work = useLibraries((state) => state.work);
  const live = useMirror(({ session }) => session.pid !== null);
  useEffect(() => {
    void knownOverview();
    if (kind === 'client' || knownSystems().length === 0) void refreshSystems();
  }, [kind]);
  const isTrusted = useMirror(({ project }) => project?.trusted === true);
  const systems = useSystems((state) => state.systems) ?? [];
  const isOwn = systems.some((each) => each.name === name && each.origin === 'project');
  const canLoad = kind === 'package' && live && isTrusted;
  const own = canLoad ? systemOfPackage(systems, name) : null;
  if (own && !own.loaded) return <LoadOwn system={own.name} isBar={isBar} words="It is a system of this project." />;
  if (overview === null || isOwn || (!isReady && isBar && kind === 'package')) return null;
  if (!isReady || (kind === 'client' && !overview.hasClient))
    return (
      <Offer isBar={isBar}>
        <Button size="small" onPress={() => void setUpQuicklisp()}>
          Set Up Quicklisp
        </Button>
        {work?.kind === 'set-up' ? <Installing work={work} /> : null}
      </Offer>
    );
  if (kind === 'client')
    return tools.some((tool) => tool.kind === 'quicklisp' && !tool.active) ? (
      <Offer isBar={isBar}>
        <Button size="small" onPress={() => void orNotice(activateQuicklisp())}>
          Use Quicklisp
        </Button>
      </Offer>
    ) : null;
  if (answer === null) return null;
  const plan = 'plan' in answer && isProvided(answer.plan, name) ? answer.plan : null;
  const only = canLoad && plan === null ? onlyUnloaded(systems) : null;
  if (only) return <LoadOwn system={only.name} isBar={isBar} words="This system of the project may define it." />;
  if (plan === null && isBar) return null;
  const isInstalling = work?.kind === 'install' && work.subject === name;
  return (
    <Offer isBar={isBar}>
      {plan === null ? (
        <Button size="small" onPress={() => openLibraries(name)}>
          Search Libraries for {name}
        </Button>
      ) : (
        <>
          <Button size="small" onPress={() => void orNotice(loadLibrary(name, asked))}>
            {isInstalled(plan) && live ? `Load ${asked}` : `Install ${name}`}
          </Button>
          <Button size="small" kind="link" aria-label={`Details of ${name}`} onPress={() => openLibraries(name)}>
            Details
          </Button>
          {isInstalling ? <Installing work={work} /> : <Text tone={3}>{planWords(plan)}</Text>}
        </>
      )}
    </Offer>
  );
}

/** The offer to load a system of the project. */
function LoadOwn({ system, words, isBar }: { system: string; words: string; isBar: boolean }) {
  return (
    <Offer isBar={isBar}>
      <Button size="small" onPress={() => void orNotice(reloadSystem(system, null, ''))}>
        Load {system}
      </Button>
      <Text tone={3}>{words}</Text>
    </Offer>
  );
}

/** The progress of the offered work. The button before it stays, so that it does not lose the focus. */
function Installing({ work }: { work: LibraryWork }) {
  return (
    <>
      <Row as="span" gap="mark" tone={3}>
        <Ring />
        {workWords(work) || workTitle(work)}
      </Row>
      <Button
        size="small"
        kind="link"
        aria-label={`Cancel ${workTitle(work)}`}
        onPress={() => void orNotice(cancelWork())}
      >
        Cancel
      </Button>
    </>
  );
}

function Offer({ isBar, children }: { isBar: boolean; children: ReactNode }) {
  const place = isBar ? ({ padX: 3, fixed: true, edge: 'top' } as const) : {};
  return (
    <Row gap={2} wrap font="small" padY={1} {...place} role="group" aria-label="Missing library">
      {children}
    </Row>
  );
}
