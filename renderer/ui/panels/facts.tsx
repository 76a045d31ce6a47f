/** Facts by name: a list of terms, each beside its value. */
import type { ReactNode } from 'react';
import { classes } from '../look.ts';
import styles from './facts.module.css';

/** `className` may set other columns. */
export function Facts({ className, children }: { className?: string | undefined; children: ReactNode }) {
  return <dl className={classes(styles.facts, className)}>{children}</dl>;
}
