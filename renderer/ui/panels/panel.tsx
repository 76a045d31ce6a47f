/** The regions of the window: landmarks through which F6 cycles. Panels on the left are regions with a header. */
import type { ReactNode } from 'react';
import { Row, Stack, Text } from '../layout.tsx';
import { classes, type Look } from '../look.ts';
import styles from './panel.module.css';

interface RegionProps extends Look {
  readonly name: string;
  readonly className?: string | undefined;
  /** True if the region opens files that are dropped from a file manager (`main/shell/window/dropped-files.ts`). */
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

/** `actions` contains the buttons beside the panel's title. */
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
