/** Where libraries come from: the tool of the project, and the dists with their versions. */
import { ChevronRight, CircleX } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import type { LibrariesOverview, LibraryDist, ProjectLibraries } from '#contract/libraries.ts';
import { call } from '../../base/bridge.ts';
import { openOverlay } from '../../base/layout/overlays.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { Button } from '../../ui/button.tsx';
import { Row, Stack, Text, Truncate } from '../../ui/layout.tsx';
import { classes, look } from '../../ui/look.ts';
import { addDist, runTool, setUpQuicklisp } from './actions.ts';
import { distCounts, distsWords, toolWords } from './descriptions.ts';
import { useLibraries } from './libraries-store.ts';
import buttonStyles from '../../ui/button.module.css';

/** The addresses that explain how to install the programs of library tools. */
const HOMES = { qlot: 'https://qlot.tech', ocicl: 'https://github.com/ocicl/ocicl' } as const;

/** The head of the panel: the source of the project's libraries, with the actions of its tool. */
export function ProjectTool({ overview: { project, dists } }: { overview: LibrariesOverview }) {
  if (project === null || project.kind === 'quicklisp')
    return dists.length === 0 ? null : (
      <Truncate as="p" font="small" tone={2} padX={3} padY={1} fixed title={distsWords(dists)}>
        From {distsWords(dists)}
      </Truncate>
    );
  return (
    <Stack gap={1} padX={3} padY={1} fixed font="small" tone={2} role="group" aria-label="Libraries of the project">
      <span title={project.path}>
        The project’s libraries come from <Text tone={1}>{toolWords(project)}</Text>.
      </span>
      {project.program === null ? <HowToGet kind={project.kind} /> : <ToolActions project={project} />}
    </Stack>
  );
}

function ToolActions({ project }: { project: ProjectLibraries }) {
  return (
    <Row gap={2} wrap>
      <Button size="small" onPress={() => void runTool(project, 'install')}>
        Install Locked
      </Button>
      <Button size="small" onPress={() => void runTool(project, 'update')}>
        Update
      </Button>
    </Row>
  );
}

function HowToGet({ kind }: { kind: keyof typeof HOMES }) {
  const address = HOMES[kind];
  return (
    <Text breaks>
      Its program was not found. To install or update them, install {kind}:{' '}
      <Button kind="link" size="small" onPress={() => void orNotice(call('app.openAddress', { address }))}>
        {address}
      </Button>
    </Text>
  );
}

/** The dists, folded unless the person opens them, and the addresses in the settings that are not used yet. */
export function Dists() {
  const overview = useLibraries((state) => state.overview);
  const [isOpen, setOpen] = useState(false);
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isOpen) section.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  if (!overview) return null;
  const { dists, unsubscribed } = overview;
  const opened = isOpen || dists.length === 0;
  return (
    <Stack as="section" ref={section} gap={2} padY={1} padX={3} font="small" edge="top" aria-label="Dists">
      <AriaButton
        className={look(
          { flow: 'row', gap: 1, font: 'small-strong', tone: 2, round: 'inline' },
          buttonStyles.disclosure,
        )}
        aria-expanded={opened}
        onPress={() => setOpen(!opened)}
      >
        <ChevronRight className={classes('icon-tiny', opened ? 'turned' : undefined)} aria-hidden />
        Dists
      </AriaButton>
      {opened ? (
        <>
          {dists.map((dist) => (
            <Dist key={dist.name} dist={dist} />
          ))}
          {overview.hasClient ? null : (
            <Row gap={2} wrap>
              <span>
                <span className="code">ql:quickload</span> needs Quicklisp’s client.
              </span>
              <Button size="small" onPress={() => void setUpQuicklisp()}>
                Set Up Quicklisp
              </Button>
            </Row>
          )}
          {unsubscribed.map((address) => (
            <Row key={address} gap={2}>
              <Truncate grow title={address}>
                {address}
              </Truncate>
              <Button size="small" aria-label={`Add ${address}`} onPress={() => void addDist(address)}>
                Add
              </Button>
            </Row>
          ))}
        </>
      ) : null}
    </Stack>
  );
}

function Dist({ dist }: { dist: LibraryDist }) {
  const { name, version, address, hasVersions } = dist;
  return (
    <Stack gap={1} role="group" aria-label={name}>
      <Text tone={1} breaks selectable>
        {name} {version}
      </Text>
      <Text tone={2}>{distCounts(dist)}</Text>
      <Row gap={2} wrap>
        {address === null ? (
          <Text tone={3}>It is never updated.</Text>
        ) : (
          <Button size="small" onPress={() => openOverlay({ kind: 'update-dist', dist: name, version: null })}>
            Check for Update…
          </Button>
        )}
        {hasVersions ? (
          <Button size="small" onPress={() => openOverlay({ kind: 'dist-versions', dist: name })}>
            Other Version…
          </Button>
        ) : null}
      </Row>
    </Stack>
  );
}

/** The reason why the dists could not be read. */
export function Problem({ text }: { text: string }) {
  return (
    <Row as="p" align="start" gap="mark" padX={3} padY={2} fixed font="small" tone={1} breaks selectable role="status">
      <CircleX className="icon-small error-mark" aria-hidden />
      <span>{text}</span>
    </Row>
  );
}
