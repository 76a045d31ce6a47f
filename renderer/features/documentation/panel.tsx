/** The Documentation panel: all meanings of the name at the caret, its callers, and links to their sources. */
import type { DefinitionSource } from '#contract/image/definition.ts';
import { LongText } from '../../editor/groups/long-text.tsx';
import { useMirror } from '../../base/mirror.ts';
import { revealSource } from '../../editor/monaco/reveal-source.ts';
import { commandKeys } from '../../base/keys/command-registry.ts';
import { listReferencesOf, showName, useDocumented } from '../../base/image/documented.ts';
import { openHyperspec, standardSymbol } from '../../base/image/hyperspec.ts';
import { missingPackageWords } from '../../base/image/names.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { filledDocstring } from '../../sexp/reading/docstrings.ts';
import { shownPackage } from '../../sexp/packages.ts';
import { bareName } from '../../sexp/symbols.ts';
import { Button as UiButton } from '../../ui/button.tsx';
import { Empty } from '../../ui/panels/empty.tsx';
import { Keys } from '../../ui/menus/keys.tsx';
import { Box, Row, Stack, Text } from '../../ui/layout.tsx';
import { Region } from '../../ui/panels/panel.tsx';
import { MissingLibrary } from '../libraries/missing-library.tsx';
import { type Description, useDescription } from './use-description.ts';
import styles from './panel.module.css';
import { placeText, PlaceRow, Section } from '../../editor/monaco/source-places.tsx';

export function Documentation() {
  const name = useDocumented((state) => state.name);
  const description = useDescription(name);
  return (
    <Region name="Documentation" surface={1}>
      {name === null ? (
        <Empty title="No name at the caret.">
          <p>
            The documentation of the name at the caret appears here.{' '}
            <Keys keys={commandKeys('go.definition') ?? 'F12'} /> goes to its definition.
          </p>
        </Empty>
      ) : description === null ? null : (
        <Described description={description} />
      )}
    </Region>
  );
}

function Described({ description }: { description: Description }) {
  const { of, described, genericFunction, callers, moreCallers, isLive } = description;
  const shown = bareName(of.symbol).toLowerCase();
  const standard = standardSymbol(of.symbol, isLive || described.found ? described : null);
  return (
    <Stack gap={4} padX={4} padY={3} scroll selectable grow className={styles.body} tabIndex={0} aria-label={shown}>
      {described.meanings.length === 0 ? (
        <Unknown name={shown} standard={standard} description={description} />
      ) : (
        described.meanings.map((meaning, index) => (
          // Meanings are identified by their position: two methods may look the same, because their packages are not distinguished.
          // oxlint-disable-next-line react/no-array-index-key
          <Stack key={index} gap={1}>
            <Row align="baseline" gap={2} wrap>
              <Text as="h3" tone={1} className={index === 0 ? styles.name : 'code'}>
                {shown}
              </Text>
              <Text font="small" tone={3}>
                {meaning.kind} in {shownPackage(described.package)}
              </Text>
              {index === 0 && standard !== null ? <HyperspecLink symbol={standard} /> : null}
            </Row>
            {meaning.lambdaList === null ? null : (
              <Box tone={2} breaks className="code">
                <LongText text={called(shown, meaning.lambdaList)} title={`Lambda list of ${shown}`} />
              </Box>
            )}
            {meaning.value === null ? null : (
              <Box tone={2} breaks className="code">
                =&gt; <LongText text={meaning.value} title={`Value of ${shown}`} />
              </Box>
            )}
            {meaning.documentation === null ? null : (
              <Text as="p" tone={1} lines="wrap" breaks className={styles.text}>
                <LongText text={filledDocstring(meaning.documentation)} title={`Documentation of ${shown}`} />
              </Text>
            )}
            {meaning.source === null ? null : <Place source={meaning.source} />}
          </Stack>
        ))
      )}
      {genericFunction === null ? null : (
        <Section title="Methods" count={genericFunction.total}>
          {genericFunction.methods.map((method) => (
            <PlaceRow
              key={method.name}
              name={[...method.qualifiers, ...method.specializers].join(' ').toLowerCase()}
              source={method.source}
            />
          ))}
        </Section>
      )}
      {callers.length + moreCallers === 0 ? null : (
        <Section title="Called by" count={callers.length + moreCallers}>
          {callers.map(({ name, source }, index) => (
            // A place can only be identified by its position, because a function may call the name in several places.
            // oxlint-disable-next-line react/no-array-index-key
            <PlaceRow key={index} name={name.toLowerCase()} source={source} />
          ))}
          <li>
            <UiButton kind="link" size="small" onPress={() => listReferencesOf(of)}>
              All references
            </UiButton>
          </li>
        </Section>
      )}
      {isLive ? null : (
        <Text as="p" font="small" tone={3}>
          The image did not answer, so this comes from open files and the standard.
        </Text>
      )}
    </Stack>
  );
}

interface UnknownProps {
  name: string;
  /** The standard symbol with this name, for a name that the image does not describe; null if there is none. */
  standard: string | null;
  description: Description;
}

function Unknown({ name, standard, description: { of, described, isLive } }: UnknownProps) {
  const isUp = useMirror((state) => state.session.pid !== null);
  return (
    <Stack gap={2}>
      <Row align="baseline" gap={2} wrap>
        <Text as="h3" tone={1} className={styles.name}>
          {name}
        </Text>
        {standard === null ? null : <HyperspecLink symbol={standard} />}
      </Row>
      <Text as="p" font="small" tone={2}>
        {!isLive
          ? isUp
            ? 'The image does not answer. The documentation will be shown when it answers.'
            : 'No image is running, so there is no documentation.'
          : described.unknownPackage
            ? missingPackageWords(described.package)
            : described.found
              ? 'The symbol is not defined in the image.'
              : 'The symbol does not exist in the image.'}
      </Text>
      {isLive && described.unknownPackage ? (
        <MissingLibrary meant={{ kind: 'package', name: described.package.toLowerCase() }} />
      ) : null}
      {described.near.length === 0 ? null : (
        <Row gap={2} wrap font="small" tone={2}>
          <span>Did you mean</span>
          {described.near.map((near) => (
            <UiButton key={near} kind="link" size="small" onPress={() => showName({ ...of, symbol: near })}>
              {near.toLowerCase()}
            </UiButton>
          ))}
        </Row>
      )}
    </Stack>
  );
}

function HyperspecLink({ symbol }: { symbol: string }) {
  return (
    <UiButton kind="link" size="small" onPress={() => void openHyperspec({ kind: 'symbol', name: symbol })}>
      HyperSpec
    </UiButton>
  );
}

function Place({ source }: { source: DefinitionSource }) {
  return (
    <Row>
      <UiButton kind="link" size="small" onPress={() => void orNotice(revealSource(source))}>
        {placeText(source)}
      </UiButton>
    </Row>
  );
}

/** Returns a name and its lambda list, written like a call. */
function called(name: string, lambdaList: string): string {
  return lambdaList === '()' ? `(${name})` : `(${name} ${lambdaList.toLowerCase().slice(1)}`;
}
