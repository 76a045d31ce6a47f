import { describe, expect, it } from 'vitest';
import type { EvaluationReport } from '#contract/image/evaluation.ts';
import { transcriptScript, transcriptText } from './transcript-text.ts';
import type { Entry } from '../../../base/image/transcript.ts';

const report = (more: Partial<EvaluationReport>): EvaluationReport => ({
  evaluation: 'e',
  status: 'ok',
  values: [],
  warnings: [],
  condition: null,
  package: 'CL-USER',
  formCount: 1,
  timing: { realMs: 1, runMs: 1, gcMs: 0, bytesConsed: 0 },
  outputCut: 0,
  effects: [],
  effectsMore: 0,
  ...more,
});
const value = (text: string, cut = 0) => ({ text, type: 'T', cut, handle: null });
const entry = (evaluation: string, code: string, more: Partial<Entry>): Entry => ({
  evaluation,
  agent: null,
  origin: 'repl',
  code,
  package: 'CL-USER',
  at: 0,
  place: null,
  report: report({}),
  ...more,
});
const failed = { type: 'ERROR', message: 'No.', frames: [], phase: 'evaluation' as const, offset: null };
const entries: Entry[] = [
  entry('1', '(defun f ()\n  1)', { report: report({ values: [value('F')] }) }),
  entry('2', '(print 1)', { report: report({ values: [value('1'), value('(1 2', 9)] }) }),
  entry('3', '(oops)', { report: report({ status: 'error', condition: failed }) }),
  entry('4', '(g)', {
    agent: { actor: { id: 'client:c', kind: 'client', name: 'codex' }, tool: 'evaluate-lisp' },
    package: 'SHOP',
    report: report({ package: 'SHOP', values: [value('"a\nb"')] }),
  }),
  entry('5', ',help', { report: null, note: ',help  Lists' }),
  entry('6', '(loop)', { report: null }),
  entry('7', '; compile a.lisp', { origin: 'editor', compiles: true }),
  entry('8', '; compile b.lisp', { origin: 'editor', compiles: true, isUnread: true }),
];
const outputs = new Map([['2', { chunks: [{ stream: 'stdout' as const, text: '\n1 ' }], length: 3, dropped: 7 }]]);

describe('transcript', () => {
  it('The transcript reads as it stands in the window [D5]', () => {
    expect(transcriptText(entries, outputs)).toBe(
      [
        'CL-USER> (defun f ()\n           1)\n=> F',
        'CL-USER> (print 1)\n; 7 earlier characters are not shown\n1 \n=> 1, (1 2 … 9 more characters',
        'CL-USER> (oops)\n; ERROR: No.',
        '; codex, evaluate-lisp\nSHOP> (g)\n=> "a\nb"',
        'CL-USER> ,help\n,help  Lists',
        'CL-USER> (loop)\n; not ended',
        'CL-USER> ; compile a.lisp\n; Compiled',
        'CL-USER> ; compile b.lisp\n; Not loaded: the text could not be read to its end',
      ].join('\n\n'),
    );
  });

  it('As a Lisp file it has what succeeded, in its package, with values as comments [D5]', () => {
    expect(transcriptScript(entries)).toBe(
      [
        '(in-package "CL-USER")',
        '(defun f ()\n  1)\n; => F',
        '(print 1)\n; => 1\n; => (1 2',
        '(in-package "SHOP")',
        ';; codex\n(g)\n; => "a\n;    b"',
        '(in-package "CL-USER")',
        '; compile a.lisp',
        '; compile b.lisp',
        '',
      ]
        .join('\n\n')
        .replace(/\n\n$/, '\n'),
    );
  });
});
