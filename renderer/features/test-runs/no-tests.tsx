/** The Tests panel without a test: the reason, and the possible actions. */
import { useEffect } from 'react';
import { useMirror } from '../../base/mirror.ts';
import { runCommand } from '../../base/keys/command-registry.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { useTests } from './store.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/panels/empty.tsx';
import { Row } from '../../ui/layout.tsx';
import { loadSystem } from '../systems/loading.ts';
import { refreshSystems, useSystems } from '../systems/systems-store.ts';

/** The maximum number of systems that are offered for loading. */
const OFFERED = 5;

const TITLES: Readonly<Record<string, string>> = {
  fiveam: 'FiveAM',
  fiasco: 'Fiasco',
  parachute: 'Parachute',
  rove: 'Rove',
  'lisp-unit2': 'lisp-unit2',
  rt: 'RT',
  'sb-rt': 'RT',
};

export function NoTests({ isAsking }: { isAsking: boolean }) {
  const pid = useMirror(({ session }) => session.pid);
  const frameworks = useTests((state) => state.frameworks);
  const problem = useTests((state) => state.problem);
  if (pid === null)
    return (
      <Empty title="No image is running.">
        <p>Start an image and load the system that has your tests.</p>
        <Button size="small" onPress={() => runCommand('image.start')}>
          Start image
        </Button>
      </Empty>
    );
  if (problem !== null)
    return (
      <Empty title="The tests could not be listed.">
        <p>{problem}</p>
      </Empty>
    );
  if (isAsking) return <Empty title="Asking the image for its tests…" />;
  const [loaded] = frameworks;
  return (
    <Empty title={loaded === undefined ? 'No test framework is loaded.' : 'The image has no tests.'}>
      <p>
        {loaded === undefined
          ? 'Load the system that has your tests. Tests of FiveAM, Fiasco, Parachute, Rove, lisp-unit2 and RT are listed here.'
          : `${TITLES[loaded] ?? loaded} is loaded. Load the system that has your tests, or evaluate one.`}
      </p>
      <TestSystems />
    </Empty>
  );
}

/** The project's systems whose names suggest tests, with buttons that load them. */
function TestSystems() {
  const { systems } = useSystems();
  const loads = useMirror((state) => state.loads);
  useEffect(() => void refreshSystems(), []);
  const offered = (systems ?? []).filter(
    ({ name, origin, loaded }) => origin === 'project' && !loaded && /test|check|spec/.test(name),
  );
  const isLoading = loads.some(({ state }) => state === 'waiting' || state === 'loading');
  return (
    <Row gap={2} wrap>
      {offered.slice(0, OFFERED).map(({ name }) => (
        <Button key={name} size="small" isDisabled={isLoading} onPress={() => void orNotice(loadSystem(name))}>
          Load {name}
        </Button>
      ))}
      <Button size="small" kind="link" onPress={() => runCommand('view.systems')}>
        Show Systems
      </Button>
    </Row>
  );
}
