/** Lists of items that have source locations: a section with its count, and rows that go to the locations. */
import type { ReactNode } from 'react';
import { Button } from 'react-aria-components';
import type { DefinitionSource } from '#contract/image/definition.ts';
import { plural } from '#contract/text/text.ts';
import { fileName } from '../../base/text/paths.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { Row, Stack, Text, Truncate } from '../../ui/layout.tsx';
import { look } from '../../ui/look.ts';
import { revealSource } from './reveal-source.ts';
import styles from './source-places.module.css';

/** `of`: the owner of the items, needed if another part of the window may have a section with the same title. */
export function Section({
  title,
  of,
  count,
  children,
}: {
  title: string;
  of?: string;
  count: number;
  children: ReactNode;
}) {
  const named = of === undefined ? title : `${title} of ${of}`;
  return (
    <Stack as="section" gap={1} aria-label={`${named}: ${plural(count, 'entry', 'entries')}`}>
      <Row as="h3" gap={2} font="small-strong" tone={2}>
        {title} <Text tone={3}>{count.toLocaleString('en')}</Text>
      </Row>
      <ul className={styles.list}>{children}</ul>
    </Stack>
  );
}

export function PlaceRow({ name, source }: { name: string; source: DefinitionSource | null }) {
  return (
    <li>
      <Button
        isDisabled={source === null}
        className={look({ flow: 'row', gap: 2, list: true }, styles.row)}
        onPress={() => (source === null ? undefined : void orNotice(revealSource(source)))}
      >
        <Truncate grow tone={1} className="code">
          {name}
        </Truncate>
        <Text fixed font="small" tone={3}>
          {source === null ? '' : placeText(source)}
        </Text>
      </Button>
    </li>
  );
}

export function placeText({ file, line }: DefinitionSource): string {
  const title = fileName(file);
  return line === null ? title : `${title}:${line}`;
}
