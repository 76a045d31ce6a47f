/** The regions of the window: landmarks that F6 cycles through, and the panels on the left, which are regions with a header. */
import type { ReactNode } from 'react';
import { Row, Stack, Text } from '../layout.tsx';
import { classes, type Look } from '../look.ts';
import styles from './panel.module.css';

interface RegionProps extends Look {
  readonly name: string;
  readonly className?: string | undefined;
  /** True if files dropped from a file manager are opened (`main/shell/window/dropped-files.ts`). */
  readonly takesFiles?: boolean;
  readonly children: ReactNode;
}

export function Region({ name, className, takesFiles = false, children, ...own }: RegionProps) {
  return (
    <Stack
      as="section"
      grow
      surface={2}
      {...own}
      className={classes(styles.region, className)}
      aria-label={name}
      data-region={name}
      data-takes-files={takesFiles || undefined}
    >
      {children}
    </Stack>
  );
}

/** `actions`: the buttons beside its title. */
export function Panel({ name, actions, children }: { name: string; actions: ReactNode; children: ReactNode }) {
  return (
    <Region name={name} surface={1}>
      <Row as="header" fixed className={styles.head}>
        <Text as="h2" font="small-strong" tone={1}>
          {name}
        </Text>
        {actions}
      </Row>
      {children}
    </Region>
  );
}
