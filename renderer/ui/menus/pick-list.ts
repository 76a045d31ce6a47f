/** The appearance of a pick list in a dialog, and of its rows, which react to the pointer and to the arrow keys. */
import { look } from '../look.ts';
import styles from './pick-list.module.css';

export const pickList = look({ flow: 'stack' }, styles.list);
export const pickRow = look({ flow: 'row', gap: 2, padX: 2, round: 'inline' }, styles.row);
