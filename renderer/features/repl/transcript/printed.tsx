/** The output of an evaluation: all of it, or its beginning and end with a link to the rest. */
import { useEffect, useState } from 'react';
import type { TranscriptStream } from '#contract/image/evaluation.ts';
import { call } from '../../../base/bridge.ts';
import { lastOf, type OutputBuffer } from '../../../base/text/output.ts';
import { openPrinted } from '../../../editor/text/whole-text.ts';
import { orNotice } from '../../../base/notices/notices.tsx';
import { writtenOver } from './carriage-returns.ts';
import { colouredPieces, type ColouredPiece, type PrintedTone } from './colours.ts';
import { entryName, type Entry } from '../../../base/image/transcript.ts';
import { Button } from '../../../ui/button.tsx';
import { Row, Text } from '../../../ui/layout.tsx';
import { look } from '../../../ui/look.ts';

/** The maximum number of characters shown from the beginning of the output, up to a line end. */
const HEAD = 2_000;
/**
 * The maximum number of characters shown from the end of the output while more may arrive. It is small, because all of them are laid out
 * again with each piece.
 */
const LIVE = 8_000;

/** `cut` is the number of characters at the end that the image counted and did not send. */
export function Printed({ entry, buffer: kept, cut }: { entry: Entry; buffer: OutputBuffer; cut: number }) {
  const buffer = entry.report === null ? lastOf(kept, LIVE) : kept;
  const left = buffer.dropped > 0;
  const { head, problem } = useHead(entry, left);
  if (buffer.chunks.length === 0 && buffer.dropped + cut === 0) return null;
  const last = buffer.chunks.length - 1;
  const between = buffer.dropped - head.length;
  return (
    <>
      {head === '' ? null : (
        <Text as="pre" tone={2} breaks lines="wrap" className="code">
          <Coloured pieces={colouredPieces(head.replace(/^\n/, '').replace(/\n$/, '')).pieces} />
        </Text>
      )}
      {left && between > 0 ? (
        <Row gap={2} font="small" tone={3} wrap>
          {head === '' ? (
            <span>{buffer.dropped.toLocaleString('en')} characters not shown</span>
          ) : (
            <>
              <span>{between.toLocaleString('en')} characters are not shown here</span>
              <Button
                size="small"
                kind="link"
                onPress={() => void orNotice(openPrinted(entry.evaluation, `Output of ${entryName(entry)}`))}
              >
                Open full text
              </Button>
            </>
          )}
          {problem === null ? null : <span>{problem}</span>}
        </Row>
      ) : null}
      <Text as="pre" tone={2} breaks lines="wrap" className="code">
        {inColour(
          writtenOver(buffer.chunks.map(({ text }, index) => trimmed(text, index === 0 && !left, index === last))),
        ).map((pieces, index) => (
          // Chunks are identified only by their order.
          // oxlint-disable-next-line react/no-array-index-key
          <span key={index} className={toneOf(buffer.chunks[index]!.stream)}>
            <Coloured pieces={pieces} />
          </span>
        ))}
      </Text>
      {cut > 0 ? (
        <Row font="small" tone={3}>
          {entry.agent
            ? `${cut.toLocaleString('en')} characters not shown`
            : `${cut.toLocaleString('en')} more characters were printed but not stored`}
        </Row>
      ) : null}
    </>
  );
}

/** Returns the coloured pieces of each text. A colour stays in effect until it is changed, even across texts. */
function inColour(texts: readonly string[]): (readonly ColouredPiece[])[] {
  let tone: PrintedTone | null = null;
  return texts.map((text) => {
    const { pieces, after } = colouredPieces(text, tone);
    tone = after;
    return pieces;
  });
}

function Coloured({ pieces }: { pieces: readonly ColouredPiece[] }) {
  return pieces.map(({ text, tone }, index) => (
    // Pieces are identified only by their order. Each piece is in its own element, because hidden characters are not made visible in plain
    // text that a component returns.
    // oxlint-disable-next-line react/no-array-index-key
    <span key={index} className={tone === null ? undefined : look({ tone })}>
      {text}
    </span>
  ));
}

/** Gives the person's answers a different style from the prompts before them. */
function toneOf(stream: TranscriptStream): string | undefined {
  if (stream === 'stderr') return look({ tone: 'cautious' });
  return stream === 'input' ? look({ tone: 1 }) : undefined;
}

/** Returns the beginning of an output if the page has only its end. The image stores the full output only for the person's evaluations. */
function useHead({ evaluation, agent }: Entry, left: boolean): { head: string; problem: string | null } {
  const [found, setFound] = useState<{ head: string; problem: string | null }>({ head: '', problem: null });
  const wanted = left && agent === null;
  useEffect(() => {
    if (!wanted) return undefined;
    let gone = false;
    call('output.part', { evaluation, part: 0 }).then(
      ({ printed, problem }) => {
        if (gone) return;
        const text = printed?.text.slice(0, HEAD) ?? '';
        const eol = text.lastIndexOf('\n');
        setFound({ head: eol > 0 ? text.slice(0, eol + 1) : text, problem });
      },
      () => {},
    );
    return () => {
      gone = true;
    };
  }, [wanted, evaluation]);
  return found;
}

/**
 * Returns output without the line break at its beginning, which PRINT writes, and without the line break at its end. Both would appear as
 * empty lines here.
 */
function trimmed(text: string, first: boolean, last: boolean): string {
  const begun = first ? text.replace(/^\n/, '') : text;
  return last ? begun.replace(/\n$/, '') : begun;
}
