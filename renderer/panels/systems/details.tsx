/** What is known of the chosen system: from its text at once, from its definition when that may run, and its tests. */
import { CircleX } from 'lucide-react';
import type { SystemDescription, SystemRecord } from '#contract/system.ts';
import { Ring } from '../../ui/mark.tsx';
import { CancelRun } from './progress.tsx';
import { isRunning, useRuns } from './runs-store.ts';
import { Tests } from './tests.tsx';
import { systemFacts } from './words.ts';

const COMPONENTS = 200;

export function Details({ system }: { system: SystemRecord }) {
  const { description, test } = useRuns(system.name);
  const problem = description?.problem ?? problemOf(description?.result ?? null);
  return (
    <section className="system-details" aria-label={`Details of ${system.name}`} tabIndex={0}>
      <h3 className="code system-title">{system.name}</h3>
      <p className="system-facts">{systemFacts(system)}</p>
      {system.file ? <p className="code system-file">{system.file}</p> : null}
      {system.broken === null ? null : <Problem text={system.broken} />}
      {isRunning(description) ? (
        <p className="system-waits">
          <Ring />
          <span>Reading its definition</span>
          <CancelRun evaluation={description.evaluation} label={`Cancel reading ${system.name}`} />
        </p>
      ) : null}
      {problem === null ? null : <Problem text={problem} />}
      {description?.result && description.result.problem === null ? <Described {...description.result} /> : null}
      {test ? <Tests system={system.name} run={test} /> : null}
    </section>
  );
}

function problemOf(description: SystemDescription | null): string | null {
  return description?.problem ? `${description.problem.type}: ${description.problem.message}` : null;
}

function Problem({ text }: { text: string }) {
  return (
    <p className="system-problem">
      <CircleX className="icon-small error-mark" aria-hidden />
      <span>{text}</span>
    </p>
  );
}

function Described({ components, moreComponents, ...description }: SystemDescription) {
  const { dependsOn, weaklyDependsOn, defsystemDependsOn, dependents } = description;
  const left = Math.max(0, components.length - COMPONENTS) + moreComponents;
  return (
    <>
      {description.description ? <p>{description.description}</p> : null}
      <dl className="system-list-of-facts">
        <Fact name="Author" value={description.author} />
        <Fact name="License" value={description.license} />
        <Fact name="Home" value={description.homepage} />
        <Fact code name="Needs" value={[...defsystemDependsOn, ...dependsOn].join(', ')} />
        <Fact code name="Uses if present" value={weaklyDependsOn.join(', ')} />
        <Fact code name="Needed by" value={dependents.join(', ')} />
      </dl>
      {components.length === 0 ? null : (
        <ul className="system-components" aria-label="Components">
          {components.slice(0, COMPONENTS).map(({ name, kind, depth }, index) => (
            // Two modules may hold files of one name: only the place tells them apart.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index} className="code" style={{ paddingLeft: `calc(${depth} * var(--space-4))` }}>
              {kind === 'module' ? `${name}/` : name}
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
