/**
 * A system that ASDF does not find, with the possible actions: install the library, use a library tool, or put the system in a folder that
 * ASDF searches.
 */
import type { LibraryRecord } from '#contract/image/system.ts';
import { Button } from '../../ui/button.tsx';
import { Row, Stack, Text } from '../../ui/layout.tsx';
import { orNotice } from '../../base/notices/notices.tsx';
import { useLibraries } from '../libraries/libraries-store.ts';
import { MissingLibrary } from '../libraries/missing-library.tsx';
import { activateLibrary } from './loading.ts';
import { useSystems } from './systems-store.ts';
import { libraryTitle } from './descriptions.ts';

/** Shows the missing system. `asked` is the system to load once it is installed; the missing system itself if omitted. */
export function MissingSystem({ name, asked = name }: { name: string; asked?: string }) {
  const { libraries } = useSystems();
  const overview = useLibraries((state) => state.overview);
  const unused = libraries.filter(({ active }) => !active);
  return (
    <Stack gap={2} role="group" aria-label={`Missing: ${name}`}>
      <Text as="p" tone={1} breaks>
        ASDF finds no system <span className="code">{name}</span>.{' '}
        {unused.length > 0
          ? 'A library tool that is not enabled yet may have it.'
          : overview === null
            ? 'Put its folder where ASDF searches, such as ~/common-lisp, or install it (Debian packages are named cl-…). Then refresh the systems.'
            : 'Install it as a library, or put its folder where ASDF searches, such as ~/common-lisp.'}
      </Text>
      <MissingLibrary meant={{ kind: 'system', name: name.replace(/^#?:/, '').toLowerCase() }} asked={asked} />
      <Row gap={2} wrap>
        {unused.map((library) => (
          <UseLibrary key={library.path} library={library} />
        ))}
      </Row>
    </Stack>
  );
}

/** The button that makes the image use the systems of a library tool. */
export function UseLibrary({ library }: { library: LibraryRecord }) {
  return (
    <Button size="small" onPress={() => void orNotice(activateLibrary(library))}>
      Use {libraryTitle(library)}
    </Button>
  );
}
