import { beforeEach, describe, expect, it } from 'vitest';
import { FIRST_REPL } from '#contract/image/shared-image.ts';
import { draftOf, dropDraft, editDraftOf, replHistory, restoreDrafts, setDraft, takeDraft } from './input-store.ts';

beforeEach(() => {
  restoreDrafts(new Map());
  editDraftOf(FIRST_REPL);
  setDraft('');
});

describe('drafts of REPLs', () => {
  it('Each REPL keeps the draft that was typed in it', () => {
    setDraft('(first');
    editDraftOf('second');
    expect(draftOf('second')).toBe('');
    setDraft('(second');
    editDraftOf(FIRST_REPL);
    expect([draftOf(FIRST_REPL), draftOf('second')]).toEqual(['(first', '(second']);
  });

  it('The draft of a REPL that is closed is found in the history', () => {
    editDraftOf('second');
    setDraft('(half a form');
    editDraftOf(FIRST_REPL);
    dropDraft('second');
    expect(replHistory().at(-1)).toBe('(half a form');
    expect(draftOf('second')).toBe('');
  });

  it('REPLs share the history of what was typed', () => {
    editDraftOf('second');
    setDraft('(typed in the second)');
    takeDraft();
    editDraftOf(FIRST_REPL);
    expect(replHistory().at(-1)).toBe('(typed in the second)');
  });
});
