/**
 * The facts of the selected system, and its tests. Facts from the system's text are shown at once, facts from its definition only when the
 * definition may run.
 */
import { CircleX } from 'lucide-react';
import type { SystemDescription, SystemRecord } from '#contract/image/system.ts';
import { Ring } from '../../ui/mark.tsx';
import { CancelRun } from './progress.tsx';
import { isRunning, useRuns } from './runs-store.ts';
import { Tests } from './system-tests.tsx';
import { COMPONENT_STATES, systemFacts } from './descriptions.ts';
import { Row, Stack, Text } from '../../ui/layout.tsx';
import { classes } from '../../ui/look.ts';
import { Facts } from '../../ui/panels/facts.tsx';
import styles from './panel.module.css';

const COMPONENTS = 200;

export function Details({ system }: { system: SystemRecord }) {
  const { description, test } = useRuns(system.name);
  const problem = description?.problem ?? problemOf(description?.result ?? null);
  return (
    <Stack
      as="section"
      gap={2}
      padY={2}
      padX={3}
      font="small"
      edge="top"
      selectable
      aria-label={`Details of ${system.name}`}
    >
      <Text as="h3" tone={1} className="code">
        {system.name}
      </Text>
      <Text as="p" tone={2}>
        {systemFacts(system)}
      </Text>
      {system.file ? <p className={classes('code', styles.file)}>{system.file}</p> : null}
      {system.broken === null ? null : <Problem text={system.broken} />}
      {isRunning(description) ? (
        <Row as="p" gap="mark" tone={3} breaks className={styles.waits}>
          <Ring />
          <span>Reading its definition</span>
          <CancelRun evaluation={description.evaluation} label={`Cancel reading ${system.name}`} />
        </Row>
      ) : null}
      {problem === null ? null : <Problem text={problem} />}
      {description?.result && description.result.problem === null ? <Described {...description.result} /> : null}
      {test ? <Tests system={system.name} run={test} /> : null}
    </Stack>
  );
}

function problemOf(description: SystemDescription | null): string | null {
  return description?.problem ? `${description.problem.type}: ${description.problem.message}` : null;
}

function Problem({ text }: { text: string }) {
  return (
    <Row as="p" align="start" gap="mark" breaks className={styles.problem}>
      <CircleX className="icon-small error-mark" aria-hidden />
      <span>{text}</span>
    </Row>
  );
}

function Described({ components, moreComponents, ...description }: SystemDescription) {
  const { dependsOn, weaklyDependsOn, defsystemDependsOn, dependents } = description;
  const left = Math.max(0, components.length - COMPONENTS) + moreComponents;
  return (
    <>
      {description.description ? <p>{description.description}</p> : null}
      <Facts className={styles.facts}>
        <Fact name="Author" value={description.author} />
        <Fact name="License" value={description.license} />
        <Fact name="Home" value={description.homepage} />
        <Fact code name="Needs" value={[...defsystemDependsOn, ...dependsOn].join(', ')} />
        <Fact code name="Uses if present" value={weaklyDependsOn.join(', ')} />
        <Fact code name="Needed by" value={dependents.join(', ')} />
      </Facts>
      {components.length === 0 ? null : (
        <ul className={styles.components} aria-label="Components">
          {components.slice(0, COMPONENTS).map(({ name, kind, depth, state }, index) => (
            // Two modules may contain files of the same name, so only the position identifies them.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index} className="code" style={{ paddingLeft: `calc(${depth} * var(--space-4))` }}>
              {kind === 'module' ? `${name}/` : name}
              {state === null || state === 'loaded' ? null : (
                <Text font="small" tone={state === 'failed' ? 'error' : 3}>
                  {' '}
                  {COMPONENT_STATES[state]}
                </Text>
              )}
            </li>
          ))}
          {left > 0 ? <li>and {left} more</li> : null}
        </ul>
      )}
    </>
  );
}

function Fact({ name, value, code = false }: { name: string; value: string | null; code?: boolean }) {
  if (value === null || value === '') return null;
  return (
    <>
      <dt>{name}</dt>
      <dd className={code ? 'code' : ''}>{value}</dd>
    </>
  );
}
