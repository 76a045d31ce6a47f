/**
 * A system that ASDF does not find, with the possible actions: use a library tool, download the system, or put it in a folder that ASDF
 * searches.
 */
import type { LibraryRecord } from '#contract/image/system.ts';
import { Button } from '../../ui/button.tsx';
import { Row, Stack, Text } from '../../ui/layout.tsx';
import { orNotice } from '../../base/notices/notices.tsx';
import { loadSystem, activateLibrary } from './loading.ts';
import { useSystems } from './systems-store.ts';
import { libraryTitle } from './descriptions.ts';

export function MissingSystem({ name }: { name: string }) {
  const { quicklisp, libraries } = useSystems();
  const unused = libraries.filter(({ active }) => !active);
  return (
    <Stack gap={2} role="group" aria-label={`Missing: ${name}`}>
      <Text as="p" tone={1} breaks>
        ASDF finds no system <span className="code">{name}</span>.{' '}
        {quicklisp
          ? 'Quicklisp may have it.'
          : unused.length > 0
            ? 'A library tool that is not enabled yet may have it.'
            : 'Put its folder where ASDF searches, such as ~/common-lisp, or install it (Debian packages are named cl-…). Then refresh the systems.'}
      </Text>
      <Row gap={2} wrap>
        {quicklisp ? (
          <Button size="small" onPress={() => void orNotice(loadSystem(name))}>
            Fetch {name} with Quicklisp
          </Button>
        ) : null}
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
