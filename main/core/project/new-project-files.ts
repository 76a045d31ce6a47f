/** The files of a new project, in the usual style of Lisp programmers. Pure. */
import type { NewProject } from '#contract/new-project.ts';

export interface ProjectFile {
  /** Relative to the project's folder, with slashes. */
  readonly path: string;
  readonly text: string;
}

export type ProjectText = Omit<NewProject, 'place'>;

/** Returns the path of the file that the person edits first. */
export function sourceOf(name: string): string {
  return `src/${name}.lisp`;
}

export function filesOf(project: ProjectText): ProjectFile[] {
  const { name, tests } = project;
  const files = [
    { path: `${name}.asd`, text: definitionOf(project) },
    { path: 'src/package.lisp', text: packageOf(name, ['cl']) },
    { path: sourceOf(name), text: `(in-package #:${name})\n\n` },
    { path: 'README.md', text: readmeOf(project) },
    { path: '.gitignore', text: '*.fasl\n' },
  ];
  if (tests === 'none') return files;
  return [
    ...files,
    { path: 'tests/package.lisp', text: packageOf(`${name}/tests`, ['cl', tests === 'rt' ? 'sb-rt' : tests, name]) },
    { path: `tests/${name}.lisp`, text: testsOf(name, tests) },
  ];
}

function packageOf(name: string, used: readonly string[]): string {
  return `(defpackage #:${name}\n  (:use ${used.map((each) => `#:${each}`).join(' ')}))\n`;
}

function definitionOf({ name, description, author, license, tests }: ProjectText): string {
  const main = [
    ...option('description', description),
    ...option('author', author),
    ...option('license', license),
    '  :version "0.1.0"',
    ...partOf(name, 'src/'),
    ...(tests === 'none' ? [] : [`  :in-order-to ((test-op (test-op "${name}/tests")))`]),
  ];
  const definitions = [`(defsystem "${name}"\n${main.join('\n')})\n`];
  if (tests !== 'none') {
    const own = [
      `  :depends-on ("${name}" "${tests === 'rt' ? 'sb-rt' : tests}")`,
      ...partOf(name, 'tests/'),
      `  :perform (test-op (o c) (symbol-call :${name}/tests '#:run-tests)))`,
    ];
    definitions.push(`(defsystem "${name}/tests"\n${own.join('\n')}\n`);
  }
  return definitions.join('\n');
}

function partOf(name: string, folder: string): string[] {
  return [
    `  :pathname "${folder}"`,
    '  :serial t',
    '  :components ((:file "package")',
    `               (:file "${name}"))`,
  ];
}

function option(keyword: string, value: string): string[] {
  return value === '' ? [] : [`  :${keyword} ${quoted(value)}`];
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

function testsOf(name: string, tests: 'fiveam' | 'rt'): string {
  const test =
    tests === 'rt'
      ? `(deftest loads\n  (package-name '#:${name})\n  ${quoted(name.toUpperCase())})`
      : `(def-suite ${name})\n(in-suite ${name})\n\n(test loads\n  (is (find-package '#:${name})))`;
  const all = tests === 'rt' ? '(do-tests)' : `(run! '${name})`;
  const run = `(defun run-tests ()\n  (unless ${all}\n    (error "Tests of ${name} failed.")))`;
  return `(in-package #:${name}/tests)\n\n${test}\n\n${run}\n`;
}

function readmeOf({ name, description, author, license, tests }: ProjectText): string {
  const forms = [`(asdf:load-system "${name}")`, ...(tests === 'none' ? [] : [`(asdf:test-system "${name}")`])];
  const about = [author === '' ? '' : `Author: ${author}`, license === '' ? '' : `License: ${license}`];
  const parts = [`# ${name}`, description, `\`\`\`lisp\n${forms.join('\n')}\n\`\`\``, ...about];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}
