/** The selected library: the actions on it, its facts, and the releases that its installation needs. */
import { CircleX, PackageCheck } from 'lucide-react';
import type { FoundLibrary, InstallPlan } from '#contract/libraries.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { useMirror } from '../../base/mirror.ts';
import { Button } from '../../ui/button.tsx';
import { Row, Stack, Text, Truncate } from '../../ui/layout.tsx';
import { look } from '../../ui/look.ts';
import { Facts } from '../../ui/panels/facts.tsx';
import { sizeOf } from '../../ui/panels/sizes.ts';
import { installLibraries, loadLibrary } from './actions.ts';
import { addToProject } from './adding.ts';
import { isInstalled, isProvided, planWords } from './descriptions.ts';
import type { PlanAnswer } from './libraries-store.ts';
import styles from './panel.module.css';

export function LibraryActions({ name, plan: answer }: { name: string | null; plan: PlanAnswer }) {
  const live = useMirror((state) => state.session.pid !== null && state.session.state !== 'gone');
  const hasProject = useMirror((state) => state.project !== null);
  const plan = answer && 'plan' in answer ? answer.plan : null;
  const isFound = name !== null && plan !== null && isProvided(plan, name);
  const label = (title: string): { 'aria-label'?: string } =>
    name === null ? {} : { 'aria-label': `${title} ${name}` };
  const act = (action: (library: string) => Promise<unknown>) => () =>
    name === null ? undefined : void orNotice(action(name));
  return (
    <Row gap={2} padY={2} padX={3} fixed edge="top" wrap>
      <Button
        size="small"
        isDisabled={!isFound || isInstalled(plan)}
        {...label('Install')}
        onPress={act((library) => installLibraries([library]))}
      >
        Install
      </Button>
      <Button
        size="small"
        isDisabled={!isFound || !live}
        {...label('Load')}
        onPress={act((library) => loadLibrary(library))}
      >
        Load
      </Button>
      <Button
        size="small"
        isDisabled={name === null || !hasProject}
        {...label('Add to project:')}
        onPress={act(addToProject)}
      >
        Add to Project…
      </Button>
    </Row>
  );
}

interface LibraryDetailsProps {
  name: string;
  /** The library in the list; null if the list does not contain it. */
  library: FoundLibrary | null;
  answer: PlanAnswer;
}

export function LibraryDetails({ name, library, answer }: LibraryDetailsProps) {
  const plan = answer && 'plan' in answer ? answer.plan : null;
  const own = plan?.releases.at(-1) ?? null;
  const licence = library?.licence ?? own?.licence ?? null;
  const dist = library?.dist ?? own?.dist ?? null;
  return (
    <Stack as="section" gap={2} padY={2} padX={3} font="small" edge="top" selectable aria-label={`Details of ${name}`}>
      <h3 className={look({ tone: 1 }, 'code', styles.name)}>{name}</h3>
      {library?.description == null ? null : <p>{library.description}</p>}
      <Facts>
        <Fact name="Dist" value={own && dist === own.dist ? `${own.dist} ${own.version}` : dist} />
        <Fact name="Release" value={library?.release ?? own?.release ?? null} isCode />
        <Fact name="Licence" value={licence} />
        <Fact name="Needed by" value={plan ? plan.neededBy.join(', ') : null} isCode />
      </Facts>
      {answer === null ? (
        <Text as="p" tone={3}>
          Finding what it needs…
        </Text>
      ) : plan === null ? (
        <Text as="p" tone={1} breaks>
          {'problem' in answer ? answer.problem : ''}
        </Text>
      ) : isProvided(plan, name) ? (
        <Plan name={name} plan={plan} />
      ) : (
        <Text as="p" tone={1}>
          No dist has this library.
        </Text>
      )}
    </Stack>
  );
}

function Plan({ name, plan }: { name: string; plan: InstallPlan }) {
  return (
    <>
      <p>
        <span className="code">{name}</span>: {planWords(plan)}
      </p>
      {plan.missing.length === 0 ? null : (
        <Row as="p" align="start" gap="mark" breaks>
          <CircleX className="icon-small error-mark" aria-hidden />
          <span>
            No dist has <span className="code">{plan.missing.join(', ')}</span>. The image may have{' '}
            {plan.missing.length === 1 ? 'it' : 'them'}.
          </span>
        </Row>
      )}
      <ul className={styles.releases} aria-label={`Releases that ${name} needs`}>
        {plan.releases.toReversed().map(({ dist, project, release, size, installed }) => (
          <li key={`${dist} ${project}`}>
            <Truncate className="code" title={release}>
              {project}
            </Truncate>{' '}
            <Text tone={3} end>
              {sizeOf(size)}
            </Text>{' '}
            {installed ? (
              <PackageCheck className={look({ tone: 2 }, 'icon-small')} aria-label="installed" />
            ) : (
              <Text fixed className={styles.blank} />
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

function Fact({ name, value, isCode = false }: { name: string; value: string | null; isCode?: boolean }) {
  if (value === null || value === '') return null;
  return (
    <>
      <dt>{name}</dt>
      <dd className={isCode ? 'code' : ''}>{value}</dd>
    </>
  );
}
