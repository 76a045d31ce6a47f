/**
 * A table: the rows of a tree with columns below a header. To a screen reader each row is one item, named by its label. The columns are
 * only visual, so a narrow table can hide the least important ones.
 */
import { ArrowDown } from 'lucide-react';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { Row, Stack, Truncate } from '../layout.tsx';
import { look, type Look } from '../look.ts';
import { Tree, type TreeProps, type TreeRow } from '../panels/tree.tsx';
import { fittingColumns, type Sized } from './fitting.ts';
import styles from './table.module.css';

const ROW = 22;
/** The pixels that the columns cannot use: `--space-3` on both sides, the scrollbar, and the edge of a row. */
const BESIDE = 36;
/** The indentation of a row below its parent, in pixels. */
const INDENT = 16;

export interface Column<Item, Id extends string = string> extends Sized {
  readonly id: Id;
  readonly title: string;
  /** The maximum width of the column in pixels. If it is omitted, the column takes `share` of the remaining width. */
  readonly most?: number;
  readonly share?: number;
  /** The column has numbers, which are right-aligned. */
  readonly isNumber?: boolean;
  /** The tooltip of the header, explaining what sorting by the column does. */
  readonly meaning?: string;
  readonly cell: (row: Item) => ReactNode;
  readonly tone?: Look['tone'] | ((row: Item) => Look['tone']);
  /** The cells use the code font. */
  readonly isCode?: boolean;
}

interface Sort<Id extends string> {
  readonly label: string;
  readonly by: Id;
  readonly onSort: (id: Id) => void;
}

interface TableProps<Item extends TreeRow, Id extends string, Whole extends TreeRow> extends Omit<
  TreeProps<Item | Whole>,
  'rowSize' | 'render' | 'rowClass' | 'isNamedByContent'
> {
  /** The columns. The first one is the name: it is always shown, and truncated only if no other column is left to hide. */
  columns: readonly Column<Item, Id>[];
  /** Sorts the rows by the column whose header is pressed. The sorted column is the last to be hidden. */
  sort?: Sort<Id>;
  /** Rows without cells, which are drawn across all columns. */
  whole?: { readonly is: (row: Item | Whole) => row is Whole; readonly draw: (row: Whole) => ReactNode };
  /** Shown in place of the rows if there are none. */
  empty?: ReactNode;
}

export function Table<Item extends TreeRow, Id extends string = string, Whole extends TreeRow = never>({
  columns,
  sort,
  whole,
  empty = null,
  ...tree
}: TableProps<Item, Id, Whole>) {
  const { box, width } = useWidth();
  const shown = fittingColumns(
    columns.map((column) => (column.id === sort?.by ? { ...column, rank: 0 } : column)),
    width,
  );
  const grid = { gridTemplateColumns: shown.map(trackOf).join(' ') };
  return (
    <Stack grow ref={box} className={styles.table}>
      <Row fixed font="small" tone={3} edge="bottom" className={styles.head} aria-hidden={sort ? undefined : true}>
        <span className={styles.columns} style={grid} role={sort ? 'group' : undefined} aria-label={sort?.label}>
          {shown.map((column, index) => (
            <Head key={column.id} column={column} isName={index === 0} sort={sort} />
          ))}
        </span>
      </Row>
      {tree.rows.length === 0 ? (
        empty
      ) : (
        <Tree<Item | Whole>
          {...tree}
          rowSize={ROW}
          rowClass={() => styles.row ?? ''}
          isNamedByContent={shown.length < columns.length}
          render={(row) =>
            whole?.is(row) ? (
              whole.draw(row)
            ) : (
              <span className={styles.columns} style={grid}>
                {shown.map((column, index) => (
                  <Cell key={column.id} column={column} row={row as Item} isName={index === 0} />
                ))}
              </span>
            )
          }
        />
      )}
    </Stack>
  );
}

interface HeadProps<Id extends string> {
  column: Pick<Column<never, Id>, 'id' | 'title' | 'meaning' | 'isNumber'>;
  isName: boolean;
  sort: Sort<Id> | undefined;
}

function Head<Id extends string>({ column: { id, title, meaning, isNumber }, isName, sort }: HeadProps<Id>) {
  const side = isNumber ? styles.number : undefined;
  if (!sort) return <Truncate className={side}>{title}</Truncate>;
  const isChosen = sort.by === id;
  return (
    <button
      type="button"
      title={meaning}
      aria-pressed={isChosen}
      className={look({ lines: 'one', tone: isChosen ? 1 : 3 }, side, styles.sorts)}
      onClick={() => sort.onSort(id)}
    >
      {title}
      {isChosen && !isName ? <ArrowDown className="icon-tiny" aria-hidden /> : null}
    </button>
  );
}

interface CellProps<Item> {
  column: Column<Item>;
  row: Item;
  isName: boolean;
}

function Cell<Item extends TreeRow>({ column: { cell, tone, isCode, isNumber }, row, isName }: CellProps<Item>) {
  return (
    <>
      {isName ? null : ' '}
      <Truncate
        font={isCode ? 'code' : isName ? 'base' : 'small'}
        tone={(typeof tone === 'function' ? tone(row) : tone) ?? (isName ? 1 : 2)}
        className={isNumber ? styles.number : undefined}
        style={isName && row.level > 1 ? { paddingLeft: (row.level - 1) * INDENT } : undefined}
      >
        {cell(row)}
      </Truncate>
    </>
  );
}

/** Returns the grid track of a column. Only the first column, the name, can be narrower than its minimum width. */
function trackOf({ least, most, share = 1 }: Pick<Column<never>, 'least' | 'most' | 'share'>, index: number): string {
  const widest = most === undefined ? `${share}fr` : `${most}px`;
  return `minmax(${index === 0 ? 0 : least}px, ${widest})`;
}

/** Returns the width available to the columns of a table; infinite until the table is drawn. */
function useWidth() {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(Infinity);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const measure = (): void => setWidth(element.clientWidth - BESIDE);
    measure();
    const sizes = new ResizeObserver(measure);
    sizes.observe(element);
    return () => sizes.disconnect();
  }, []);
  return { box, width };
}
