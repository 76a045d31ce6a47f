import { expect, it } from 'vitest';
import { libraryMeantBy } from './library-meant.ts';

it.each([
  ['SB-INT:SIMPLE-READER-PACKAGE-ERROR', 'Package QL does not exist.\n\n  Stream: #<STREAM>', 'client ql'],
  ['READER-ERROR', 'Package QUICKLISP does not exist.', 'client quicklisp'],
  ['SB-INT:SIMPLE-READER-PACKAGE-ERROR', 'Package DRAKMA does not exist.', 'package drakma'],
  ['SB-KERNEL:SIMPLE-PACKAGE-ERROR', 'The name "DRAKMA" does not designate any package.', 'package drakma'],
  ['SB-INT:SIMPLE-READER-PACKAGE-ERROR', 'Package |Odd.Name| does not exist.', 'package odd.name'],
  ['package', 'There is no package DRAKMA.', 'package drakma'],
  ['ASDF/FIND-COMPONENT:MISSING-COMPONENT', 'Component "yason" not found', 'system yason'],
  ['ASDF:MISSING-DEPENDENCY', 'Component #:yason not found, required by #<SYSTEM "shop">', 'system yason'],
  ['QUICKLISP-CLIENT:SYSTEM-NOT-FOUND', 'System "nothere" not found', 'system nothere'],
  ['SB-INT:EXTENSION-FAILURE', "Don't know how to REQUIRE DRAKMA.\nSee also:", 'system drakma'],
  ['SIMPLE-ERROR', 'The order was not found', null],
  ['SIMPLE-ERROR', 'I said: Package DRAKMA does not exist.', null],
  ['MY-APP:DELIVERY-FAILED', 'Package 4711 does not exist.', null],
  ['TYPE-ERROR', 'The value 1 is not of type LIST', null],
])('The condition %s with the message %j is about the right library [issue 38.4]', (type, message, expected) => {
  const meant = libraryMeantBy(type, message);
  expect(meant && `${meant.kind} ${meant.name}`).toBe(expected);
});
