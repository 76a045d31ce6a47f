/** The bar above a surface: tabs on the left, buttons on the right. */
import type { ReactNode } from 'react';
import { Row, Text } from '../layout.tsx';
import styles from './toolbar.module.css';

export function Toolbar({ children }: { children: ReactNode }) {
  return (
    <Row align="stretch" fixed surface={1} edge="bottom" className={styles.bar}>
      {children}
    </Row>
  );
}

export function ToolbarActions({ children }: { children: ReactNode }) {
  return (
    <Row gap={1} padX={2} fixed end>
      {children}
    </Row>
  );
}

/** A line between two groups in a toolbar. */
export function Divider({ className }: { className?: string | undefined }) {
  return <Text fixed className={className === undefined ? styles.divider : `${styles.divider} ${className}`} />;
}
